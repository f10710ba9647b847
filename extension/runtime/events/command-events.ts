import * as l10n from '@vscode/l10n';
import type { AgentEventBody, LostState } from '../../protocol/agent/agent-event.ts';
import type { RecordOf } from '../../sessions/session-record.ts';
import { commandLabel } from '../../tools/shell/visible-text.ts';

type CommandRecord = RecordOf<'command_started' | 'command_ended' | 'command_lost'>;

const TOOL = 'run_shell_command';
const BY_USER = { by: 'user' } as const;

/**
 * Events of commands. A command that the user typed is shown as a call of its own. A command of the model already has
 * the events of its call, so only an end after that is reported.
 */
export function commandEvents(record: CommandRecord): AgentEventBody[] {
  switch (record.type) {
    case 'command_started':
      return record.by === 'user' ? [typed(record)] : [];
    case 'command_ended':
      // A command that outlived its window already has an answer on its card.
      return [record.by === 'user' && !record.outlived ? typedEnded(record) : ended(record)];
    case 'command_lost':
      return [record.by === 'user' ? typedLost(record) : lost(record)];
  }
}

function typed({ callId, command }: RecordOf<'command_started'>): AgentEventBody {
  const display = { name: 'Shell', description: commandLabel(command) };
  return { type: 'tool_request', requestId: callId, name: TOOL, args: { command }, display, _meta: BY_USER };
}

function typedEnded(record: RecordOf<'command_ended'>): AgentEventBody {
  const { callId, command, exitCode, signal, output, pid, failure, stoppedBy, duration } = record;
  return {
    type: 'tool_response',
    requestId: callId,
    name: TOOL,
    display: {
      name: 'Shell',
      description: commandLabel(command),
      resultSummary: stoppedBy ? l10n.t('stopped') : (signal ?? `exit ${exitCode}`),
      result: { type: 'text', text: output },
    },
    content: failure === undefined ? [] : [{ type: 'text', text: `The command could not be started: ${failure}` }],
    data: {
      state: failure === undefined ? 'success' : 'error',
      exitCode,
      signal,
      ...(pid !== undefined && { pid }),
      ...(duration !== undefined && { durationMs: duration }),
    },
    isError: failure !== undefined,
    _meta: BY_USER,
  };
}

function typedLost({ callId, command, state, pid }: RecordOf<'command_lost'>): AgentEventBody {
  return {
    type: 'tool_response',
    requestId: callId,
    name: TOOL,
    display: { name: 'Shell', description: commandLabel(command) },
    content: [{ type: 'text', text: lostText(state, pid) }],
    data: { state: 'error', lost: state, ...(pid !== undefined && { pid }) },
    isError: true,
    _meta: BY_USER,
  };
}

function ended(record: RecordOf<'command_ended'>): AgentEventBody {
  const { callId, command, exitCode, signal, stoppedBy, duration } = record;
  const data = {
    callId,
    command: commandLabel(command),
    exitCode,
    signal,
    ...(stoppedBy && { stoppedBy }),
    ...(duration !== undefined && { durationMs: duration }),
  };
  return { type: 'custom', kind: 'command_ended', data };
}

function lost({ callId, command, state, pid }: RecordOf<'command_lost'>): AgentEventBody {
  const data = { callId, command: commandLabel(command), state, ...(pid !== undefined && { pid }) };
  return { type: 'custom', kind: 'command_lost', data };
}

/** For the model, and for users who open the card. */
export function lostText(state: LostState, pid: number | undefined): string {
  switch (state) {
    case 'stopped':
      return 'It was stopped with the window, and its output is lost. What it did until then stays done: look before you run it again.';
    case 'running':
      return `It is still running as process ${pid}, and what it writes cannot be seen any more. stop_background_process ends it.`;
    case 'unknown':
      return 'Whether it is still running is not known, and its output is lost. Look before you run it again.';
  }
}
