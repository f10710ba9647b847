import type { AgentEvent, AgentEventBody } from '../protocol/agent-event.ts';
import type { Unsubscribe } from '../protocol/agent-protocol.ts';
import type { Clock, Logger } from './host.ts';

/** The events of one session, in order, and those who listen. */
export class EventLog {
  private readonly recorded: AgentEvent[] = [];
  private readonly listeners = new Set<(event: AgentEvent) => void>();

  constructor(
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  get events(): readonly AgentEvent[] {
    return this.recorded;
  }

  subscribe(listener: (event: AgentEvent) => void): Unsubscribe {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A new stream; its events are numbered from 0. */
  open(streamId: string): (body: AgentEventBody) => void {
    let count = 0;
    return (body) => {
      const timestamp = new Date(this.clock.now()).toISOString();
      this.record({ id: `${streamId}-${count++}`, streamId, timestamp, ...body } as AgentEvent);
    };
  }

  private record(event: AgentEvent): void {
    this.recorded.push(event);
    for (const listener of [...this.listeners]) {
      try {
        listener(event);
      } catch (error) {
        // One broken listener must not end the run for the others.
        this.log.error(`A listener failed on ${event.type}`, error);
      }
    }
  }
}
