import * as l10n from '@vscode/l10n';
import { isObject } from '../../base/objects.ts';
import type { ElicitationRequestEvent, ToolDisplay, ToolResponseEvent } from '../agent/agent-event.ts';
import { ruleWords } from '../words/rule-links.ts';
import { plainTerminalText } from '../words/terminal-lines.ts';
import { lostSummaryOf } from './command-entry.ts';
import { timeoutOf } from './notes.ts';
import type { Entry } from './transcript-entry.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

export function toolEntry(id: string, name: string, display: ToolDisplay | undefined): ToolEntry {
  return { kind: 'tool', id, name, subject: display?.description ?? '', summary: '', status: 'running', detail: '' };
}

export function finishedTool(event: ToolResponseEvent, command: ToolEntry['command']): ToolEntry {
  const { display, requestId, name, isError, data } = event;
  const why = whyOf(data?.['policy']);
  const entry = {
    ...toolEntry(requestId, name, display),
    ...(why !== undefined && { why }),
    ...(command && { command }),
  };
  if (data?.['errorType'] === 'rejected') {
    const { reason } = data;
    const minutes = timeoutOf(data);
    if (minutes !== undefined) return { ...entry, status: 'cancelled', ...givenUp(minutes, data) };
    return { ...entry, status: 'cancelled', summary: '', rejected: typeof reason === 'string' ? reason : '' };
  }
  if (data?.['state'] === 'cancelled') return { ...entry, status: 'cancelled', summary: l10n.t('stopped') };
  const said = event.content?.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
  const lost = lostSummaryOf(data);
  if (lost !== undefined) return { ...entry, status: 'cancelled', summary: lost, detail: said };
  if (isError) return { ...entry, status: 'error', summary: shownRefusal(event) ?? said };
  const patch = display?.result?.type === 'diff' ? display.result.patch : undefined;
  return {
    ...entry,
    status: 'success',
    summary: display?.resultSummary ?? '',
    detail: detailOf(display),
    ...(patch && { patch }),
  };
}

function givenUp(
  minutes: number,
  { question, begun }: Record<string, unknown>,
): Pick<ToolEntry, 'detail' | 'unanswered'> {
  const requestId = typeof question === 'string' ? question : '';
  const detail = typeof begun === 'string' ? `${l10n.t('You had begun an answer:')}\n${begun}` : '';
  return { detail, unanswered: { requestId, minutes } };
}

/** A call that got no response before its run ended. */
export function stoppedTool(tool: ToolEntry): ToolEntry {
  const command = tool.command && { ...tool.command, state: 'ended' as const };
  return { ...tool, status: 'cancelled', summary: l10n.t('stopped'), ...(command && { command }) };
}

/** The end of a running tool's output. It is short because every update sends it again. */
export function liveDetail(display: ToolDisplay | undefined): string | undefined {
  return display?.result ? detailOf(display).slice(-LIVE_LENGTH) : undefined;
}

const LIVE_LENGTH = 4_000;

/** The tool's result for display, as text. */
function detailOf(display: ToolDisplay | undefined): string {
  switch (display?.result?.type) {
    case 'text':
      return display.result.text;
    case 'terminal':
      return plainTerminalText(display.result.ansi ?? '').trim();
    default:
      return '';
  }
}

/** A denial by the rules in the user's language; the model gets it in English. */
function shownRefusal({ data, display }: ToolResponseEvent): string | undefined {
  const shown = data?.['errorType'] === 'policy_violation' ? display?.resultSummary : undefined;
  return typeof shown === 'string' ? ruleWords(shown) : undefined;
}

function whyOf(policy: unknown): string | undefined {
  return isObject(policy) && typeof policy['why'] === 'string' ? ruleWords(policy['why']) : undefined;
}

/** The kinds of approval that a question offers. */
export function decisionsOf({ properties }: ElicitationRequestEvent['requestedSchema']): string[] {
  const decision = isObject(properties) ? properties['decision'] : undefined;
  const values = isObject(decision) && Array.isArray(decision['enum']) ? decision['enum'] : [];
  return values.filter((value) => typeof value === 'string');
}
