import type {
  AgentEndEvent,
  AgentEvent,
  CustomEvent,
  MessageEvent,
  ProtectedChangedData,
  ToolResponseEvent,
} from '../protocol/agent/agent-event.ts';
import { plainText } from '../protocol/agent/content-part.ts';
import type { ProblemKind } from '../protocol/agent/problem.ts';
import { switchWords } from '../protocol/transcript/model-entry.ts';
import { brokenOffText, compactionNote, hookNote, hookStopText } from '../protocol/transcript/notes.ts';
import { problemLine } from './problem-lines.ts';

/** The line an event puts on stderr, in every output format: what went wrong, was refused, or ended the run early. */
export function noteOf(event: AgentEvent, events: readonly AgentEvent[] = []): string | undefined {
  const refused = refusalOf(event);
  if (refused !== undefined) return `Refused: ${refused}`;
  if (event.threadId !== undefined) return undefined;
  const hooked = hookLine(event);
  if (hooked !== undefined) return hooked;
  if (event.type === 'error')
    return event._meta?.problem ? problemLine(event._meta.problem, resumableId(events)) : event.message;
  if (event.type === 'custom') return customLine(event);
  return event.type === 'agent_end' ? endNote(event) : undefined;
}

/** What a call was refused for, by a rule or a hook, before it ran or behind it. */
export function refusalOf(event: AgentEvent): string | undefined {
  if (event.type !== 'tool_response') return undefined;
  const { data, name, content = [] } = event;
  const said = shortened(plainText(content));
  if (isRefusal(event)) return said;
  return data?.['errorType'] === 'result_refused' ? `a hook withheld the result of ${name}: ${said}` : undefined;
}

/** What a hook has to say to the user: a message, why it ended or blocked the run, why the agent continues. */
export function hookLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'message': {
      if (event.role !== 'developer') return undefined;
      const { kind, source } = event._meta ?? {};
      if (kind !== 'context') return hookNote(event).text;
      // What hooks add for the model is in the log. This one is the reason why there is a second answer.
      return source === 'hook:AfterAgent' ? `A hook made the agent continue: ${plainText(event.content)}` : undefined;
    }
    case 'error': {
      const problem = event._meta?.problem;
      return problem?.kind === 'blocked-by-hook' ? problemLine(problem) : undefined;
    }
    case 'agent_end':
      return hookStopText(event.data);
    default:
      return undefined;
  }
}

/** Whether what the agent says next is another answer. Hooks for AfterModel speak while one is under way. */
export function separatesAnswers({ role, _meta }: MessageEvent): boolean {
  return role !== 'agent' && _meta?.['source'] !== 'hook:AfterModel';
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
    // What happens between the prompt and its answer when a model does not answer at once.
    case 'model_waiting': {
      const { why, until, attempt, attempts } = event.data;
      const seconds = Math.ceil((until - Date.parse(event.timestamp)) / 1000);
      return `${why}. Trying again in ${seconds} s, attempt ${attempt} of ${attempts}.`;
    }
    case 'protected_changed':
      return protectedLine(event.data);
    case 'model_switched':
      return `${switchWords(event.data)}.`;
    case 'answer_retracted':
      return 'The answer was cut off. The part that arrived is discarded.';
    default:
      return undefined;
  }
}

/** Nothing is put back where nobody decides: what was there is kept with the session, and often by Git. */
function protectedLine({ command, files, more }: ProtectedChangedData): string {
  const names = files.map(({ name, what, kind }) => `${name} (${what}, ${kind})`);
  const rest = more === undefined ? '' : ` and ${more} more`;
  return (
    `Protected files changed while "${command}" ran, which nobody approved: ${names.join(', ')}${rest}. ` +
    'To restore them, open this session in VS Code, or use git checkout for files that Git tracks.'
  );
}

/** The id to continue with later; undefined while nothing is stored under it. */
export function resumableId(events: readonly AgentEvent[]): string | undefined {
  const kinds = events.flatMap((event) => (event.type === 'error' ? (event._meta?.problem?.kind ?? []) : []));
  const isSaved = kinds.lastIndexOf('not-saved') <= kinds.lastIndexOf('saved-again');
  return isSaved ? events.find((event) => event.type === 'initialize')?.sessionId : undefined;
}

/** Why no other model answered in place of the one that was named, and what to do about it. */
export function fallbackNote(events: readonly AgentEvent[]): string | undefined {
  const failed = events.some((event) => event.type === 'error' && MODEL_FAULTS.has(event._meta?.problem?.kind));
  if (!failed) return undefined;
  return 'No other model was used, because --model names this one. Allow another with --fallback, or name another.';
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
