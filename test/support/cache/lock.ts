import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { eventually } from '../poll.ts';

export interface LockOptions {
  readonly timeoutMs: number;
  /** Called once, when another process holds the lock. */
  readonly onWait?: (holder: number) => void;
}

/**
 * Runs `work` while this process exclusively holds `path`, across all processes of the machine. A lock of a process
 * that died is taken over.
 */
export async function withLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  let announced = false;
  await eventually(
    `the lock ${path}`,
    async () => {
      const holder = await tryLock(path);
      if (holder !== undefined && !announced) {
        announced = true;
        options.onWait?.(holder);
      }
      return holder === undefined;
    },
    { timeoutMs: options.timeoutMs, intervalMs: 250 },
  );
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Returns undefined if this process now holds the lock, otherwise the process that holds it. */
async function tryLock(path: string): Promise<number | undefined> {
  // Hard-linking a complete file makes the lock appear with its content, so other processes never read a partial id.
  const candidate = `${path}.${randomUUID()}`;
  await writeFile(candidate, String(process.pid));
  try {
    await link(candidate, path);
    return undefined;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) {
      throw error;
    }
  } finally {
    await rm(candidate, { force: true });
  }
  const holder = await readHolder(path);
  if (holder !== undefined && !isAlive(holder)) {
    await removeStale(path, holder);
  }
  return holder ?? 0;
}

async function removeStale(path: string, deadHolder: number): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return;
    }
    throw error;
  }
  // Another waiter may have taken over the stale lock between the check and the rename. Then its lock is restored.
  if ((await readHolder(aside)) === deadHolder) {
    await rm(aside, { force: true });
  } else {
    await rename(aside, path);
  }
}

async function readHolder(path: string): Promise<number | undefined> {
  try {
    return Number(await readFile(path, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
