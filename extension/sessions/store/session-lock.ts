import { linkSync, renameSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { errorCode, isForbidden, isMissing } from '../../files/error-code.ts';
import {
  type FoundLock,
  findLock,
  isStale,
  type LockEntry,
  type LockOwner,
  newEntry,
  ownerOf,
  renewLock,
} from './lock-file.ts';

export interface LockTimes {
  readonly heartbeatMs?: number;
  /** An owner that has not renewed its lock for this long is considered gone. */
  readonly staleMs?: number;
}

export interface LockOptions extends LockTimes {
  /** Called once if another process took over the lock because this process did not renew it. Undefined: no owner. */
  onLost?(by: LockOwner | undefined): void;
}

export interface HeldLock {
  readonly kind: 'held';
  /** Whether this process still has the lock. Checks the file if the last check is so old that another may have it. */
  confirm(): boolean;
  release(): Promise<void>;
}

export type TakenLock = { readonly kind: 'taken'; readonly by: LockOwner };

const FILE_NAME = 'lock';
const HEARTBEAT_MS = 5000;
const STALE_MS = 30_000;

/** Allows one writer per session folder, also across processes. Throws Node's error if the folder is not writable. */
export async function takeLock(
  folder: string,
  owner: { readonly label: string },
  options: LockOptions = {},
): Promise<HeldLock | TakenLock> {
  let taken = takeLockNow(folder, owner, options);
  // Another process is just taking the lock. Shortly after, its name is known.
  for (let look = 0; look < 3 && taken.kind === 'taken' && taken.by === UNKNOWN; look++) {
    await delay(50);
    taken = takeLockNow(folder, owner, options);
  }
  return taken;
}

/** Takes the lock without waiting, for a first record that must be written when the call returns. */
export function takeLockNow(
  folder: string,
  { label }: { readonly label: string },
  { heartbeatMs = HEARTBEAT_MS, staleMs = STALE_MS, onLost }: LockOptions = {},
): HeldLock | TakenLock {
  const path = join(folder, FILE_NAME);
  const mine = newEntry(label);
  const placed = place(path, mine, staleMs);
  if (placed !== 'placed') return { kind: 'taken', by: ownerOf(placed) ?? UNKNOWN };

  let held = true;
  let confirmed = Date.now();
  const beat = (): void => {
    try {
      const { lost, to } = renewLock(path, mine);
      confirmed = Date.now();
      if (!lost || !held) return;
      held = false;
      clearInterval(heart);
      onLost?.(ownerOf(to));
    } catch {
      // The file is unreadable for now. The next heartbeat checks again, and `confirm` checks if it takes too long.
    }
  };
  const heart = setInterval(beat, heartbeatMs).unref();
  return {
    kind: 'held',
    confirm: () => {
      if (held && Math.abs(Date.now() - confirmed) > staleMs / 2) beat();
      return held;
    },
    release: () => {
      clearInterval(heart);
      if (held) remove(path, mine);
      held = false;
      return Promise.resolve();
    },
  };
}

/** The owner of the session's lock, if there is one. */
export function lockOwner(folder: string, now: number, staleMs: number = STALE_MS): LockOwner | undefined {
  const found = findLock(join(folder, FILE_NAME));
  return found && !isStale(found, now, staleMs) ? (ownerOf(found) ?? UNKNOWN) : undefined;
}

const UNKNOWN: LockOwner = {
  pid: 0,
  host: '',
  get label() {
    return l10n.t('another process');
  },
  since: '',
};
const ATTEMPTS = 5;

/**
 * Creates the lock file, or takes over a stale one. Returns the lock of a living owner, or undefined if there were too
 * many concurrent attempts. A lock is only replaced or removed by the holder of the guard named after it, so only one
 * of the processes that find the same stale lock gets it, and none removes its successor. The guard is a lock itself:
 * if its process dies, it is taken over in the same way.
 */
function place(path: string, mine: LockEntry, staleMs: number): 'placed' | FoundLock | undefined {
  const draft = `${path}.${mine.token}`;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Written again for each attempt: its modification time is the current time of the file system.
      writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 });
      if (putInPlace(draft, path, mine)) return 'placed';
      const found = findLock(path);
      if (!found) continue;
      if (!isStale(found, statSync(draft).mtimeMs, staleMs)) return found;
      const judged = found.identity;
      const replaced = guarded(path, judged, mine.label, staleMs, () => {
        const again = findLock(path);
        if (again?.identity !== judged || !isStale(again, statSync(draft).mtimeMs, staleMs)) return false;
        return replace(draft, path);
      });
      if (replaced) return 'placed';
    }
    return undefined;
  } finally {
    rmSync(draft, { force: true });
  }
}

function replace(draft: string, path: string): boolean {
  try {
    renameSync(draft, path);
    return true;
  } catch (error) {
    // Windows does not replace a file that is being read.
    if (process.platform === 'win32' && isForbidden(error)) return false;
    throw error;
  }
}

/** Runs `act` with the guard. Returns undefined if another process has the guard. */
function guarded<T>(path: string, identity: string, label: string, staleMs: number, act: () => T): T | undefined {
  const guard = `${path}.over-${identity}`;
  const mine = newEntry(label);
  if (place(guard, mine, staleMs) !== 'placed') return undefined;
  try {
    return act();
  } finally {
    if (findLock(guard)?.identity === mine.token) rmSync(guard, { force: true });
  }
}

function putInPlace(draft: string, path: string, mine: LockEntry): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (isMissing(error) || errorCode(error) === 'ENOSPC') throw error;
  }
  // Not every file system has hard links. Until this file is filled, it is empty, which counts as taken for a while.
  try {
    writeFileSync(path, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
  return findLock(path)?.identity === mine.token;
}

function remove(path: string, mine: LockEntry): void {
  try {
    guarded(path, mine.token, mine.label, STALE_MS, () => {
      if (findLock(path)?.identity === mine.token) unlinkSync(path);
    });
  } catch {
    // The folder is gone or not writable. The lock becomes stale by itself.
  }
}
