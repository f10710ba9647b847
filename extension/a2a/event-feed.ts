import type { AgentEvent } from '../protocol/agent/agent-event.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';

/** The events of a session from now on, those of its agents included, for a reader that may leave at any time. */
export class EventFeed {
  private readonly waiting: AgentEvent[] = [];
  private wake: (() => void) | undefined;
  private isClosed = false;
  private readonly unsubscribe: () => void;

  constructor(
    session: Pick<AgentSession, 'subscribe'>,
    private readonly signal: AbortSignal,
  ) {
    this.unsubscribe = session.subscribe((event) => {
      this.waiting.push(event);
      this.wake?.();
    });
    signal.addEventListener('abort', this.woken, { once: true });
  }

  /** Undefined once the reader has left. */
  async next(): Promise<AgentEvent | undefined> {
    while (this.waiting.length === 0 && !this.isOver) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.isOver ? undefined : this.waiting.shift();
  }

  close(): void {
    this.isClosed = true;
    this.woken();
    this.unsubscribe();
    this.signal.removeEventListener('abort', this.woken);
  }

  private get isOver(): boolean {
    return this.isClosed || this.signal.aborted;
  }

  private readonly woken = (): void => this.wake?.();
}
