import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { contains } from '../files/real-path.ts';
import { readSmallFile } from '../files/regular-file.ts';

export interface CheckedOutSubmodule {
  /** The absolute path of its `.git`, which is a file, or a folder in old repositories. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Commands wait for the search. */
const MAX_PATHS = 300;

/** The name of the section may be on the same line. */
const PATH = /^(?:[ \t]*\[[^\]\n]*\])?[ \t]*path[ \t]*=[ \t]*(?:"([^"\n]*)"|([^\n;#]*))/gim;

/**
 * The submodules that `.gitmodules` lists, and those that they list themselves. Reading the list finds them however many
 * files and folders there are. Paths out of the folder don't count, because anybody could have written the list.
 */
export async function submodulesOf(root: string): Promise<readonly CheckedOutSubmodule[]> {
  const found = new Map<string, CheckedOutSubmodule>();
  const folders = new Set([root]);
  const realRoot = realpathSync.native(root);
  let left = MAX_PATHS;
  // The loop also visits folders that are added to the set during the iteration.
  for (const folder of folders) {
    // Git ignores a file that can't be read, too.
    const list = await readSmallFile(join(folder, '.gitmodules')).catch(() => undefined);
    for (const [, quoted, bare = ''] of (list ?? '').matchAll(PATH)) {
      if (--left < 0) return [...found.values()];
      const submodule = submoduleAt(join(folder, quoted ?? bare.trim()), root, realRoot);
      if (!submodule) continue;
      found.set(submodule.path, submodule);
      if (submodule.hasList) folders.add(dirname(submodule.path));
    }
  }
  return [...found.values()];
}

/** Undefined if nothing is checked out there, or if it is the root itself, outside of it, or can't be read. */
function submoduleAt(
  path: string,
  root: string,
  realRoot: string,
): (CheckedOutSubmodule & { readonly hasList: boolean }) | undefined {
  try {
    const real = realpathSync.native(path);
    if (real === realRoot || !contains(realRoot, real)) return undefined;
    const git = lstatSync(join(real, '.git'), { throwIfNoEntry: false });
    if (!git || git.isSymbolicLink()) return undefined;
    return {
      path: join(root, relative(realRoot, real), '.git'),
      isFolder: git.isDirectory(),
      // Most submodules have none, and this is much faster than trying to read it.
      hasList: lstatSync(join(real, '.gitmodules'), { throwIfNoEntry: false }) !== undefined,
    };
  } catch {
    return undefined;
  }
}
