import { randomBytes } from 'node:crypto';
import { copyFile, lstat, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, writeSynced } from './durable-files.ts';
import { errorCode } from './error-code.ts';

/**
 * Writes a draft next to the file and renames it over the file, so that nobody ever reads half of it. A failed draft is
 * removed.
 */
export async function replaceByDraft(
  draft: string,
  path: string,
  write: () => Promise<void>,
  put: (draft: string, path: string) => Promise<void> = rename,
): Promise<void> {
  try {
    await write();
    await put(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Replaces the content of a file. Throws if the file is a link. */
export async function replaceFile(path: string, text: string): Promise<void> {
  makeFolder(dirname(path));
  if (await isLink(path)) throw new Error('it is a symbolic link');
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  await replaceByDraft(draft, path, () => writeSynced(draft, text), moveOver);
}

export async function isLink(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isSymbolicLink() ?? false;
}

/** A file that is itself a mount, as in containers, cannot be replaced, only overwritten. */
async function moveOver(draft: string, path: string): Promise<void> {
  try {
    await rename(draft, path);
  } catch (error) {
    const code = errorCode(error);
    if ((code !== 'EXDEV' && code !== 'EBUSY') || (await isLink(path))) throw error;
    await copyFile(draft, path);
    await rm(draft, { force: true });
  }
}
