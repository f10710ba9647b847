import { InOrder } from '../base/in-order.ts';
import type { Logger } from '../ports/logger.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import type { SessionOptions } from '../runtime/session-parts.ts';

/** How long an unused session stays open. Then other programs can open it. */
const IDLE_MS = 60_000;
/** So many unused sessions stay open at most, so that the memory doesn't depend on the number of tasks. */
const MOST_UNUSED = 16;

interface Opened {
  readonly session: AgentSession;
  /** Keeps messages of several clients in order. */
  readonly order: InOrder;
  /** Lets the window close the session again. */
  readonly letGo: (() => void) | undefined;
  readonly unwatch: (() => void) | undefined;
  users: number;
  timer: NodeJS.Timeout | undefined;
}

/** A session that stays open until it is released. */
export interface HeldSession {
  readonly session: AgentSession;
  readonly order: InOrder;
  release(): void;
}

/** A window that shows the same sessions to people, who can open and close them at any time. */
export interface SessionWindow {
  /** Keeps the session open until the returned function is called, whatever the window shows. */
  keepOpen(session: AgentSession): () => void;
  /** Whether the window shows the session, works in it, or keeps it open for others. */
  isUsed(session: AgentSession): boolean;
}

export interface OpenSessionsParts {
  readonly service: AgentService;
  readonly log: Logger;
  readonly idleMs?: number;
  readonly window?: SessionWindow;
  /** Called with each session that is opened here. Returns what to call when it is closed. */
  readonly watch?: (session: AgentSession) => () => void;
}

/**
 * The sessions that clients use. A session that isn't used for a while is closed, even if a question is open. The log
 * has the question, so it can be answered after the session is opened again. In a window, people are asked, so the
 * session stays open until they have answered.
 */
export class OpenSessions {
  private readonly opened = new Map<string, Opened>();

  constructor(private readonly parts: OpenSessionsParts) {}

  async create(options: SessionOptions): Promise<HeldSession> {
    return this.hold(await this.parts.service.createSession(options));
  }

  /** Opens a stored session. Another process may have it open for writing, so that it can only be read here. */
  async open(id: string, options: SessionOptions): Promise<HeldSession> {
    const known = this.known(id);
    return this.hold(known ?? (await this.parts.service.resumeSession(id, options)));
  }

  /** The session, if it is open in this process. */
  async find(id: string): Promise<AgentSession | undefined> {
    const known = this.known(id);
    if (known) return known;
    const { service } = this.parts;
    return service.isOpen(id) ? service.resumeSession(id) : undefined;
  }

  /** Releases a session that nobody can use here. */
  async close(id: string): Promise<void> {
    const { service, window } = this.parts;
    const session = this.opened.get(id)?.session;
    this.forget(id);
    if (!session || !window?.isUsed(session)) await service.closeSession(id);
  }

  /** In a VS Code window, running tasks continue, and each session is closed when its task is done. */
  dispose(): void {
    for (const [id, opened] of [...this.opened]) {
      clearTimeout(opened.timer);
      if (!this.parts.window) this.opened.delete(id);
      else if (opened.users === 0) this.closeUnlessActive(id, opened);
    }
  }

  /** People can have closed the session in their window, and opened it again. */
  private known(id: string): AgentSession | undefined {
    return this.parts.window ? undefined : this.opened.get(id)?.session;
  }

  private forget(id: string): void {
    const opened = this.opened.get(id);
    clearTimeout(opened?.timer);
    opened?.letGo?.();
    opened?.unwatch?.();
    this.opened.delete(id);
  }

  private hold(session: AgentSession): HeldSession {
    const { id } = session;
    if (this.opened.get(id)?.session !== session) this.forget(id);
    const opened = this.opened.get(id) ?? this.begin(session);
    // In the order of their last use.
    this.opened.delete(id);
    this.opened.set(id, opened);
    opened.users++;
    clearTimeout(opened.timer);
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      opened.users--;
      if (opened.users > 0) return;
      this.closeLater(id, opened);
      // Later, because the client waits for the end of its response, which comes after this.
      setImmediate(() => this.closeSurplus());
    };
    return { session, order: opened.order, release };
  }

  private begin(session: AgentSession): Opened {
    const letGo = this.parts.window?.keepOpen(session);
    const unwatch = this.parts.watch?.(session);
    return { session, order: new InOrder(), letGo, unwatch, users: 0, timer: undefined };
  }

  private closeLater(id: string, opened: Opened): void {
    if (this.opened.get(id) !== opened) return;
    opened.timer = setTimeout(() => this.closeUnlessActive(id, opened), this.parts.idleMs ?? IDLE_MS);
    opened.timer.unref();
  }

  private closeUnlessActive(id: string, opened: Opened): void {
    if (this.isActive(id)) this.closeLater(id, opened);
    else this.closeUnused(id);
  }

  private closeSurplus(): void {
    const unused = [...this.opened].filter(([id, { users }]) => users === 0 && !this.isActive(id));
    for (const [id] of unused.slice(0, Math.max(0, unused.length - MOST_UNUSED))) this.closeUnused(id);
  }

  private isActive(id: string): boolean {
    const { service, window } = this.parts;
    const activity = service.activityOf(id);
    return activity === 'running' || activity === 'commands' || (activity === 'waits' && window !== undefined);
  }

  private closeUnused(id: string): void {
    this.close(id).catch((error: unknown) => this.parts.log.error(`Session ${id} was not closed`, error));
  }
}
