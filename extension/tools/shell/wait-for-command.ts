import { type Alarm, realAlarm } from '../../ports/clock.ts';
import type { RunningCommand } from '../../processes/shell/running-command.ts';

/** Why the agent no longer waits. In all cases but the first and the last, the command has been ended. */
export type WaitOutcome = 'ended' | 'cancelled' | 'inactive' | 'timed_out' | 'moved_to_background';

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** How long the command may write nothing. 0 or less means no limit. */
  readonly inactivityMs: number;
  /** Whether the command waits for a user who can be expected to answer. Then it is not idle. */
  readonly waitsForUser: () => boolean;
  readonly timeoutMs: number | undefined;
  /** Resolves if the agent should continue without the command. */
  readonly moved: Promise<void>;
  /** Defaults to real time. */
  readonly alarm?: Alarm | undefined;
}

export async function waitForCommand(command: RunningCommand, options: WaitOptions): Promise<WaitOutcome> {
  const outcome = await firstOf(command, options);
  if (outcome !== 'ended' && outcome !== 'moved_to_background') await command.kill();
  return outcome;
}

function firstOf(
  command: RunningCommand,
  { signal, inactivityMs, waitsForUser, timeoutMs, moved, alarm = realAlarm }: WaitOptions,
): Promise<WaitOutcome> {
  return new Promise((resolve, reject) => {
    const done = (outcome: WaitOutcome): void => {
      signal.removeEventListener('abort', onAbort);
      stopListening();
      cancelInactivity();
      cancelTimeout?.();
      resolve(outcome);
    };
    const onAbort = (): void => done('cancelled');
    const onQuiet = (): void => {
      if (waitsForUser()) expectOutput();
      else done('inactive');
    };
    let cancelInactivity = (): void => undefined;
    const expectOutput = (): void => {
      cancelInactivity();
      if (inactivityMs > 0) cancelInactivity = alarm(inactivityMs, onQuiet);
    };
    expectOutput();
    const cancelTimeout = timeoutMs === undefined ? undefined : alarm(timeoutMs, () => done('timed_out'));
    const stopListening = command.onOutput(expectOutput);
    command.ended.then(() => done('ended'), reject);
    moved.then(() => done('moved_to_background'), reject);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}
