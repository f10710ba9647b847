import type { AgentEndReason, AgentEvent } from '../../protocol/agent/agent-event.ts';
import type { AgentSession } from '../../protocol/agent/agent-session.ts';
import { textPart } from '../../protocol/agent/content-part.ts';
import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';
import type { Subagent } from './subagent.ts';

/** A session that is working on a task. */
export interface TaskSession {
  readonly agentSession: AgentSession;
  readonly task: TaskResult;
}

interface WorkingAgent {
  readonly subagent: Subagent;
  readonly session: TaskSession;
}

/** How the work of an agent ended. */
export type AgentOutcome =
  | { readonly kind: 'done'; readonly report: string }
  | { readonly kind: 'stopped' }
  /** The agent did not hand over a result, not even after the last reminder. */
  | { readonly kind: 'unfinished'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string };

/** Gives an agent its task and waits for its report. */
export async function runAgent(agent: WorkingAgent, prompt: string, signal: AbortSignal): Promise<AgentOutcome> {
  const first = await say(agent, prompt, signal);
  const ended = outcomeOf(agent, first, signal);
  if (ended) return ended;
  const why = whyUnfinished(first.reason, agent);
  agent.subagent.beginGrace();
  const last = await say(agent, lastChance(why), signal);
  return outcomeOf(agent, last, signal) ?? { kind: 'unfinished', why: why.of };
}

interface RunEnded {
  readonly reason: AgentEndReason;
  /** The message of the fatal error, if there was one. */
  readonly error: string | undefined;
}

async function say({ session: { agentSession } }: WorkingAgent, text: string, signal: AbortSignal): Promise<RunEnded> {
  if (signal.aborted) return { reason: 'aborted', error: undefined };
  const stop = (): void => void agentSession.abort();
  signal.addEventListener('abort', stop, { once: true });
  let ended: RunEnded = { reason: 'failed', error: undefined };
  try {
    for await (const event of agentSession.sendStream({ message: { content: [textPart(text)] } })) {
      // The task was stopped while the message was being accepted, before there was a run to stop.
      if (event.type === 'agent_start' && signal.aborted) stop();
      ended = withEvent(ended, event);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return ended;
}

function withEvent(ended: RunEnded, event: AgentEvent): RunEnded {
  if (event.type === 'error' && event.fatal) return { ...ended, error: event.message };
  return event.type === 'agent_end' ? { ...ended, reason: event.reason } : ended;
}

/** Returns undefined if the agent gets another chance to hand over its result. */
function outcomeOf(
  { session: { task } }: WorkingAgent,
  { reason, error }: RunEnded,
  signal: AbortSignal,
): AgentOutcome | undefined {
  if (signal.aborted || reason === 'aborted') return { kind: 'stopped' };
  if (task.isThere) return { kind: 'done', report: task.text };
  if (GETS_ANOTHER.has(reason)) return undefined;
  return { kind: 'failed', why: error ?? `it ended with "${reason}".` };
}

const GETS_ANOTHER: ReadonlySet<AgentEndReason> = new Set(['completed', 'max_turns', 'max_time']);

/** The reason in two forms: `of` for the report about the agent, `to` for the message to the agent. */
function whyUnfinished(reason: AgentEndReason, { subagent }: WorkingAgent): Unfinished {
  const { maxTurns, timeoutMins } = subagent.definition;
  if (reason === 'completed') return { of: 'it stopped without a report', to: 'you stopped without a report' };
  const limit = reason === 'max_turns' ? `limit of ${maxTurns} turns` : `limit of ${timeoutMins} minutes`;
  return { of: `it reached its ${limit}`, to: `you reached your ${limit}` };
}

interface Unfinished {
  readonly of: string;
  readonly to: string;
}

function lastChance({ to }: Unfinished): string {
  return `Your work ends here: ${to}. You have one turn and one minute left. Call complete_task now, and nothing else, with what you found or did so far and what is still open.`;
}

/** The result that an agent handed over with complete_task since its last message. */
export class TaskResult {
  private handedOver: { readonly result: unknown } | undefined;

  constructor(journal: Pick<SessionJournal, 'onRecord'>) {
    journal.onRecord((record) => this.take(record));
  }

  get isThere(): boolean {
    return this.handedOver !== undefined;
  }

  get text(): string {
    const result = this.handedOver?.result;
    return typeof result === 'string' ? result : JSON.stringify(result, undefined, 2);
  }

  private take(record: SessionRecord): void {
    if (record.type === 'sent') this.handedOver = undefined;
    if (record.type !== 'tool_finished' || record.call.name !== 'complete_task' || record.state !== 'success') return;
    // The first result counts.
    this.handedOver ??= { result: record.result.data?.['result'] };
  }
}
