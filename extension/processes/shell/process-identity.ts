import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode } from '../../files/error-code.ts';
import type { ShellExit, ShellProcess } from '../../ports/shell.ts';
import { killGroup } from '../kill-group.ts';

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

/** Often enough for a line that reports its end. */
const LOOK_EVERY_MS = 2000;
/** On a busy machine, a process that was ended exists for a moment longer. */
const END_WAIT_MS = 2000;
const END_LOOK_MS = 50;

/**
 * `ended`: it had already ended. `forbidden`: it belongs to another user. `unsure`: it can't be verified that this is
 * still the process that was started, so it was not stopped. `running`: nothing more can be done.
 */
export type SurvivorStop = 'stopped' | 'ended' | 'forbidden' | 'unsure' | 'running';

interface SurvivingProcess extends ShellProcess {
  /** Calls `begins` before it signals the process. It never signals another process that has the same id by now. */
  stop(begins?: () => void): Promise<SurvivorStop>;
}

/** A command of an earlier window that outlived it. Its output goes to a terminal that no longer exists. */
export function survivingProcess(identity: ProcessIdentity, startedAt: number): SurvivingProcess {
  const { pid } = identity;
  let look: () => Promise<boolean> = () => Promise.resolve(false);
  const ended = new Promise<ShellExit>((resolve) => {
    look = async () => {
      if ((await stateOf(identity, startedAt)) !== 'gone') return false;
      clearInterval(timer);
      resolve({ exitCode: null, signal: null });
      return true;
    };
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    timer.unref();
  });
  const stop = async (begins: () => void = () => undefined): Promise<SurvivorStop> => {
    if (await look()) return 'ended';
    if ((await stateOf(identity, startedAt)) !== 'running') return 'unsure';
    if (!maySignal(pid)) return 'forbidden';
    begins();
    await killGroup(pid);
    const deadline = Date.now() + END_WAIT_MS;
    while (!(await look())) {
      if (Date.now() >= deadline) return 'running';
      await delay(END_LOOK_MS);
    }
    return 'stopped';
  };
  return {
    pid,
    ended,
    onOutput: () => () => undefined,
    write: () => undefined,
    resize: () => undefined,
    stop,
    kill: async () => {
      await stop();
    },
  };
}

/** Windows has no process groups, so this can't be checked in advance. */
function maySignal(pid: number): boolean {
  if (process.platform === 'win32') return true;
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    return errorCode(error) !== 'EPERM';
  }
}
