import type { Alarm } from '../../ports/clock.ts';

/**
 * A model can think for minutes before its first word. Node's fetch gives up after the same time, other kinds of fetch
 * never do.
 */
const FIRST_MS = 300_000;
/** An answer that has begun keeps sending data: thoughts, text, or comments of a gateway. */
const NEXT_MS = 120_000;

/** The service keeps the connection open but sends nothing. */
export class IdleTimeoutError extends Error {
  override readonly name = 'SilenceError';
  /** Node's code for a connection that timed out. */
  readonly code = 'ETIMEDOUT';
}

/** Aborts a request when no more data arrives. The time counts only while the caller waits for data. */
export class IdleTimeout {
  private readonly over = new AbortController();
  private limit = FIRST_MS;

  constructor(private readonly alarm: Alarm) {}

  /** Aborts the request when the time is over. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  async broken<T>(by: Promise<T>): Promise<T> {
    const prevent = this.alarm(this.limit, () => this.over.abort(new IdleTimeoutError('Nothing came.')));
    try {
      return await by;
    } finally {
      prevent();
    }
  }

  /** Switches to the shorter limit once the answer has begun. */
  begun(): void {
    this.limit = NEXT_MS;
  }
}
