import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { findGitFolder } from '../files/git-folder.ts';
import { contains } from '../files/real-path.ts';
import { readSmallFile } from '../files/regular-file.ts';
import type { NamedPlace } from './protected-paths.ts';

/** Folders of hooks and further settings that settings of Git name, absolute. `folder` is where they are. */
export function namedInConfig(config: string, folder: string, root = dirname(folder)): readonly NamedPlace[] {
  return [...config.matchAll(/^\s*(hookspath|path)\s*=\s*"?([^"\n;#]+)/gim)].map(([, key = '', value = '']) => {
    const path = value.trim().replace(/^~(?=\/)/, homedir());
    return key.toLowerCase() === 'path'
      ? { path: resolve(folder, path), what: 'settings of git' }
      : { path: resolve(root, path), what: 'hooks of a repository' };
  });
}

/** Those of the repository that was opened: inside of it from its root on, absolute elsewhere. */
export async function namedByGit(root: string): Promise<readonly NamedPlace[]> {
  try {
    const folder = await findGitFolder(root);
    const named = namedInConfig((await readSmallFile(join(folder, 'config'))) ?? '', folder, root);
    return named.map(({ path, what }) => ({ path: contains(root, path) ? relative(root, path) : path, what }));
  } catch {
    // What cannot be read names nothing, to Git neither.
    return [];
  }
}
