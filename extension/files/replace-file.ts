import { randomBytes } from 'node:crypto';
import { copyFile, lstat, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, writeSynced } from './durable-files.ts';
import { errorCode } from './error-code.ts';

/** Puts the text in the place of a file at once: nobody sees half of it. Throws where the file is a link. */
export async function replaceFile(path: string, text: string): Promise<void> {
  makeFolder(dirname(path));
  if (await isLink(path)) throw new Error('it is a symbolic link');
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await writeSynced(draft, text);
    await moveOver(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

export async function isLink(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isSymbolicLink() ?? false;
}

/** A file that is mounted by itself, as in containers, cannot be replaced, only overwritten. */
async function moveOver(draft: string, path: string): Promise<void> {
  try {
    await rename(draft, path);
  } catch (error) {
    const code = errorCode(error);
    if ((code !== 'EXDEV' && code !== 'EBUSY') || (await isLink(path))) throw error;
    await copyFile(draft, path);
  }
}
