import type { AgentEvent } from './agent-event.ts';
import type { AgentProtocol, AgentSend, Unsubscribe } from './agent-protocol.ts';

export interface StreamCursor {
  /** Resume strictly after this event. */
  readonly eventId?: string;
  /** Follow this stream from its `agent_start`. */
  readonly streamId?: string;
}

/**
 * A conversation over any {@link AgentProtocol}: the same members, plus streams that can be replayed and
 * reattached. An iterated stream is always `agent_start … agent_end` of exactly one stream.
 */
export class AgentSession implements AgentProtocol {
  constructor(private readonly protocol: AgentProtocol) {}

  get id(): string {
    return this.protocol.id;
  }

  get events(): readonly AgentEvent[] {
    return this.protocol.events;
  }

  send(payload: AgentSend): Promise<{ readonly streamId: string | null }> {
    return this.protocol.send(payload);
  }

  subscribe(listener: (event: AgentEvent) => void): Unsubscribe {
    return this.protocol.subscribe(listener);
  }

  abort(): Promise<void> {
    return this.protocol.abort();
  }

  async *sendStream(payload: AgentSend): AsyncGenerator<AgentEvent, void, undefined> {
    const { streamId } = await this.send(payload);
    if (streamId !== null) yield* this.follow(startOfLatest(this.events, streamId));
  }

  async *stream(cursor: StreamCursor = {}): AsyncGenerator<AgentEvent, void, undefined> {
    const start = findStart(this.events, cursor);
    if (start !== 'finished') yield* this.follow(start);
  }

  private async *follow(start: StreamStart): AsyncGenerator<AgentEvent, void, undefined> {
    const queue = new EventQueue();
    // Subscribe before reading the history, so that no event is missed in between.
    const unsubscribe = this.subscribe((event) => queue.push(event));
    try {
      const replayed = new Set<string>();
      let { streamId, started } = start;
      for (const event of this.events.slice(start.index)) queue.insert(event);
      for (;;) {
        const event = await queue.next();
        if (replayed.has(event.id)) continue;
        if (streamId !== undefined && event.streamId !== streamId) continue;
        if (!started) {
          if (event.type !== 'agent_start') continue;
          started = true;
          streamId = event.streamId;
        }
        replayed.add(event.id);
        yield event;
        if (event.type === 'agent_end') return;
      }
    } finally {
      unsubscribe();
    }
  }
}

interface StreamStart {
  readonly index: number;
  readonly streamId: string | undefined;
  /** False if the stream's `agent_start` has not been emitted yet. */
  readonly started: boolean;
}

/** True for events of the session itself. A subagent's stream begins and ends within the stream of its call. */
function isOwn({ threadId }: AgentEvent): boolean {
  return threadId === undefined;
}

/** Finds the start of a future stream or of the running one. Streams before the latest one need not be searched. */
function startOfLatest(history: readonly AgentEvent[], streamId: string): StreamStart {
  const index = history.findLastIndex((event) => event.type === 'agent_start' && isOwn(event));
  const isRunning = history[index]?.streamId === streamId;
  return { index: isRunning ? index : history.length, streamId, started: false };
}

function findStart(history: readonly AgentEvent[], cursor: StreamCursor): StreamStart | 'finished' {
  if (cursor.eventId !== undefined) return findStartAfter(history, cursor.eventId);
  if (cursor.streamId !== undefined) {
    const index = history.findLastIndex((event) => event.type === 'agent_start' && event.streamId === cursor.streamId);
    return { index: index < 0 ? history.length : index, streamId: cursor.streamId, started: false };
  }
  const ended = new Set(history.filter((event) => event.type === 'agent_end').map((event) => event.streamId));
  const index = history.findLastIndex(
    (event) => event.type === 'agent_start' && isOwn(event) && !ended.has(event.streamId),
  );
  return { index: index < 0 ? history.length : index, streamId: history[index]?.streamId, started: false };
}

function findStartAfter(history: readonly AgentEvent[], eventId: string): StreamStart | 'finished' {
  const at = history.findIndex((event) => event.id === eventId);
  const event = history[at];
  if (!event) throw new Error(`No event with id ${eventId} in this session.`);
  if (event.type === 'agent_end') return 'finished';
  const { streamId } = event;
  const startedAt = history.findIndex((other) => other.type === 'agent_start' && other.streamId === streamId);
  if (startedAt < 0) throw new Error(`Cannot resume after event ${eventId}: stream ${streamId} never started.`);
  if (startedAt <= at) return { index: at + 1, streamId, started: true };
  return { index: startedAt, streamId, started: false };
}

/** Events in order: replayed events first, then events that arrived during the replay, then live events. */
class EventQueue {
  private readonly replay: AgentEvent[] = [];
  private readonly live: AgentEvent[] = [];
  private wake: (() => void) | undefined;

  insert(event: AgentEvent): void {
    this.replay.push(event);
  }

  push(event: AgentEvent): void {
    this.live.push(event);
    this.wake?.();
  }

  async next(): Promise<AgentEvent> {
    for (;;) {
      const event = this.replay.shift() ?? this.live.shift();
      if (event) return event;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
