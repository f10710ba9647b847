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

/** The line for stderr, in every output format: an error, a refusal, or the reason why the run ended early. */
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

/** Why a rule or a hook refused a call, before it ran or afterwards. */
export function refusalOf(event: AgentEvent): string | undefined {
  if (event.type !== 'tool_response') return undefined;
  const { data, name, content = [] } = event;
  const said = shortened(plainText(content));
  if (isRefusal(event)) return said;
  return data?.['errorType'] === 'result_refused' ? `a hook withheld the result of ${name}: ${said}` : undefined;
}

/** The text of a hook for the user: a message, or why it ended, blocked or continued the run. */
export function hookLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'message': {
      if (event.role !== 'developer') return undefined;
      const { kind, source } = event._meta ?? {};
      if (kind !== 'context') return hookNote(event).text;
      // Context that hooks add for the model is only in the log, but this one explains why there is a second answer.
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

/** Whether the next text of the agent is another answer. AfterModel hooks report during an answer. */
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
    // Reports delays before the answer, if a model does not answer at once.
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

/** Nothing is restored without a user. The session keeps the earlier contents, and Git often does too. */
function protectedLine({ command, files, more }: ProtectedChangedData): string {
  const names = files.map(({ name, what, kind }) => `${name} (${what}, ${kind})`);
  const rest = more === undefined ? '' : ` and ${more} more`;
  return (
    `Protected files changed while "${command}" ran, which nobody approved: ${names.join(', ')}${rest}. ` +
    'To restore them, open this session in VS Code, or use git checkout for files that Git tracks.'
  );
}

/** The id to resume later; undefined if the session is not stored. */
export function resumableId(events: readonly AgentEvent[]): string | undefined {
  const kinds = events.flatMap((event) => (event.type === 'error' ? (event._meta?.problem?.kind ?? []) : []));
  const isSaved = kinds.lastIndexOf('not-saved') <= kinds.lastIndexOf('saved-again');
  return isSaved ? events.find((event) => event.type === 'initialize')?.sessionId : undefined;
}

/** Why no other model answered instead of the named one, and what to do about it. */
export function fallbackNote(events: readonly AgentEvent[]): string | undefined {
  const failed = events.some((event) => event.type === 'error' && MODEL_FAULTS.has(event._meta?.problem?.kind));
  if (!failed) return undefined;
  return 'No other model was used, because --model names this one. Allow another with --fallback, or name another.';
}

const MODEL_FAULTS: ReadonlySet<ProblemKind | undefined> = new Set(['quota', 'server', 'model-not-found']);

/** Why calls were refused in an untrusted folder, and what to do about it. */
export function trustNote(events: readonly AgentEvent[]): string | undefined {
  if (!events.some(isRefusal)) return undefined;
  return 'This folder is not trusted, so Gantry only reads in it. Trust it with --trust.';
}

function isRefusal(event: AgentEvent): event is ToolResponseEvent {
  return event.type === 'tool_response' && event.data?.['errorType'] === 'policy_violation';
}

/** Enough for the reason and the rule. The model gets the complete text of a hook or a rule. */
const LONGEST_REFUSAL = 400;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= LONGEST_REFUSAL ? line : `${line.slice(0, LONGEST_REFUSAL)}…`;
}

function endNote({ reason, data }: AgentEndEvent): string | undefined {
  switch (reason) {
    case 'completed':
    // The error event before it has reported the reason.
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

/** If there was no text at all, the error event before it has reported the reason. */
function refusalNote(reason: unknown): string | undefined {
  if (typeof reason !== 'string') return undefined;
  return brokenOffText(reason);
}
