import * as l10n from '@vscode/l10n';
import type { AgentEndEvent, AgentEvent, CustomEvent } from '../agent/agent-event.ts';
import type { CompactionStatus } from '../agent/compaction.ts';
import { plainText } from '../agent/content-part.ts';
import { formatCount } from '../words/numbers.ts';
import { refusalAdvice, refusalMeaning } from '../words/refusal-words.ts';
import type { Entry } from './transcript-entry.ts';

type Note = Omit<Extract<Entry, { kind: 'note' }>, 'kind' | 'id'>;

/** The codes of runs that a hook ended: by stopping the run, or by blocking the message or the answer. */
export const STOPPED_BY_HOOK = 'AGENT_EXECUTION_STOPPED';
export const BLOCKED_BY_HOOK = 'AGENT_EXECUTION_BLOCKED';

/** The reason that a hook gave for stopping the run; undefined if the run ended otherwise. */
export function hookStopText(data: AgentEndEvent['data']): string | undefined {
  if (data?.['code'] !== STOPPED_BY_HOOK) return undefined;
  return l10n.t('A hook ended the run: {0}', String(data['message']));
}

/** A note about the end of a run; undefined if it completed normally. */
export function endNote({ reason, data }: AgentEndEvent): Note | undefined {
  if (data?.['code'] === 'INTERRUPTED') {
    return { icon: 'info', text: l10n.t('Interrupted: Gantry was closed here'), canContinue: true };
  }
  const stopped = hookStopText(data);
  if (stopped !== undefined) return { icon: 'stop', text: stopped };
  const ofSession = data?.['scope'] === 'session';
  switch (reason) {
    case 'aborted':
      return { icon: 'stop', text: l10n.t('Stopped'), canContinue: true };
    case 'max_turns':
      return { icon: 'limit', text: turnText(ofSession), canContinue: true };
    case 'max_time':
      return { icon: 'limit', text: timeText(ofSession), canContinue: true };
    case 'max_budget':
      return { icon: 'limit', text: budgetText(data?.['code'], ofSession), canContinue: true };
    case 'refusal':
      return refusalNote(data?.['finishReason']);
    default:
      return undefined;
  }
}

/** Without a reason there is no note: if no part of the answer arrived, a problem has already explained it. */
function refusalNote(reason: unknown): Note | undefined {
  if (typeof reason !== 'string') return undefined;
  return { icon: 'info', text: brokenOffText(reason) };
}

/** The text for an answer that arrived only in part. */
export function brokenOffText(reason: string): string {
  return l10n.t(
    'The answer was cut off: {0}. The text before that is kept. {1}.',
    refusalMeaning(reason),
    refusalAdvice(reason),
  );
}

function turnText(ofSession: boolean): string {
  return ofSession
    ? l10n.t('Stopped at the turn limit you set for this session')
    : l10n.t('Stopped at the turn limit you set');
}

function timeText(ofSession: boolean): string {
  return ofSession
    ? l10n.t('Stopped at the time limit you set for this session')
    : l10n.t('Stopped at the time limit you set');
}

function budgetText(code: unknown, ofSession: boolean): string {
  if (code === 'MAX_TOKENS_EXCEEDED') {
    return ofSession
      ? l10n.t('Stopped at the token limit you set for this session')
      : l10n.t('Stopped at the token limit you set');
  }
  if (code === 'MAX_COST_EXCEEDED') {
    return ofSession
      ? l10n.t('Stopped at the cost limit you set for this session')
      : l10n.t('Stopped at the cost limit you set');
  }
  return l10n.t("The answer reached the model's length limit");
}

/** The text about a question that was not answered in time. */
export function nobodyAnswered(minutes: number): string {
  return minutes === 1
    ? l10n.t('Nobody answered within 1 minute')
    : l10n.t('Nobody answered within {0} minutes', minutes);
}

/** The minutes after which the question timed out; undefined if it ended otherwise. */
export function timeoutOf(data: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const minutes = data?.['timeout'];
  return typeof minutes === 'number' ? minutes : undefined;
}

/** A note with a message of a hook, or with the context that a hook added for the model. */
export function hookNote(event: Extract<AgentEvent, { type: 'message' }>): Extract<Entry, { kind: 'note' }> {
  const { hook, kind } = event._meta ?? {};
  const words = plainText(event.content);
  const text =
    kind === 'context'
      ? l10n.t('The hook {0} added: {1}', String(hook), words)
      : l10n.t('The hook {0}: {1}', String(hook), words);
  return { kind: 'note', id: event.id, icon: 'info', text };
}

/** A note about a compaction without a snapshot; undefined if it made one, or was stopped. */
export function compactionNote(
  event: Extract<CustomEvent, { kind: 'compaction_ended' | 'outputs_cut' }>,
): Note | undefined {
  if (event.kind === 'outputs_cut') {
    const { count } = event.data;
    const text =
      count === 1
        ? l10n.t('From here on, one long tool output is shortened in requests. The full text is kept in a file.')
        : l10n.t(
            'From here on, {0} long tool outputs are shortened in requests. The full text is kept in a file.',
            count,
          );
    return { icon: 'info', text };
  }
  const { status, why } = event.data;
  const reason = why ?? reasonOf(status);
  return reason === undefined
    ? undefined
    : { icon: 'limit', text: l10n.t('The conversation was not compacted and continues in full. {0}', reason) };
}

function reasonOf(status: CompactionStatus): string | undefined {
  switch (status) {
    case 'INFLATED':
      return l10n.t('The summary would have been longer than what it replaces.');
    case 'EMPTY':
      return l10n.t('The model wrote no summary.');
    case 'NOOP':
      return l10n.t('There was nothing to summarize.');
    default:
      return undefined;
  }
}

export type CompactedEntry = Extract<Entry, { kind: 'compacted' }>;

/** A compaction in one line, for display and for screen readers. */
export function compactedWords({ tokensBefore, tokensAfter }: CompactedEntry): string {
  return l10n.t('Compacted, {0} to {1} tokens', formatCount(tokensBefore), formatCount(tokensAfter));
}
