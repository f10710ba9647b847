import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { errorCode, isMissing } from '../../files/error-code.ts';

export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** The name that the user sees, such as a window or a command. */
  readonly label: string;
  readonly since: string;
}

const entrySchema = once(() =>
  z.object({
    pid: z.number().int().positive(),
    host: z.string(),
    label: z.string(),
    since: z.string(),
    /** The namespace in which `pid` is valid: containers may share a host name without sharing processes. */
    pidSpace: z.string(),
    token: z.string().regex(/^[0-9a-f]+$/),
  }),
);

/** The content of a lock file. */
export type LockEntry = z.infer<ReturnType<typeof entrySchema>>;

export interface FoundLock {
  /** Identifies the owner: stays the same for as long as the same owner has the lock. */
  readonly identity: string;
  /** Undefined if the content of the file is invalid. */
  readonly entry: LockEntry | undefined;
  readonly bytes: number;
  readonly mtimeMs: number;
}

export function newEntry(label: string): LockEntry {
  return {
    pid: process.pid,
    host: hostname(),
    label,
    since: new Date().toISOString(),
    pidSpace: pidSpace(),
    token: randomBytes(8).toString('hex'),
  };
}

export function ownerOf(found: FoundLock | undefined): LockOwner | undefined {
  if (!found?.entry) return undefined;
  const { pid, host, label, since } = found.entry;
  return { pid, host, label: holderText(label), since };
}

export function findLock(path: string): FoundLock | undefined {
  return withFile(path, 'r', readFound);
}

/**
 * Shows that the owner is still alive: writes the same bytes again, through the file that was checked, so that the file
 * system sets the time and no other lock is changed. Returns the current lock if it is not this one.
 */
export function renewLock(path: string, mine: LockEntry): { readonly lost: boolean; readonly to?: FoundLock } {
  const result = withFile(path, 'r+', (fd) => {
    const found = readFound(fd);
    if (found.entry?.token !== mine.token) return { lost: true, to: found };
    writeSync(fd, JSON.stringify(mine), 0);
    return { lost: false };
  });
  return result ?? { lost: true };
}

/** A writer needs far less time between creating the file and filling it. */
const EMPTY_STALE_MS = 2000;

/** Whether the owner is gone. `now` is by the clock that sets the file's times. */
export function isStale({ entry: owner, bytes, mtimeMs }: FoundLock, now: number, staleMs: number): boolean {
  // A time far in the future is as invalid as one long ago, because a living owner updates it regularly.
  const age = Math.abs(now - mtimeMs);
  if (!owner) return age > (bytes === 0 ? Math.min(EMPTY_STALE_MS, staleMs) : staleMs);
  return age > staleMs || isDead(owner);
}

function isDead({ pid, host, pidSpace: space }: LockEntry): boolean {
  if (host !== hostname() || space !== pidSpace()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM means that the process is alive, but belongs to another user.
    return errorCode(error) === 'ESRCH';
  }
}

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function readFound(fd: number): FoundLock {
  const { ino, mtimeMs } = fstatSync(fd);
  const text = readFileSync(fd, 'utf8');
  const parsed = parseEntry(text);
  return { identity: parsed?.token ?? `file-${ino}`, entry: parsed, bytes: text.length, mtimeMs };
}

function parseEntry(text: string): LockEntry | undefined {
  try {
    return entrySchema().safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function withFile<T>(path: string, flags: string, use: (fd: number) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/** Localizes the labels that Gantry itself writes. */
function holderText(label: string): string {
  switch (label) {
    case 'a VS Code window':
      return l10n.t('a VS Code window');
    case 'the command line':
      return l10n.t('the command line');
    default:
      return label;
  }
}
