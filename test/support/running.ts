import { readFileSync } from 'node:fs';

/** Whether a process is there and not just waiting for somebody to ask for its exit code. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
