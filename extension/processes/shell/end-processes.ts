import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { windowsSystemFolder } from './shell-program.ts';

/** How long a process may take to tidy up, as in Gemini CLI. */
const GRACE_MS = 200;
/** What is not gone by then waits in the kernel for a device, and goes when that answers. */
const GIVE_UP_MS = 3000;
const POLL_MS = 15;

/** Asks processes to end, then makes them; those that appear meanwhile as well. Resolves when there are none left. */
export async function endProcesses(find: () => Promise<readonly number[]>): Promise<void> {
  const asked = await find();
  for (const pid of asked) sendSignal(pid, 'SIGTERM');
  if (asked.length === 0 || (await areGone(find, GRACE_MS))) return;
  const giveUp = Date.now() + GIVE_UP_MS;
  while (Date.now() < giveUp) {
    const left = await find();
    if (left.length === 0) return;
    for (const pid of left) sendSignal(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
}

/** Whether there are none within that time. */
export async function areGone(find: () => Promise<readonly number[]>, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if ((await find()).length === 0) return true;
    if (Date.now() >= deadline) return false;
    await delay(POLL_MS);
  }
}

/** Windows has no groups and no signals: the tree below the process ends at once. */
export function endWindowsTree(pid: number): Promise<void> {
  const taskkill = win32.join(windowsSystemFolder(), 'taskkill.exe');
  // It fails where the process is gone already.
  return new Promise((done) => execFile(taskkill, ['/pid', String(pid), '/t', '/f'], () => done()));
}

/** A negative id is a process group's. What is gone or belongs to somebody else is left alone. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it was faster. EPERM: it runs as another user, which only they can end.
  }
}
