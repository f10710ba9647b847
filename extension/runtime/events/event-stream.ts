import { Emitter } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AgentEvent, AgentEventBody } from '../../protocol/agent/agent-event.ts';
import type { Unsubscribe } from '../../protocol/agent/agent-protocol.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';
import { EventTranslator, problemEvent } from './event-translator.ts';

/** Receives every event. Events that are not kept are only for current listeners. */
type Projection = (event: AgentEvent, isKept: boolean) => void;

/** The events of one session, in order, and their listeners. */
export class EventStream {
  private readonly kept: AgentEvent[] = [];
  /** A failing listener must not end the run for the others. */
  private readonly told = new Emitter<AgentEvent>((error, { type }) =>
    this.log.error(`A listener failed on ${type}`, error),
  );
  private readonly translator = new EventTranslator();
  /** Events of agents from before this process, by session id. They are inserted where each agent started. */
  earlierThreads: ReadonlyMap<string, readonly AgentEvent[]> = new Map();
  private readonly projections = new Set<Projection>();
  private readonly untold: { readonly event: AgentEvent; readonly isKept: boolean }[] = [];
  private telling = false;
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
    const unsubscribe = this.told.on(listener);
    // Deferred, because a listener does not expect events before it can unsubscribe.
    if (this.unheard.length > 0) queueMicrotask(() => this.tellUnheard());
    return unsubscribe;
  }

  take(record: SessionRecord): void {
    const events = this.translator.translate(record);
    this.kept.push(...events);
    this.tell(events, true);
    if (record.type !== 'agent_started') return;
    for (const event of this.earlierThreads.get(record.sessionId) ?? []) this.takeFromThread(record.sessionId, event);
  }

  /** Also sends all further events to another stream, as events of a thread of that conversation. */
  projectInto(other: EventStream, threadId: string): Unsubscribe {
    const project: Projection = (event, isKept) => other.takeFromThread(threadId, event, isKept);
    this.projections.add(project);
    return () => this.projections.delete(project);
  }

  /** Takes an event of a subagent's session. Events of agents below it keep their own thread. */
  takeFromThread(threadId: string, event: AgentEvent, isKept = true): void {
    const projected = inThread(threadId, event);
    if (isKept) this.kept.push(projected);
    this.tell([projected], isKept);
  }

  /** Sends progress or a warning to current listeners. It does not become part of the conversation. */
  tellOnce(body: AgentEventBody): void {
    const timestamp = new Date(this.clock.now()).toISOString();
    const event = { ...this.translator.ephemeralId(this.ephemeralCount++), timestamp, ...body } as AgentEvent;
    // Problems of a stored session are found while it is opened, before its first listener subscribes.
    if (!this.told.hasListeners && this.projections.size === 0 && event.type === 'error') this.unheard.push(event);
    else this.tell([event], false);
  }

  private tellUnheard(): void {
    const events = this.unheard;
    if (!this.told.hasListeners) return;
    this.unheard = [];
    this.tell(events, false);
  }

  /** Delivers events that a listener causes after the current one, so that all listeners see the same order. */
  private tell(events: readonly AgentEvent[], isKept: boolean): void {
    // While a stored session is read again, thousands of events come before the first listener.
    if (!this.telling && !this.told.hasListeners && this.projections.size === 0) return;
    for (const event of events) this.untold.push({ event, isKept });
    if (this.telling) return;
    this.telling = true;
    for (let next = this.untold.shift(); next; next = this.untold.shift()) this.tellOne(next.event, next.isKept);
    this.telling = false;
  }

  private tellOne(event: AgentEvent, isKept: boolean): void {
    for (const project of this.projections) project(event, isKept);
    this.told.fire(event);
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
    this.stream.tellOnce(problemEvent(problem, false));
  };

  /** Runs before each run: a problem that still exists, or exists again, is reported again. */
  forget(): void {
    this.warned.clear();
  }
}
