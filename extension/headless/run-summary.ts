import type {
  AgentEndEvent,
  AgentEndReason,
  AgentEvent,
  ErrorEvent,
  UsageEvent,
} from '../protocol/agent/agent-event.ts';
import { plainText } from '../protocol/agent/content-part.ts';
import type { ErrorStatus, ProblemKind } from '../protocol/agent/problem.ts';
import { BLOCKED_BY_HOOK, STOPPED_BY_HOOK } from '../protocol/transcript/notes.ts';
import { hookLine, refusalOf, resumableId, separatesAnswers } from './notes.ts';
import { problemLine } from './problem-lines.ts';

/** The summary of a run. `--output json` prints this object, so its names are public. */
export interface RunSummary {
  readonly sessionId: string;
  /** The final answer: the text after the last tool call, or the newest text before it if nothing followed. */
  readonly response: string;
  readonly model: string;
  readonly usage: TokenUse;
  /** `refused` is the reason why a rule or a hook refused the call or withheld its result. */
  readonly toolCalls: readonly { readonly name: string; readonly isError: boolean; readonly refused?: string }[];
  /** Texts of hooks: messages, or why they ended, blocked or continued the run. */
  readonly hooks?: readonly string[];
  /** Protected files that changed without approval while a command ran. */
  readonly protectedChanges?: readonly { readonly command: string; readonly path: string; readonly kind: string }[];
  readonly error?: { readonly kind: ProblemKind; readonly status: ErrorStatus; readonly message: string };
  readonly exitReason: ExitReason;
}

/** How the run ended. Unlike `AgentEndReason`, it distinguishes runs that hooks stopped or blocked. */
export type ExitReason = AgentEndReason | 'hook_stopped' | 'hook_blocked';

export interface TokenUse {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
}

/** `earlier` contains the events of a resumed session, because the model is not announced again. */
export function summarize(events: readonly AgentEvent[], earlier: readonly AgentEvent[] = []): RunSummary {
  const own = events.filter((event) => event.threadId === undefined);
  const failure = events.findLast((event) => event.type === 'error' && event.fatal);
  const end = own.findLast((event) => event.type === 'agent_end');
  const hooks = own.flatMap((event) => hookLine(event) ?? []);
  const protectedChanges = events.flatMap(protectedIn);
  return {
    sessionId: own.find((event) => event.type === 'initialize')?.sessionId ?? '',
    response: responseOf(own),
    model: chosenModel(own) ?? chosenModel(earlier) ?? reportedModel(own),
    usage: events.filter((event) => event.type === 'usage').reduce(addUsage, NO_TOKENS),
    toolCalls: events
      .filter((event) => event.type === 'tool_response')
      .map((event) => {
        const { name, isError = false } = event;
        const refused = refusalOf(event);
        return { name, isError, ...(refused !== undefined && { refused }) };
      }),
    ...(hooks.length > 0 && { hooks }),
    ...(protectedChanges.length > 0 && { protectedChanges }),
    ...(failure?.type === 'error' ? { error: errorOf(failure, events) } : {}),
    exitReason: end ? exitReasonOf(end) : 'failed',
  };
}

function protectedIn(event: AgentEvent): NonNullable<RunSummary['protectedChanges']> {
  if (event.type !== 'custom' || event.kind !== 'protected_changed') return [];
  const { command, files } = event.data;
  return files.map(({ path, kind }) => ({ command, path, kind }));
}

function exitReasonOf({ reason, data }: AgentEndEvent): ExitReason {
  if (data?.['code'] === STOPPED_BY_HOOK) return 'hook_stopped';
  return data?.['code'] === BLOCKED_BY_HOOK ? 'hook_blocked' : reason;
}

function responseOf(events: readonly AgentEvent[]): string {
  let response = '';
  let afterTool = false;
  let begins = false;
  const counted = withoutRetracted(events);
  for (const event of counted) {
    if (event.type === 'tool_request') afterTool = true;
    if (event.type !== 'message') continue;
    begins ||= separatesAnswers(event);
    if (event.role !== 'agent') continue;
    const text = plainText(event.content);
    if (text === '') continue;
    const gap = begins && response !== '' && !response.endsWith('\n') ? '\n' : '';
    response = afterTool ? text : response + gap + text;
    afterTool = false;
    begins = false;
  }
  return response;
}

/** Removes the text of answers that were interrupted and requested again. */
function withoutRetracted(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const kept: AgentEvent[] = [];
  for (const event of events) {
    if (event.type !== 'custom' || event.kind !== 'answer_retracted') {
      kept.push(event);
      continue;
    }
    const from = kept.findIndex(({ id }) => id === event.data.from);
    const gone = from < 0 ? [] : kept.splice(from);
    kept.push(...gone.filter((other) => other.type !== 'message' || other.role !== 'agent'));
  }
  return kept;
}

/** The name of the chosen model. It is preferred to the version that the service reports. */
function chosenModel(events: readonly AgentEvent[]): string | undefined {
  const chosen = events.findLast((event) => event.type === 'session_update' && event.model !== undefined);
  return chosen?.type === 'session_update' ? chosen.model : undefined;
}

function reportedModel(events: readonly AgentEvent[]): string {
  const reported = events.findLast((event) => event.type === 'usage' && !event._meta?.beside);
  return reported?.type === 'usage' ? reported.model : '';
}

const NO_TOKENS: TokenUse = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

function addUsage(sum: TokenUse, { inputTokens = 0, outputTokens = 0, cachedTokens = 0 }: UsageEvent): TokenUse {
  return {
    inputTokens: sum.inputTokens + inputTokens,
    outputTokens: sum.outputTokens + outputTokens,
    cachedTokens: sum.cachedTokens + cachedTokens,
  };
}

function errorOf(
  { status, message, _meta }: ErrorEvent,
  events: readonly AgentEvent[],
): NonNullable<RunSummary['error']> {
  const problem = _meta?.problem;
  if (problem === undefined) return { kind: 'internal', status, message };
  return { kind: problem.kind, status, message: problemLine(problem, resumableId(events)) };
}
