import { lstatSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { makeFolder } from './durable-files.ts';
import { contains } from './real-path.ts';

/**
 * Creates the folder if needed. Returns whether only the user has access to it: it belongs to the user, nobody else may
 * open it, and it is not a link. Never throws.
 */
export function makePrivateFolder(path: string): boolean {
  try {
    if (!isAbsolute(path)) return false;
    makeFolder(path);
    const stats = lstatSync(path);
    return stats.isDirectory() && isPrivate(stats, path);
  } catch {
    return false;
  }
}

/** Whether only the user has access to what the path names. */
export function isPrivate({ uid, mode }: Stats, path: string): boolean {
  // Windows has no such modes. There, other users have no access to what is in the home folder.
  if (process.getuid === undefined) return contains(homedir(), path);
  return uid === process.getuid() && (mode & 0o077) === 0;
}
