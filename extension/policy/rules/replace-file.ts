import { randomBytes } from 'node:crypto';
import { copyFile, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../error-code.ts';

/** Puts the text in the place of a file at once: nobody sees half of it. Throws where the file is a link. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  if (await isLink(path)) throw new Error('it is a symbolic link');
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await writeNew(draft, text);
    await moveOver(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

export async function isLink(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isSymbolicLink() ?? false;
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
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

/** Not with Node's `recursive`, which tries for ever where nothing can be made, as in `/proc` (seen with Node 20.20). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    const parent = dirname(path);
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error;
    await makeFolder(parent);
    await mkdir(path, { mode: 0o700 });
  }
}
