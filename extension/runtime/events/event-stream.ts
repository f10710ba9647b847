import { Emitter } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AgentEvent, AgentEventBody } from '../../protocol/agent/agent-event.ts';
import type { Unsubscribe } from '../../protocol/agent/agent-protocol.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';
import { EventTranslator, problemEvent } from './event-translator.ts';

/** An event that is not kept is only for current listeners. */
interface Delivery {
  readonly event: AgentEvent;
  readonly isKept: boolean;
}

/** The events of one session, in order, and their listeners. */
export class EventStream {
  private readonly kept: AgentEvent[] = [];
  /** A failing listener must not end the run for the others. */
  private readonly listeners = new Emitter<AgentEvent>((error, { type }) =>
    this.log.error(`A listener failed on ${type}`, error),
  );
  private readonly translator = new EventTranslator();
  /** Events of agents from before this process, by session id. They are inserted where each agent started. */
  earlierThreads: ReadonlyMap<string, readonly AgentEvent[]> = new Map();
  private readonly projections = new Emitter<Delivery>();
  private readonly waiting: Delivery[] = [];
  private delivering = false;
  private ephemeralCount = 0;
  /** Warnings from before the first listener subscribed. */
  private unheard: AgentEvent[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  get events(): readonly AgentEvent[] {
    return this.kept;
  }

  subscribe(listener: (event: AgentEvent) => void): Unsubscribe {
    const unsubscribe = this.listeners.on(listener);
    // Deferred, because a listener does not expect events before it can unsubscribe.
    if (this.unheard.length > 0) queueMicrotask(() => this.deliverUnheard());
    return unsubscribe;
  }

  take(record: SessionRecord): void {
    const events = this.translator.translate(record);
    this.kept.push(...events);
    this.deliver(events, true);
    if (record.type !== 'agent_started') return;
    for (const event of this.earlierThreads.get(record.sessionId) ?? []) this.takeFromThread(record.sessionId, event);
  }

  /** Also sends all further events to another stream, as events of a thread of that conversation. */
  projectInto(other: EventStream, threadId: string): Unsubscribe {
    return this.projections.on(({ event, isKept }) => other.takeFromThread(threadId, event, isKept));
  }

  /** Takes an event of a subagent's session. Events of agents below it keep their own thread. */
  takeFromThread(threadId: string, event: AgentEvent, isKept = true): void {
    const projected = inThread(threadId, event);
    if (isKept) this.kept.push(projected);
    this.deliver([projected], isKept);
  }

  /** Sends progress or a warning to current listeners. It does not become part of the conversation. */
  sendTransient(body: AgentEventBody): void {
    const timestamp = new Date(this.clock.now()).toISOString();
    const event = { ...this.translator.ephemeralId(this.ephemeralCount++), timestamp, ...body } as AgentEvent;
    // Problems of a stored session are found while it is opened, before its first listener subscribes.
    if (!this.hasListeners && event.type === 'error') this.unheard.push(event);
    else this.deliver([event], false);
  }

  private deliverUnheard(): void {
    const events = this.unheard;
    if (!this.listeners.hasListeners) return;
    this.unheard = [];
    this.deliver(events, false);
  }

  /** Delivers events that a listener causes after the current one, so that all listeners see the same order. */
  private deliver(events: readonly AgentEvent[], isKept: boolean): void {
    // While a stored session is read again, thousands of events come before the first listener.
    if (!this.delivering && !this.hasListeners) return;
    for (const event of events) this.waiting.push({ event, isKept });
    if (this.delivering) return;
    this.delivering = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      this.projections.fire(next);
      this.listeners.fire(next.event);
    }
    this.delivering = false;
  }

  private get hasListeners(): boolean {
    return this.listeners.hasListeners || this.projections.hasListeners;
  }
}

/** An event of a subagent, as its leader sees it. */
export function inThread(threadId: string, event: AgentEvent): AgentEvent {
  return { ...event, threadId: event.threadId ?? threadId };
}

/** Warnings for the user that are not part of the conversation. */
export class SessionWarnings {
  private readonly warned = new Set<string>();

  constructor(
    private readonly stream: EventStream,
    private readonly isOfAgent: boolean,
  ) {}

  readonly warn = (problem: Problem): void => {
    // The main agent already warns the user about this, so its agents don't repeat it.
    if (problem.kind === 'waits' && this.isOfAgent) return;
    // Several parts read the same file and would report the same problem.
    const said = `${problem.title}\n${problem.detail}`;
    if (problem.kind === 'bad-configuration' && this.warned.has(said)) return;
    this.warned.add(said);
    this.stream.sendTransient(problemEvent(problem, false));
  };

  /** Runs before each run: a problem that still exists, or exists again, is reported again. */
  forget(): void {
    this.warned.clear();
  }
}
