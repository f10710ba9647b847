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
 * ADK's sessions over the logs. ADK gets the real session, not a copy, and its events are those of the journal's history,
 * so a turn costs the same however long the conversation is (docs/adk.md).
 */
export class FileSessionService extends BaseSessionService {
  private readonly live = new Map<string, LiveSession>();
  private readonly unstored = new WeakSet<Content>();

  constructor(private readonly shared: SharedState) {
    super();
  }

  /** A session that ADK may run. `record` writes an event into the journal. */
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
   * A message that starts a run without saying anything: ADK wants a message for every run, and leaves one with empty
   * text out of the request. It is never stored; what the user said is in the history before the run begins.
   */
  kick(): Content {
    const content: Content = { role: 'user', parts: [{ text: '' }] };
    this.unstored.add(content);
    return content;
  }

  /** State as the stored events have it: `temp:` keys and changes of events that were dropped are gone. */
  resetState(sessionId: string): void {
    const live = this.live.get(sessionId);
    // A new object, because ADK keeps stamps for the old one that make it ignore what is older.
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
    // The base class does the state bookkeeping; given no events it has nothing to search.
    const stored = await super.appendEvent({ session: { ...live.session, events: [] }, event });
    this.shared.take(stored.actions?.stateDelta ?? {});
    live.record(stored);
    live.session.lastUpdateTime = stored.timestamp;
    return stored;
  }
}
