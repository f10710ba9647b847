import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../files/error-code.ts';
import type { ShellExit, ShellProcess } from '../../ports/shell.ts';
import { killGroup } from '../kill-group.ts';
import { type ProcessIdentity, stateOf } from './process-identity.ts';

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

export interface SurvivingProcess extends ShellProcess {
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
