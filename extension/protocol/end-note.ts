import type { AgentEndEvent } from './agent-event.ts';
import { refusalAdvice, refusalMeaning } from './refusal-words.ts';
import type { Entry } from './transcript-entry.ts';

type Note = Omit<Extract<Entry, { kind: 'note' }>, 'kind' | 'id'>;

/** What a reader is told of how a run ended; nothing when it ended by itself. */
export function endNote({ reason, data }: AgentEndEvent): Note | undefined {
  if (data?.['code'] === 'INTERRUPTED') {
    return { icon: 'info', text: 'Interrupted: Gantry was closed here', canContinue: true };
  }
  const ofSession = data?.['scope'] === 'session' ? ' for this session' : '';
  switch (reason) {
    case 'aborted':
      return { icon: 'stop', text: 'Stopped', canContinue: true };
    case 'max_turns':
      return { icon: 'limit', text: `Stopped at the turn limit you set${ofSession}`, canContinue: true };
    case 'max_time':
      return { icon: 'limit', text: `Stopped at the time limit you set${ofSession}`, canContinue: true };
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
  const why = `The answer was broken off: ${refusalMeaning(reason)}`;
  return { icon: 'info', text: `${why}. What came before is kept; ${refusalAdvice(reason)}.` };
}

function budgetText(code: unknown, ofSession: string): string {
  if (code === 'MAX_TOKENS_EXCEEDED') return `Stopped at the token limit you set${ofSession}`;
  if (code === 'MAX_COST_EXCEEDED') return `Stopped at the cost limit you set${ofSession}`;
  return 'The answer reached the model’s length limit';
}
