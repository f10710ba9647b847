import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { repoRoot } from '../repo.ts';

export interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const { publisher, name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  return { publisher, name, version };
}

/**
 * Copies the extension to `extensionsDir` as the VSIX would contain it: production bundles without `node_modules`. It
 * is not linked, because Node resolves links, so a linked bundle would still find the repository's `node_modules`.
 */
export async function stageExtension(extensionsDir: string, from: string = repoRoot): Promise<string> {
  if (!existsSync(join(from, 'dist', 'extension.js')) && from === repoRoot) {
    throw new Error('dist/extension.js is missing: run the production build first (npm run build).');
  }
  const { publisher, name, version } = await readManifest(from);
  const folder = join(extensionsDir, `${publisher}.${name}-${version}`);
  await mkdir(folder, { recursive: true });
  for (const part of ['package.json', 'package.nls.json', 'package.nls.de.json', 'l10n', 'dist', 'media']) {
    if (existsSync(join(from, part))) {
      await cp(join(from, part), join(folder, part), { recursive: true });
    }
  }
  return folder;
}

/** Replaces the product's runtime with the one that has the tools for tests. */
export async function useTestTools(extension: string): Promise<void> {
  await cp(join(repoRoot, 'out', 'test', 'runtime-with-tools.js'), join(extension, 'dist', 'runtime.js'));
}

/** Links an extension of a test, unchanged. */
export async function linkExtension(extensionsDir: string, from: string): Promise<void> {
  const { publisher, name, version } = await readManifest(from);
  await mkdir(extensionsDir, { recursive: true });
  await symlink(from, join(extensionsDir, `${publisher ?? basename(from)}.${name}-${version}`), 'junction');
}
