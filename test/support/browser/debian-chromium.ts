import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cachedFolder } from '../cache/cached.ts';
import { runCommand } from '../command.ts';
import type { BrowserBinary } from './binary.ts';
import { isExecutable } from './installed.ts';

const debianPackage = 'chromium-headless-shell';

/** The browser looks for these files in its own folder, so it doesn't find those of an installed package. */
const besideIt = 'chromium-common';

/**
 * Debian's headless Chromium with the libraries that this machine lacks, unpacked into the cache: nothing is installed
 * and no root access is needed. Unlike the npm package, it has a build for Linux on ARM.
 */
export async function debianChromium(): Promise<BrowserBinary | undefined> {
  if (process.platform !== 'linux' || !isExecutable('/usr/bin/apt-get') || !isExecutable('/usr/bin/dpkg')) {
    return undefined;
  }
  const folder = await cachedFolder(`${debianPackage}-${process.arch}`, 'Chromium from Debian', fill);
  return {
    executable: join(folder, 'usr', 'lib', 'chromium', debianPackage),
    libraries: await libraryFolders(join(folder, 'usr', 'lib')),
  };
}

async function fill(folder: string): Promise<void> {
  const apt = join(folder, 'apt');
  const archives = join(apt, 'cache', 'archives');
  await mkdir(join(apt, 'lists', 'partial'), { recursive: true });
  await mkdir(join(archives, 'partial'), { recursive: true });
  // With its own lists and cache and without locks, apt works for an ordinary user and while another apt runs.
  const settings = [`Dir::State::lists=${apt}/lists`, `Dir::Cache=${apt}/cache`, 'Debug::NoLocking=1'];
  const options = settings.flatMap((setting) => ['-o', setting]);
  await runCommand('apt-get', [...options, 'update']);
  await runCommand('apt-get', [
    ...options,
    ...['-y', '--no-install-recommends', '--download-only', 'install', debianPackage],
  ]);
  // `apt-get install` would skip packages that are already installed.
  await runCommand('apt-get', [...options, 'download', debianPackage, besideIt], { cwd: archives });
  for (const name of await readdir(archives)) {
    if (name.endsWith('.deb')) {
      await runCommand('dpkg', ['-x', join(archives, name), folder]);
    }
  }
  await rm(apt, { recursive: true });
}

async function libraryFolders(root: string): Promise<readonly string[]> {
  const files = await readdir(root, { recursive: true });
  return [...new Set(files.filter((file) => /\.so(\.|$)/.test(file)).map((file) => join(root, dirname(file))))];
}
