import {
  type AppendEventRequest,
  BaseSessionService,
  type CompositeSessionKey,
  type CreateSessionRequest,
  createSession,
  type Event,
  type GetSessionRequest,
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

  override getSession({ sessionId }: GetSessionRequest): Promise<Session | undefined> {
    const session = this.live.get(sessionId)?.session;
    if (session) Object.assign(session.state, this.shared.current());
    return Promise.resolve(session);
  }

  override listSessions(): Promise<ListSessionsResponse> {
    const sessions = [...this.live.values()].map(({ session }) => ({ ...session, events: [] }));
    return Promise.resolve({ sessions, page: 1, limit: sessions.length, totalItems: sessions.length, totalPages: 1 });
  }

  override deleteSession({ sessionId }: CompositeSessionKey): Promise<void> {
    this.detach(sessionId);
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
}
