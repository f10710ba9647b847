import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { copyFile, lstat, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Flushes new and renamed entries of a folder to disk. Windows cannot open folders and some network drives cannot sync
 * them; there, the file system alone decides when an entry is durable.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch {
    // The data itself was synced, and failures of that were reported.
  }
}

/** Writes a new file that is on disk when the promise resolves. */
export async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Creates a folder and its parents. Node's `recursive` option is not used: it loops forever if the parent exists but
 * nothing can be created in it, as in `/proc` (seen with Node 20.20).
 */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    const parent = dirname(path);
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error;
    makeFolder(parent, mode);
    mkdirSync(path, { mode });
  }
}

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

/** Does nothing if the file does not exist. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
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
