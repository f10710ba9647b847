import type { AgentEndEvent, AgentEvent, CustomEvent, ToolResponseEvent } from '../protocol/agent-event.ts';
import { compactionNote } from '../protocol/compaction-note.ts';
import { plainText } from '../protocol/content-part.ts';
import { brokenOffText } from '../protocol/end-note.ts';
import { switchWords } from '../protocol/model-entry.ts';
import { type ProblemAction, type ProblemKind, problemText } from '../protocol/problem.ts';

/** The line an event puts on stderr, in every output format: what went wrong, was refused, or ended the run early. */
export function noteOf(event: AgentEvent): string | undefined {
  if (isRefusal(event)) return `Refused: ${shortened(plainText(event.content ?? []))}`;
  if (event.threadId !== undefined) return undefined;
  if (event.type === 'error') return event._meta?.problem ? problemText(event._meta.problem) : event.message;
  if (event.type === 'custom') return customLine(event);
  return event.type === 'agent_end' ? endNote(event) : undefined;
}

function customLine(event: CustomEvent): string | undefined {
  switch (event.kind) {
    case 'compaction_ended':
    case 'outputs_cut':
      return compactionNote(event)?.text;
    case 'compacted': {
      const { tokensBefore, tokensAfter } = event.data;
      return `The conversation was compacted, from ${tokensBefore} to ${tokensAfter} tokens. All of it is still in the log.`;
    }
    // What goes on between the prompt and its answer when a model does not answer at once.
    case 'model_waiting': {
      const { why, until, attempt, attempts } = event.data;
      const seconds = Math.ceil((until - Date.parse(event.timestamp)) / 1000);
      return `${why}. Trying again in ${seconds} s, attempt ${attempt} of ${attempts}.`;
    }
    case 'model_switched':
      return `${switchWords(event.data)}.`;
    case 'answer_retracted':
      return 'The answer broke off, and what came of it does not count.';
    default:
      return undefined;
  }
}

/** Problems speak of Retry, which is a button of the panel: this is what it is here. */
export function retryNote(events: readonly AgentEvent[], sessionId: string): string | undefined {
  const failed = events.some(
    (event) => event.type === 'error' && event._meta?.problem?.actions.some((action) => GO_ON.has(action)),
  );
  const kept = !events.some((event) => event.type === 'error' && event._meta?.problem?.kind === 'not-saved');
  return failed && kept && sessionId !== '' ? `To retry: --resume ${sessionId}, without a prompt.` : undefined;
}

const GO_ON: ReadonlySet<ProblemAction> = new Set(['retry', 'retry-from-here', 'keep-going']);

/** Why no other model answered in place of the one that was named, and what to do about it. */
export function fallbackNote(events: readonly AgentEvent[]): string | undefined {
  const failed = events.some((event) => event.type === 'error' && MODEL_FAULTS.has(event._meta?.problem?.kind));
  if (!failed) return undefined;
  return 'No other model was asked, because --model names this one. Let another take over with --fallback, or name another.';
}

const MODEL_FAULTS: ReadonlySet<ProblemKind | undefined> = new Set(['quota', 'server', 'model-not-found']);

/** Why a folder that nobody trusted had calls refused, and what to do about it. */
export function trustNote(events: readonly AgentEvent[]): string | undefined {
  if (!events.some(isRefusal)) return undefined;
  return 'This folder is not trusted, so Gantry only reads in it. Trust it with --trust.';
}

function isRefusal(event: AgentEvent): event is ToolResponseEvent {
  return event.type === 'tool_response' && event.data?.['errorType'] === 'policy_violation';
}

/** Enough for the reason and the rule. A hook or a rule may say more, and the model is told all of it. */
const LONGEST_REFUSAL = 400;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= LONGEST_REFUSAL ? line : `${line.slice(0, LONGEST_REFUSAL)}…`;
}

function endNote({ reason, data }: AgentEndEvent): string | undefined {
  switch (reason) {
    case 'completed':
    // The error event before it has said why.
    case 'failed':
      return undefined;
    case 'aborted':
      return 'Interrupted.';
    case 'max_turns': {
      const limit = typeof data?.['maxTurns'] === 'number' ? ` of ${data['maxTurns']}` : '';
      return `The turn limit${limit} was reached. Allow more with --max-turns N, or -1 for no limit.`;
    }
    case 'max_time':
      return 'The time limit was reached.';
    case 'max_budget':
      return 'The answer was cut off at its length limit.';
    case 'refusal':
      return refusalNote(data?.['finishReason']);
    case 'elicitation':
      return 'The agent asked a question that nobody can answer here.';
  }
}

/** Where no word of an answer came, the error event before it has said why. */
function refusalNote(reason: unknown): string | undefined {
  if (typeof reason !== 'string') return undefined;
  return brokenOffText(reason);
}
