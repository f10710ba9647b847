import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from '../../files/error-code.ts';

/** Distinguishes a process from a later one with the same id. Includes the start time where it can be read at once. */
export interface ProcessIdentity {
  readonly pid: number;
  /** On Linux: the boot id, and the start time in ticks since that boot. */
  readonly start?: string | undefined;
}

export type ProcessState = 'gone' | 'running' | 'unknown';

/** `ps` reports whole seconds, and a process is recorded a moment after its start. */
const START_TOLERANCE_MS = 3000;

export function identityOf(pid: number): ProcessIdentity {
  const start = startOf(pid);
  return start === undefined ? { pid } : { pid, start };
}

/** Whether the process with that id is still the one that was started then. */
export async function stateOf({ pid, start }: ProcessIdentity, startedAt: number): Promise<ProcessState> {
  if (!processExists(pid)) return 'gone';
  if (process.platform === 'linux') return start !== undefined && startOf(pid) === start ? 'running' : 'gone';
  if (process.platform === 'win32') return 'unknown';
  const began = await startFromPs(pid);
  if (began === undefined) return 'unknown';
  return Math.abs(began - startedAt) <= START_TOLERANCE_MS ? 'running' : 'gone';
}

export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Undefined on systems other than Linux, and for a process that has ended. */
function startOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name in parentheses may contain anything. The state is the first field after it, the start time the
    // twentieth.
    const [state = '', ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const ticks = rest[18];
    return ticks === undefined || /[ZX]/.test(state) ? undefined : `${boot} ${ticks}`;
  } catch {
    return undefined;
  }
}

async function startFromPs(pid: number): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
      timeout: 5000,
      env: { LC_ALL: 'C' },
    });
    const time = Date.parse(stdout.trim());
    return Number.isNaN(time) ? undefined : time;
  } catch {
    return undefined;
  }
}
