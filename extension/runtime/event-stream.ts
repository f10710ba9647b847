import type { AgentEvent, AgentEventBody } from '../protocol/agent-event.ts';
import type { Unsubscribe } from '../protocol/agent-protocol.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import { EventTranslator } from './event-translator.ts';
import type { Clock, Logger } from './host.ts';

/** The events of one session, in order, and those who listen. */
export class EventStream {
  private readonly kept: AgentEvent[] = [];
  private readonly listeners = new Set<(event: AgentEvent) => void>();
  private readonly translator = new EventTranslator();
  private readonly untold: AgentEvent[] = [];
  private telling = false;
  private ephemeralCount = 0;
  /** Warnings from before anybody listened. */
  private unheard: AgentEvent[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  get events(): readonly AgentEvent[] {
    return this.kept;
  }

  subscribe(listener: (event: AgentEvent) => void): Unsubscribe {
    this.listeners.add(listener);
    // Later, because a listener does not expect events before it has its way to unsubscribe.
    if (this.unheard.length > 0) queueMicrotask(() => this.tellUnheard());
    return () => this.listeners.delete(listener);
  }

  take(record: SessionRecord): void {
    const events = this.translator.translate(record);
    this.kept.push(...events);
    this.tell(events);
  }

  /** Progress and warnings of this moment: for those who listen now, and no part of the conversation. */
  tellOnce(body: AgentEventBody): void {
    const timestamp = new Date(this.clock.now()).toISOString();
    const event = { ...this.translator.ephemeralId(this.ephemeralCount++), timestamp, ...body } as AgentEvent;
    // What is wrong with a stored session is known when it is opened, before its first listener.
    if (this.listeners.size === 0 && event.type === 'error') this.unheard.push(event);
    else this.tell([event]);
  }

  private tellUnheard(): void {
    const events = this.unheard;
    if (this.listeners.size === 0) return;
    this.unheard = [];
    this.tell(events);
  }

  /** What a listener causes is told after what it was told of, so that all of them see the same order. */
  private tell(events: readonly AgentEvent[]): void {
    this.untold.push(...events);
    if (this.telling) return;
    this.telling = true;
    for (let event = this.untold.shift(); event; event = this.untold.shift()) this.tellOne(event);
    this.telling = false;
  }

  private tellOne(event: AgentEvent): void {
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
