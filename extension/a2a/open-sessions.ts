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
  users: number;
  timer: NodeJS.Timeout | undefined;
}

/** A session that stays open until it is released. */
export interface HeldSession {
  readonly session: AgentSession;
  readonly order: InOrder;
  release(): void;
}

export interface OpenSessionsParts {
  readonly service: AgentService;
  readonly log: Logger;
  readonly idleMs?: number;
}

/**
 * The sessions that clients use. A session that isn't used for a while is closed, even if a question is open. The log
 * has the question, so it can be answered after the session is opened again.
 */
export class OpenSessions {
  private readonly opened = new Map<string, Opened>();

  constructor(private readonly parts: OpenSessionsParts) {}

  async create(options: SessionOptions): Promise<HeldSession> {
    return this.hold(await this.parts.service.createSession(options));
  }

  /** Opens a stored session. Another process may have it open for writing, so that it can only be read here. */
  async open(id: string, options: SessionOptions): Promise<HeldSession> {
    const known = this.opened.get(id)?.session;
    return this.hold(known ?? (await this.parts.service.resumeSession(id, options)));
  }

  /** The session, if it is open in this process. */
  async find(id: string): Promise<AgentSession | undefined> {
    const known = this.opened.get(id)?.session;
    if (known) return known;
    const { service } = this.parts;
    return service.isOpen(id) ? service.resumeSession(id) : undefined;
  }

  /** Releases a session that nobody can use here. */
  async close(id: string): Promise<void> {
    clearTimeout(this.opened.get(id)?.timer);
    this.opened.delete(id);
    await this.parts.service.closeSession(id);
  }

  dispose(): void {
    for (const { timer } of this.opened.values()) clearTimeout(timer);
    this.opened.clear();
  }

  private hold(session: AgentSession): HeldSession {
    const { id } = session;
    const opened = this.opened.get(id) ?? { session, order: new InOrder(), users: 0, timer: undefined };
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
      this.closeSurplus();
    };
    return { session, order: opened.order, release };
  }

  private closeLater(id: string, opened: Opened): void {
    if (this.opened.get(id) !== opened) return;
    opened.timer = setTimeout(() => {
      if (this.isActive(id)) this.closeLater(id, opened);
      else this.closeUnused(id);
    }, this.parts.idleMs ?? IDLE_MS);
    opened.timer.unref();
  }

  private closeSurplus(): void {
    const unused = [...this.opened].filter(([id, { users }]) => users === 0 && !this.isActive(id));
    for (const [id] of unused.slice(0, Math.max(0, unused.length - MOST_UNUSED))) this.closeUnused(id);
  }

  private isActive(id: string): boolean {
    const activity = this.parts.service.activityOf(id);
    return activity === 'running' || activity === 'commands';
  }

  private closeUnused(id: string): void {
    this.close(id).catch((error: unknown) => this.parts.log.error(`Session ${id} was not closed`, error));
  }
}
