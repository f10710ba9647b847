import * as l10n from '@vscode/l10n';
import type {
  EndedCommandData,
  LostCommandData,
  LostState,
  SandboxAllowedData,
  ToolDisplay,
  ToolRequestEvent,
  ToolResponseEvent,
} from '../agent/agent-event.ts';
import { readSandboxBlock, SANDBOX_KINDS } from '../agent/sandbox-block.ts';
import type { Entry } from './transcript-entry.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;
type Note = Omit<Extract<Entry, { kind: 'note' }>, 'id'>;
export type CommandEntry = NonNullable<ToolEntry['command']>;

/** A command that the user typed; undefined for a call of the model. */
export function typedCommandEntry({ _meta, args }: ToolRequestEvent, at: number): CommandEntry | undefined {
  if (_meta?.['by'] !== 'user' || typeof args['command'] !== 'string') return undefined;
  return { state: 'running', startedAt: at, typed: args['command'] };
}

/** A running command, from its last update. Undefined for other tools. */
export function liveCommand(tool: ToolEntry, display: ToolDisplay | undefined): CommandEntry | undefined {
  const { result } = display ?? {};
  if (result?.type !== 'terminal' || result.startedAt === undefined) return tool.command;
  const { command } = tool;
  return {
    ...command,
    ...heldBy(display),
    state: result.waiting ? 'waiting' : 'running',
    startedAt: result.startedAt,
  };
}

/** How the call of a command ended; the command itself may continue. Undefined for other tools. */
export function finishedCommand(
  event: ToolResponseEvent,
  earlier: CommandEntry | undefined,
  at: number,
): CommandEntry | undefined {
  const { data, display } = event;
  const isCommand = earlier !== undefined || data?.['lost'] !== undefined || display?.result?.type === 'terminal';
  if (!isCommand) return undefined;
  const ms = data?.['durationMs'];
  const duration = typeof ms === 'number' ? ms : undefined;
  const known = { ...earlier, ...heldBy(display) };
  if (data?.['background'] === true) return { ...known, state: 'background', startedAt: at - (duration ?? 0) };
  const lost = data?.['lost'];
  const blocked = readSandboxBlock(data?.['blocked']);
  return {
    ...known,
    ...(blocked && { blocked }),
    state: lost === undefined ? 'ended' : 'lost',
    ...(lost === 'running' && { outlived: true }),
    ...(duration !== undefined && { durationMs: duration }),
  };
}

function heldBy(display: ToolDisplay | undefined): Pick<CommandEntry, 'confinedBy'> {
  const by = display?.result?.type === 'terminal' ? display.result.confinedBy : undefined;
  // The log may be from another version.
  const known = SANDBOX_KINDS.find((kind) => kind === by);
  return known === undefined ? {} : { confinedBy: known };
}

/** Records that the user allowed something that the sandbox had blocked for this command. */
export function allowedSince(tool: ToolEntry, { what, always }: SandboxAllowedData): ToolEntry {
  if (!tool.command) return tool;
  const others = (tool.command.allowed ?? []).filter((each) => each.what !== what);
  return { ...tool, command: { ...tool.command, allowed: [...others, { what, always }] } };
}

/** Updates a command whose call was answered before it ended: it ran in the background, or was lost with its window. */
export function settledCommand(tool: ToolEntry, data: EndedCommandData | LostCommandData): ToolEntry {
  const { startedAt: _, outlived: __, ...command } = tool.command ?? {};
  if ('state' in data) {
    const { state } = data;
    const now = { ...command, state: 'lost' as const, ...(state === 'running' && { outlived: true }) };
    return { ...withoutLostText(tool), summary: lostText(state), command: now };
  }
  if (tool.command?.state === 'lost') {
    return { ...withoutLostText(tool), summary: outlivedSummary(data), command: { ...command, state: 'lost' } };
  }
  const { durationMs } = data;
  const ended = { ...command, state: 'ended' as const, ...(durationMs !== undefined && { durationMs }) };
  return { ...tool, summary: endSummary(data), command: ended };
}

/** Removes the text of the response that a call got after a restart, because that response is not final. */
function withoutLostText(tool: ToolEntry): ToolEntry {
  return tool.command?.state === 'lost' && tool.status === 'cancelled' ? { ...tool, detail: '' } : tool;
}

function outlivedSummary({ stoppedBy }: EndedCommandData): string {
  if (stoppedBy === 'agent') return l10n.t('stopped by Gantry');
  return stoppedBy ? l10n.t('stopped by you') : l10n.t('has ended');
}

/** The summary of a command whose end is known. */
function endSummary({ exitCode, signal, stoppedBy }: EndedCommandData): string {
  if (stoppedBy) return l10n.t('stopped');
  return signal ?? (exitCode === null ? l10n.t('ended') : `exit ${exitCode}`);
}

/** A note in the conversation that a background command has ended. */
export function endedNote(data: EndedCommandData): Note {
  return { kind: 'note', icon: data.exitCode === 0 ? 'info' : 'limit', text: endedText(data) };
}

function endedText({ command, exitCode, signal, stoppedBy }: EndedCommandData): string {
  if (stoppedBy === 'agent') return l10n.t('Gantry stopped {0} in the background', command);
  if (stoppedBy) return l10n.t('You stopped {0} in the background', command);
  if (signal !== null) return l10n.t('{0} was ended in the background by {1}', command, signal);
  if (exitCode === null) return l10n.t('{0} has ended in the background', command);
  return l10n.t('{0} ended in the background with exit code {1}', command, exitCode);
}

function lostText(state: LostState): string {
  if (state === 'stopped') return l10n.t('stopped with the window');
  return state === 'running' ? l10n.t('still running') : l10n.t('lost with the window');
}

/** The summary of a call that was answered after a restart, from its data. */
export function lostSummaryOf(data: ToolResponseEvent['data']): string | undefined {
  const lost = data?.['lost'];
  return lost === 'stopped' || lost === 'running' || lost === 'unknown' ? lostText(lost) : undefined;
}

export function lostNote({ command, state, pid }: LostCommandData): Note {
  const what = state === 'running' && pid !== undefined ? l10n.t('still running as process {0}', pid) : lostText(state);
  return { kind: 'note', icon: 'info', text: `${command}: ${what}` };
}
