import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { errorCode, isMissing } from '../../files/error-code.ts';

export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** As the user knows it: a window, a command. */
  readonly label: string;
  readonly since: string;
}

const entry = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  label: z.string(),
  since: z.string(),
  /** Where `pid` means something: containers may share a host's name and not its processes. */
  pidSpace: z.string(),
  token: z.string().regex(/^[0-9a-f]+$/),
});

/** What a lock file says. */
export type LockEntry = z.infer<typeof entry>;

export interface FoundLock {
  /** The same for as long as it is the same owner's. */
  readonly identity: string;
  /** Undefined if the file says nothing sensible. */
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
 * Says that the owner is still there: the same bytes again, through the file that was checked, so that the file system
 * itself sets the time and nobody else's lock is touched. Answers the lock that is there, if it is not this one.
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

/** A writer needs far less than this from making the file to filling it. */
const EMPTY_STALE_MS = 2000;

/** Whether the owner is gone. `now` by the clock that sets the file's times. */
export function isStale({ entry: owner, bytes, mtimeMs }: FoundLock, now: number, staleMs: number): boolean {
  // A time far ahead is as wrong as one long ago: a living owner sets it again and again.
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
    // EPERM: it lives, as another user.
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
    return entry.safeParse(JSON.parse(text)).data;
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

/** Those that Gantry itself writes, as people are told about them. */
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
