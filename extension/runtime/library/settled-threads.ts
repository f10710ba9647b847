import type { AgentEvent } from '../../protocol/agent/agent-event.ts';

type Threads = ReadonlyMap<string, readonly AgentEvent[]>;

/**
 * The threads of agents that nothing works on any more, each with an end. A process that was killed leaves them without one:
 * what was asked there can be answered only where that agent's own session is opened.
 */
export function settledThreads(threads: Threads): Threads {
  return new Map([...threads].map(([id, events]) => [id, [...events, ...endsOf(events)]]));
}

/** What a thread, or one below it, has open. */
interface Open {
  readonly questions: Map<string, AgentEvent>;
  run?: AgentEvent | undefined;
}

function endsOf(events: readonly AgentEvent[]): AgentEvent[] {
  const threads = new Map<string, Open>();
  for (const event of events) {
    const open = threads.get(event.threadId ?? '') ?? { questions: new Map() };
    threads.set(event.threadId ?? '', open);
    takeIn(open, event);
  }
  // Those below end before the one they work for.
  return [...threads.values()].reverse().flatMap(({ questions, run }) => [
    ...[...questions].map(([requestId, asked]): AgentEvent => {
      return { ...stampAfter(asked), type: 'elicitation_response', requestId, action: 'cancel', content: {} };
    }),
    ...(run ? [interrupted(run)] : []),
  ]);
}

function takeIn(open: Open, event: AgentEvent): void {
  if (event.type === 'elicitation_request') open.questions.set(event.requestId, event);
  if (event.type === 'elicitation_response') open.questions.delete(event.requestId);
  if (event.type === 'agent_start') open.run = event;
  if (event.type === 'agent_end') open.run = undefined;
}

function interrupted(run: AgentEvent): AgentEvent {
  return { ...stampAfter(run), type: 'agent_end', reason: 'aborted', data: { code: 'INTERRUPTED' } };
}

function stampAfter({
  id,
  streamId,
  timestamp,
  threadId,
}: AgentEvent): Pick<AgentEvent, 'id' | 'streamId' | 'timestamp'> {
  return { id: `${id}-settled`, streamId, timestamp, ...(threadId !== undefined && { threadId }) };
}
