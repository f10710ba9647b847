import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { cachedFolder } from '../cache/cached.ts';
import { unpackNpmPackage } from '../cache/npm-package.ts';
import { distDir } from '../dist.ts';
import { repoRoot } from '../repo.ts';
import { tempFolder } from '../temp-folder.ts';
import { readManifest } from '../vscode/layout.ts';
import { platformParts, type Target } from './targets.ts';

/** The files that may be shipped. `.vscodeignore` selects among them. */
const PARTS: readonly string[] = [
  '.vscodeignore',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'dist',
  'l10n',
  'media',
  'package.json',
  'package.nls.de.json',
  'package.nls.json',
];

/** The programs of this machine, in `dist/assets`. */
const OF_THIS_MACHINE = /^(rg(\.exe)?|node_modules[\\/]@lydell[\\/]node-pty-.*)$/;

/** Excludes documentation of packages and files for debuggers. */
const isUsed = (path: string): boolean => !/\.(md|pdb)$/.test(path);

/** Creates the VSIX of a target from the production bundles, and returns its path. */
export async function makePackage(target: Target, into: string): Promise<string> {
  const stage = await tempFolder('package');
  try {
    const assets = join(distDir, 'assets');
    const isForAll = (path: string): boolean => !OF_THIS_MACHINE.test(relative(assets, path));
    for (const part of PARTS) {
      await cp(join(repoRoot, part), join(stage.path, part), { recursive: true, filter: isForAll });
    }
    for (const { npmPackage, from, to } of platformParts(target)) {
      const source = join(await packageFolder(npmPackage), from);
      await cp(source, join(stage.path, 'dist', 'assets', to), { recursive: true, filter: isUsed });
    }
    const { name, version } = await readManifest(repoRoot);
    const packagePath = join(into, `${name}-${target}-${version}.vsix`);
    await createVSIX({
      cwd: stage.path,
      packagePath,
      target,
      dependencies: false,
      rewriteRelativeLinks: false,
      allowMissingRepository: true,
    });
    return packagePath;
  } finally {
    await stage.dispose();
  }
}

/** The folder of an npm package in its locked version. npm installs only the packages of this machine. */
async function packageFolder(name: string): Promise<string> {
  const installed = join(repoRoot, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const { version, integrity } = await locked(name);
  const folder = await cachedFolder(`${basename(name)}-${version}`, `${name} ${version}`, (into) =>
    unpackNpmPackage(`${name}@${version}`, join(into, 'package'), { integrity }),
  );
  return join(folder, 'package');
}

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
}

async function locked(name: string): Promise<LockedPackage> {
  const text = await readFile(join(repoRoot, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, LockedPackage>> };
  const entry = packages[`node_modules/${name}`];
  if (entry === undefined) throw new Error(`package-lock.json does not have ${name}.`);
  return entry;
}
