import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Logger } from '../../ports/logger.ts';
import { newNamingKey } from '../../safety/placeholder.ts';

/**
 * Loads the key that names of secrets are derived from. It is stored next to the sessions, so that a resumed session
 * has the same names. If it cannot be stored, the names are valid for this process only.
 */
export async function loadNamingKey(file: string | undefined, log: Logger): Promise<Uint8Array> {
  const key = newNamingKey();
  if (file === undefined) return key;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, key, { flag: 'wx', mode: 0o600 });
    return key;
  } catch {
    // Most of the time, the file already exists.
  }
  try {
    const kept = await readFile(file);
    if (kept.length === key.length) return kept;
    log.warn('The key that secrets are named with is damaged. Placeholders of earlier sessions are not resolved.');
  } catch (error) {
    log.error('The key that secrets are named with could not be read', error);
  }
  return key;
}
