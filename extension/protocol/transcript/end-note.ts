import * as l10n from '@vscode/l10n';
import type { AgentEndEvent } from '../agent/agent-event.ts';
import { refusalAdvice, refusalMeaning } from '../words/refusal-words.ts';
import type { Entry } from './transcript-entry.ts';

type Note = Omit<Extract<Entry, { kind: 'note' }>, 'kind' | 'id'>;

/** Codes of a run that hooks ended: one that stopped it, and one that kept the message or the answer back. */
export const STOPPED_BY_HOOK = 'AGENT_EXECUTION_STOPPED';
export const BLOCKED_BY_HOOK = 'AGENT_EXECUTION_BLOCKED';

/** What a hook that stopped the run gave as its reason; undefined for any other end. */
export function hookStopText(data: AgentEndEvent['data']): string | undefined {
  if (data?.['code'] !== STOPPED_BY_HOOK) return undefined;
  return l10n.t('A hook ended the run: {0}', String(data['message']));
}

/** What a reader is told about how a run ended; nothing when it ended by itself. */
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

/** Where no word of an answer came, the problem before it has said why. */
function refusalNote(reason: unknown): Note | undefined {
  if (typeof reason !== 'string') return undefined;
  return { icon: 'info', text: brokenOffText(reason) };
}

/** Of an answer that came in part. */
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
  return l10n.t('The answer reached the model’s length limit');
}
