import type { ShellExit, ShellProcess } from '../../runtime/host.ts';
import { killGroup } from '../kill-group.ts';
import { type ProcessIdentity, stateOf } from './process-identity.ts';

/** Often enough for a line that says it has ended. */
const LOOK_EVERY_MS = 2000;

/** A command that an earlier window started and that has outlived it. What it writes goes to a terminal that is gone. */
export function survivingProcess(identity: ProcessIdentity, startedAt: number): ShellProcess {
  const { pid } = identity;
  let look: () => Promise<void> = () => Promise.resolve();
  const ended = new Promise<ShellExit>((resolve) => {
    look = async () => {
      if ((await stateOf(identity, startedAt)) !== 'gone') return;
      clearInterval(timer);
      resolve({ exitCode: null, signal: null });
    };
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    timer.unref();
  });
  return {
    pid,
    ended,
    onOutput: () => () => undefined,
    write: () => undefined,
    resize: () => undefined,
    kill: async () => {
      if ((await stateOf(identity, startedAt)) === 'running') await killGroup(pid);
      await look();
    },
  };
}
