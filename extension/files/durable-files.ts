import { mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
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
