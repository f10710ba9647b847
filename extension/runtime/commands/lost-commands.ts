import { type ToolResult, toolError } from '../../ports/tool.ts';
import {
  type ProcessIdentity,
  type ProcessState,
  type SurvivorStop,
  stateOf,
  survivingProcess,
} from '../../processes/shell/process-identity.ts';
import { RunningCommand } from '../../processes/shell/running-command.ts';
import type { LostState } from '../../protocol/agent/agent-event.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import { lostText } from '../events/command-events.ts';

/** A command that was running when its window was closed, and its current state. */
export interface LostCommand {
  readonly started: RecordOf<'command_started'>;
  readonly state: LostState;
  /** Set if the command is still running: it can be listed and stopped. */
  readonly survivor?: Survivor;
}

export interface Survivor {
  readonly command: RunningCommand;
  /** Stops the command for the user, and records that, so that its end can report who stopped it. */
  stop(): Promise<SurvivorStop>;
}

const STATES: Readonly<Record<ProcessState, LostState>> = { gone: 'stopped', running: 'running', unknown: 'unknown' };

export async function findLost(started: RecordOf<'command_started'>): Promise<LostCommand> {
  const { process: identity, command, folder, at } = started;
  if (!identity) return { started, state: 'unknown' };
  const startedAt = Date.parse(at);
  const state = STATES[await stateOf(identity, startedAt)];
  if (state !== 'running') return { started, state };
  return { started, state, survivor: survivorOf(identity, startedAt, command, folder) };
}

function survivorOf(identity: ProcessIdentity, startedAt: number, text: string, folder: string): Survivor {
  const process = survivingProcess(identity, startedAt);
  const command = new RunningCommand(process, text, folder, { now: () => startedAt });
  const stop = async (): Promise<SurvivorStop> => {
    const outcome = await process.stop(() => {
      command.stoppedBy = 'button';
    });
    if (outcome !== 'stopped') command.stoppedBy = undefined;
    return outcome;
  };
  return { command, stop };
}

/** The answer to the call that waited for the command. */
export function lostResult({ started, state }: LostCommand): ToolResult {
  const pid = started.process?.pid;
  const result = toolError(
    'effect_unknown',
    `Gantry was closed while the command was running. ${lostText(state, pid)}`,
  );
  return { ...result, data: { lost: state, ...(pid !== undefined && { pid }) } };
}
