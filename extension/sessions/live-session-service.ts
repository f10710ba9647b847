import { randomUUID } from 'node:crypto';
import {
  type AppendEventRequest,
  BaseSessionService,
  type CompositeSessionKey,
  type CreateSessionRequest,
  createEvent,
  createSession,
  type Event,
  type GetSessionRequest,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type Session,
} from '@google/adk';
import type { Content } from '@google/genai';

/**
 * Sessions as live objects: ADK gets the real session, not a copy, so a turn costs the same however long the history is.
 * ADK's own append searches all events for the id; here an index does it (docs/adk.md).
 */
export class LiveSessionService extends BaseSessionService {
  private readonly sessions = new Map<string, LiveSession>();
  private readonly unstored = new WeakSet<Content>();

  /**
   * A message that starts a run without saying anything: ADK wants a message for every run, and leaves one with empty
   * text out of the request. It is never stored (docs/adk.md).
   */
  kick(): Content {
    const content: Content = { role: 'user', parts: [{ text: '' }] };
    this.unstored.add(content);
    return content;
  }

  /** Keeps a message that no run took up. */
  async appendUserMessage(session: Session, content: Content): Promise<void> {
    await this.appendEvent({ session, event: createEvent({ author: 'user', content }) });
  }

  override createSession(request: CreateSessionRequest): Promise<Session> {
    const id = request.sessionId ?? randomUUID();
    const session = createSession({
      id,
      appName: request.appName,
      userId: request.userId,
      state: request.state ?? {},
      events: [],
      lastUpdateTime: Date.now(),
    });
    this.sessions.set(id, { session, indexOf: new Map() });
    return Promise.resolve(session);
  }

  override getSession({ sessionId }: GetSessionRequest): Promise<Session | undefined> {
    return Promise.resolve(this.sessions.get(sessionId)?.session);
  }

  override listSessions(_request: ListSessionsRequest): Promise<ListSessionsResponse> {
    const sessions = [...this.sessions.values()].map((live) => live.session);
    return Promise.resolve({ sessions, page: 1, limit: sessions.length, totalItems: sessions.length, totalPages: 1 });
  }

  override deleteSession({ sessionId }: CompositeSessionKey): Promise<void> {
    this.sessions.delete(sessionId);
    return Promise.resolve();
  }

  override async appendEvent({ session, event }: AppendEventRequest): Promise<Event> {
    if (event.content && this.unstored.has(event.content)) return event;
    const live = this.sessions.get(session.id);
    if (!live || event.partial) return event;
    // The base class does the state bookkeeping; given no events it has nothing to search.
    const stored = await super.appendEvent({ session: { ...live.session, events: [] }, event });
    const known = live.indexOf.get(stored.id);
    if (known === undefined) {
      live.indexOf.set(stored.id, live.session.events.length);
      live.session.events.push(stored);
    } else {
      live.session.events[known] = stored;
    }
    live.session.lastUpdateTime = stored.timestamp;
    return stored;
  }
}

interface LiveSession {
  readonly session: Session;
  readonly indexOf: Map<string, number>;
}
