import { realpathSync } from 'node:fs';

/** One name for a folder: without symbolic links, and on Windows with the drive's letter as the system writes it. */
export function canonicalFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
