import { readFileSync } from 'node:fs';
import { eventually } from './poll.ts';

/** Whether a process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits for a process that was asked to end: on a busy system, that takes a moment. */
export async function untilEnded(pid: number): Promise<void> {
  await eventually(`the end of process ${pid}`, () => !isRunning(pid));
}
