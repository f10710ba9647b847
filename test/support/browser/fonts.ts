import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from '../cache/cached.ts';
import { unpackNpmPackage } from '../cache/npm-package.ts';

const fontPackage = 'dejavu-fonts-ttf@2.37.3';

/**
 * The environment that gives a browser only the DejaVu fonts, whatever the machine has: other fonts change the layout.
 * This works only on Linux.
 */
export async function fontEnvironment(): Promise<Readonly<Record<string, string>>> {
  if (process.platform !== 'linux') return {};
  const folder = await cachedFolder('fonts-dejavu', 'Fonts', async (into) => {
    await unpackNpmPackage(fontPackage, into, {
      member: 'package/ttf',
      excludes: ['*Serif*', '*Condensed*', '*Math*'],
    });
    await mkdir(join(into, 'cache'));
  });
  return { FONTCONFIG_FILE: await configurationIn(await realpath(folder)) };
}

/** The configuration contains the path of the folder, and the repository may have been moved since it was cached. */
async function configurationIn(folder: string): Promise<string> {
  const path = join(folder, 'fonts.conf');
  const wanted = fontConfiguration(folder);
  const isCurrent = await readFile(path, 'utf8')
    .then((text) => text === wanted)
    .catch(() => false);
  if (!isCurrent) {
    await writeFile(`${path}.${process.pid}`, wanted);
    await rename(`${path}.${process.pid}`, path);
  }
  return path;
}

function fontConfiguration(folder: string): string {
  const aliases = Object.entries({
    'sans-serif': 'DejaVu Sans',
    'system-ui': 'DejaVu Sans',
    monospace: 'DejaVu Sans Mono',
  }).map(([family, font]) => `  <alias><family>${family}</family><prefer><family>${font}</family></prefer></alias>`);
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `  <dir>${folder}</dir>`,
    `  <cachedir>${join(folder, 'cache')}</cachedir>`,
    ...aliases,
    // The fallback for every missing font, including Chromium's default system font.
    '  <match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>',
    '</fontconfig>',
    '',
  ].join('\n');
}
