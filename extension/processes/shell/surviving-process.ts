import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../../files/error-code.ts';
import type { ShellExit, ShellProcess } from '../../ports/shell.ts';
import { killGroup } from '../kill-group.ts';
import { type ProcessIdentity, stateOf } from './process-identity.ts';

/** Often enough for a line that says it has ended. */
const LOOK_EVERY_MS = 2000;
/** On a busy machine a process that was made to end is there for a moment longer. */
const END_WAIT_MS = 2000;
const END_LOOK_MS = 50;

/**
 * `ended`: before anybody did anything. `forbidden`: it belongs to another user. `unsure`: nobody can tell whether it still
 * is the process that was started, so it was left alone. `running`: nothing more can be done.
 */
export type SurvivorStop = 'stopped' | 'ended' | 'forbidden' | 'unsure' | 'running';

export interface SurvivingProcess extends ShellProcess {
  /** Calls `begins` before it does anything to the process, which is never another one that has its id by now. */
  stop(begins?: () => void): Promise<SurvivorStop>;
}

/** A command that an earlier window started and that has outlived it. What it writes goes to a terminal that is gone. */
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

/** Windows knows no groups, and says so only when it is tried. */
function maySignal(pid: number): boolean {
  if (process.platform === 'win32') return true;
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    return errorCode(error) !== 'EPERM';
  }
}
