import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { contains } from '../files/real-path.ts';
import { readSmallFile } from '../files/regular-file.ts';
import type { NamedPlace } from './protected-paths.ts';

/** Limits the number of files, because settings can include each other in a cycle. */
const MAX_FILES = 8;

/**
 * Absolute paths of the hook folders and included settings files that a repository's settings name. `folder` contains
 * the repository's data; its hooks start in `root`.
 */
export async function namedBySettings(folder: string, root: string): Promise<readonly NamedPlace[]> {
  const found = new Map<string, NamedPlace>();
  const files = new Set([join(folder, 'config'), join(folder, 'config.worktree')]);
  let worktree = root;
  // The loop also visits files that are added to the set during the iteration.
  for (const file of files) {
    // Git ignores a file that can't be read, too.
    const config = await readSmallFile(file).catch(() => undefined);
    if (config === undefined) continue;
    const [, elsewhere] = /^\s*worktree\s*=\s*"?([^"\n;#]+)/im.exec(config) ?? [];
    if (elsewhere !== undefined) worktree = resolve(folder, elsewhere.trim());
    for (const place of namedInConfig(config, dirname(file), worktree)) {
      found.set(place.path, place);
      if (place.what === SETTINGS && files.size < MAX_FILES) files.add(place.path);
    }
  }
  return [...found.values()];
}

const SETTINGS = 'settings of git';

function namedInConfig(config: string, folder: string, root: string): readonly NamedPlace[] {
  return [...config.matchAll(/^\s*(hookspath|path)\s*=\s*"?([^"\n;#]+)/gim)].map(([, key = '', value = '']) => {
    const path = value.trim().replace(/^~(?=\/)/, homedir());
    return key.toLowerCase() === 'path'
      ? { path: resolve(folder, path), what: SETTINGS }
      : { path: resolve(root, path), what: 'hooks of a repository' };
  });
}

/** Makes paths in the workspace relative to its root. Other paths stay absolute. */
export function fromRoot(root: string, places: readonly NamedPlace[]): readonly NamedPlace[] {
  return places.map(({ path, what }) => ({ path: contains(root, path) ? relative(root, path) : path, what }));
}
