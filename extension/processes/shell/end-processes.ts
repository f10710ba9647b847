import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { holdsWithin } from '../holds-within.ts';
import { windowsSystemFolder } from './shell-program.ts';

/** How long a process may take to clean up, as in Gemini CLI. */
const GRACE_MS = 200;
/** A process that still exists by then waits for a device in the kernel, and ends when the device responds. */
const GIVE_UP_MS = 3000;
const POLL_MS = 15;

/**
 * Ends processes with SIGTERM, then with SIGKILL, including those that start in the meantime. Resolves when none are
 * left, or after a time limit.
 */
export async function endProcesses(find: () => Promise<readonly number[]>): Promise<void> {
  const asked = await find();
  for (const pid of asked) sendSignal(pid, 'SIGTERM');
  if (asked.length === 0 || (await areGone(find, GRACE_MS))) return;
  await holdsWithin(GIVE_UP_MS, POLL_MS, async () => {
    const left = await find();
    for (const pid of left) sendSignal(pid, 'SIGKILL');
    return left.length === 0;
  });
}

/** Whether all processes end within that time. */
export function areGone(find: () => Promise<readonly number[]>, withinMs: number): Promise<boolean> {
  return holdsWithin(withinMs, POLL_MS, async () => (await find()).length === 0);
}

/** Windows has no process groups and no signals: the whole process tree ends at once. */
export function endWindowsTree(pid: number): Promise<void> {
  const taskkill = win32.join(windowsSystemFolder(), 'taskkill.exe');
  // This fails if the process has already ended.
  return new Promise((done) => execFile(taskkill, ['/pid', String(pid), '/t', '/f'], () => done()));
}

/** A negative id means a process group. Processes that have ended or belong to another user are ignored. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: the process has already ended. EPERM: it runs as another user, and only that user can end it.
  }
}
