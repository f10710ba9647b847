import { lstat, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * The root of the repository that a folder is in; undefined when there is none above it or below the home folder. Folders of
 * another owner end the search, as they do for git itself: anybody could put a `.git` into `/tmp`.
 */
export async function gitRootOf(realFolder: string, realHome: string): Promise<string | undefined> {
  const owners = new Set([(await stat(realFolder)).uid, process.getuid?.()]);
  let folder = realFolder;
  for (;;) {
    if (await isThere(join(folder, '.git'))) return folder;
    const parent = dirname(folder);
    if (parent === folder || parent === realHome || !owners.has((await stat(parent)).uid)) return undefined;
    folder = parent;
  }
}

/** A folder, or in a worktree a file. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
