import { readFileSync } from 'node:fs';
import { eventually } from './poll.ts';

/** Whether a process is there and not just waiting for somebody to ask for its exit code. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** For a process that was told to end: a busy system takes a moment to do it. */
export async function untilEnded(pid: number): Promise<void> {
  await eventually(`the end of process ${pid}`, () => !isRunning(pid));
}
