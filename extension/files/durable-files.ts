import { mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';

/**
 * Brings new and renamed entries of a folder to disk. Windows does not open folders and some network drives do not sync
 * them; there the file system alone decides when an entry is durable.
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
    // The data itself was synced, and with it whatever could go wrong was reported.
  }
}

/** A new file that is on disk when this resolves. */
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
 * A folder and those above it. Not with Node's `recursive`: it tries for ever where the parent is there and yet nothing can
 * be made in it, as in `/proc` (seen with Node 20.20).
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
