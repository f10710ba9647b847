import {
  type AppendEventRequest,
  BaseSessionService,
  type CompositeSessionKey,
  type CreateSessionRequest,
  createSession,
  type Event,
  type GetSessionConfig,
  type GetSessionRequest,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type Session,
} from '@google/adk';
import type { Content } from '@google/genai';
import type { SessionJournal } from './session-journal.ts';
import type { SharedState } from './shared-state.ts';

interface LiveSession {
  readonly session: Session;
  readonly journal: SessionJournal;
  readonly record: (event: Event) => void;
}

/**
 * Provides ADK's sessions based on the logs. ADK gets the session itself, not a copy, and its events are those of the
 * journal's history, so the cost of a turn does not depend on the length of the conversation (docs/adk.md).
 */
export class FileSessionService extends BaseSessionService {
  private readonly live = new Map<string, LiveSession>();
  private readonly unstored = new WeakSet<Content>();

  constructor(private readonly shared: SharedState) {
    super();
  }

  /** Makes a session available to ADK. `record` writes an event to the journal. */
  attach(
    key: { readonly appName: string; readonly userId: string },
    journal: SessionJournal,
    record: (event: Event) => void,
  ): Session {
    const { events } = journal.history;
    const session = createSession({ ...key, id: journal.id, state: {}, events, lastUpdateTime: Date.now() });
    this.live.set(session.id, { session, journal, record });
    this.resetState(session.id);
    return session;
  }

  /**
   * A message that starts a run without text: ADK requires a message for every run, and omits an empty one from the
   * request. It is never stored; the user's message is already in the history when the run begins.
   */
  kick(): Content {
    const content: Content = { role: 'user', parts: [{ text: '' }] };
    this.unstored.add(content);
    return content;
  }

  /** Resets the state to that of the stored events, without `temp:` keys and changes of dropped events. */
  resetState(sessionId: string): void {
    const live = this.live.get(sessionId);
    // A new object, because ADK keeps timestamps for the old one and would ignore older values.
    if (live) live.session.state = { ...live.journal.history.currentState(), ...this.shared.current() };
  }

  detach(sessionId: string): void {
    this.live.delete(sessionId);
  }

  override createSession(_request: CreateSessionRequest): Promise<Session> {
    return Promise.reject(new Error('Sessions are made by AgentService, which attaches them here.'));
  }

  /**
   * The live session, or a copy if only some of its events are wanted, because the live list of events is the history.
   */
  override getSession({ config, ...key }: GetSessionRequest): Promise<Session | undefined> {
    const session = this.find(key)?.session;
    if (session) Object.assign(session.state, this.shared.current());
    const isWhole = !config?.numRecentEvents && !config?.afterTimestamp;
    if (!session || isWhole) return Promise.resolve(session);
    return Promise.resolve({ ...session, state: { ...session.state }, events: eventsFor(config, session.events) });
  }

  override listSessions({ appName, userId }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const sessions = [...this.live.values()]
      .filter(({ session }) => session.appName === appName && (userId === undefined || session.userId === userId))
      .map(({ session }) => ({ ...session, events: [] }));
    return Promise.resolve({ sessions, page: 1, limit: sessions.length, totalItems: sessions.length, totalPages: 1 });
  }

  override deleteSession(key: CompositeSessionKey): Promise<void> {
    if (this.find(key)) this.detach(key.sessionId);
    return Promise.resolve();
  }

  override async appendEvent({ session, event }: AppendEventRequest): Promise<Event> {
    const live = this.live.get(session.id);
    if (!live || event.partial || (event.content && this.unstored.has(event.content))) return event;
    // The base class updates the state. Without events, it has nothing to search.
    const stored = await super.appendEvent({ session: { ...live.session, events: [] }, event });
    this.shared.take(stored.actions?.stateDelta ?? {});
    live.record(stored);
    live.session.lastUpdateTime = stored.timestamp;
    return stored;
  }

  private find({ appName, userId, sessionId }: CompositeSessionKey): LiveSession | undefined {
    const live = this.live.get(sessionId);
    return live?.session.appName === appName && live.session.userId === userId ? live : undefined;
  }
}

/** As in ADK's `InMemorySessionService`: zero doesn't filter, and an event of exactly that time counts as after it. */
function eventsFor({ numRecentEvents, afterTimestamp }: GetSessionConfig, events: readonly Event[]): Event[] {
  const recent = numRecentEvents ? events.slice(-numRecentEvents) : events.slice();
  if (!afterTimestamp) return recent;
  return recent.slice(recent.findLastIndex(({ timestamp }) => timestamp < afterTimestamp) + 1);
}
