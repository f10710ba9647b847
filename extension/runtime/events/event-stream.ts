import { Emitter } from '../../base/emitter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { AgentEvent, AgentEventBody } from '../../protocol/agent/agent-event.ts';
import type { Unsubscribe } from '../../protocol/agent/agent-protocol.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';
import { EventTranslator, problemEvent } from './event-translator.ts';

/** Told of everything; what is not kept is of this moment only. */
type Projection = (event: AgentEvent, isKept: boolean) => void;

/** The events of one session, in order, and those who listen. */
export class EventStream {
  private readonly kept: AgentEvent[] = [];
  /** One broken listener must not end the run for the others. */
  private readonly told = new Emitter<AgentEvent>((error, { type }) =>
    this.log.error(`A listener failed on ${type}`, error),
  );
  private readonly translator = new EventTranslator();
  /** What agents did before this process, by the id of their session: taken in where each began. */
  earlierThreads: ReadonlyMap<string, readonly AgentEvent[]> = new Map();
  private readonly projections = new Set<Projection>();
  private readonly untold: { readonly event: AgentEvent; readonly isKept: boolean }[] = [];
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
    const unsubscribe = this.told.on(listener);
    // Later, because a listener does not expect events before it has its way to unsubscribe.
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

  /** From here on everything that happens here is told there too, as what a thread of that conversation does. */
  projectInto(other: EventStream, threadId: string): Unsubscribe {
    const project: Projection = (event, isKept) => other.takeFromThread(threadId, event, isKept);
    this.projections.add(project);
    return () => this.projections.delete(project);
  }

  /** An event of a subagent's session. Those of agents below it keep the thread they have. */
  takeFromThread(threadId: string, event: AgentEvent, isKept = true): void {
    const projected = inThread(threadId, event);
    if (isKept) this.kept.push(projected);
    this.tell([projected], isKept);
  }

  /** Progress and warnings of this moment: for those who listen now, and no part of the conversation. */
  tellOnce(body: AgentEventBody): void {
    const timestamp = new Date(this.clock.now()).toISOString();
    const event = { ...this.translator.ephemeralId(this.ephemeralCount++), timestamp, ...body } as AgentEvent;
    // What is wrong with a stored session is known when it is opened, before its first listener.
    if (!this.told.hasListeners && this.projections.size === 0 && event.type === 'error') this.unheard.push(event);
    else this.tell([event], false);
  }

  private tellUnheard(): void {
    const events = this.unheard;
    if (!this.told.hasListeners) return;
    this.unheard = [];
    this.tell(events, false);
  }

  /** What a listener causes is told after what it was told about, so that all of them see the same order. */
  private tell(events: readonly AgentEvent[], isKept: boolean): void {
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

/** An event of a subagent, as the session sees it that it works for. */
export function inThread(threadId: string, event: AgentEvent): AgentEvent {
  return { ...event, threadId: event.threadId ?? threadId };
}

/** What a user should know now, which is no part of the conversation. */
export class SessionWarnings {
  private readonly warned = new Set<string>();

  constructor(
    private readonly stream: EventStream,
    private readonly isOfAgent: boolean,
  ) {}

  readonly warn = (problem: Problem): void => {
    // The user is warned of it once, by the main agent and not by each of the others.
    if (problem.kind === 'waits' && this.isOfAgent) return;
    // Several parts read the same file.
    const said = `${problem.title}\n${problem.detail}`;
    if (problem.kind === 'bad-configuration' && this.warned.has(said)) return;
    this.warned.add(said);
    this.stream.tellOnce(problemEvent(problem, false));
  };

  /** Before a run: each reader reports what is new to it, also where a file is broken again. */
  forget(): void {
    this.warned.clear();
  }
}
