import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { holdsWithin } from './holds-within.ts';

/** Enough time for a well-behaved program to clean up. With more, Stop would seem not to work. */
const TERM_GRACE_MS = 500;
/**
 * After SIGKILL, only the kernel can still hold a process, and nothing more can be done about that. In a container
 * whose first process doesn't reap zombies, as is common, they exist forever.
 */
const KILL_WAIT_MS = 100;
const LOOK_EVERY_MS = 10;

/**
 * Ends a program that leads its own process group, and everything that it started in that group: first with SIGTERM,
 * then with SIGKILL. Resolves when the group is gone, or when nothing more can be done. Never rejects.
 */
export async function killGroup(pid: number, graceMs = TERM_GRACE_MS): Promise<void> {
  // kill(2) reads 0 as "my own group" and -1 as "all processes".
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (process.platform === 'win32') return killTree(pid);
  if (!signalGroup(pid, 'SIGTERM') || (await isGoneWithin(pid, graceMs))) return;
  signalGroup(pid, 'SIGKILL');
  await isGoneWithin(pid, KILL_WAIT_MS);
}

function isGoneWithin(pid: number, limitMs: number): Promise<boolean> {
  return holdsWithin(limitMs, LOOK_EVERY_MS, () => !signalGroup(pid, 0));
}

/** False if no process of the group can be reached any more. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Windows has no process groups. The full path makes sure that no program of that name in a workspace runs instead. */
function killTree(pid: number): Promise<void> {
  const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  return new Promise((resolve) => {
    const killer = spawn(taskkill, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    killer.once('error', () => resolve());
    killer.once('exit', () => resolve());
  });
}
