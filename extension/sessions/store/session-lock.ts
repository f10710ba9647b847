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
  /** An owner that gave no sign of life for so long is taken for gone. */
  readonly staleMs?: number;
}

export interface LockOptions extends LockTimes {
  /** Once, when another took the lock over because this process gave no sign of life. Undefined: nobody holds it. */
  onLost?(by: LockOwner | undefined): void;
}

export interface HeldLock {
  readonly kind: 'held';
  /** Whether it is still ours. Looks at the file if the last look was so long ago that another may have it. */
  confirm(): boolean;
  release(): Promise<void>;
}

export type TakenLock = { readonly kind: 'taken'; readonly by: LockOwner };

const FILE_NAME = 'lock';
const HEARTBEAT_MS = 5000;
const STALE_MS = 30_000;

/** One writer per session folder, also among processes. Throws what Node throws if the folder cannot be written to. */
export async function takeLock(
  folder: string,
  owner: { readonly label: string },
  options: LockOptions = {},
): Promise<HeldLock | TakenLock> {
  let taken = takeLockNow(folder, owner, options);
  // Somebody is just taking it; a moment later it has a name.
  for (let look = 0; look < 3 && taken.kind === 'taken' && taken.by === UNKNOWN; look++) {
    await delay(50);
    taken = takeLockNow(folder, owner, options);
  }
  return taken;
}

/** The same without waiting, for a first record that must be on its way when the call returns. */
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
      // Not readable for now: the next beat looks again, and until then `confirm` has its doubts.
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

/** Who holds the session, if anybody does. */
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
 * Makes the file, or takes over a stale one. Answers the lock of a living owner, or undefined if there was too much going
 * on to tell. The lock of one owner is only ever replaced or removed by whoever holds the guard named after it, so of any
 * number that find the same stale lock one gets it, and none removes its successor. The guard is such a lock itself: that
 * of a process that died on the way is taken over in the same manner.
 */
function place(path: string, mine: LockEntry, staleMs: number): 'placed' | FoundLock | undefined {
  const draft = `${path}.${mine.token}`;
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Written again for each look: its time is the file system's own idea of now.
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
    // Windows does not replace a file that somebody is just reading.
    if (process.platform === 'win32' && isForbidden(error)) return false;
    throw error;
  }
}

/** Undefined if another is at it. */
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
  // Not every file system has hard links. Until it is filled this file says nothing, which counts as taken for a while.
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
    // The folder is gone or cannot be written to: there the lock goes stale by itself.
  }
}
