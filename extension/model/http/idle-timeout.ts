import type { Alarm } from '../../ports/clock.ts';

/** A model can think for minutes before its first word. Node's fetch gives up after as long, other kinds of fetch never do. */
const FIRST_MS = 300_000;
/** An answer that has begun continues: with thoughts, with words, with comments of a gateway. */
const NEXT_MS = 120_000;

/** Whoever was asked keeps the connection and says nothing. */
export class IdleTimeoutError extends Error {
  override readonly name = 'SilenceError';
  /** As Node has it for a connection. */
  readonly code = 'ETIMEDOUT';
}

/** Ends an exchange in which nothing comes any more. Counts only while somebody waits for it. */
export class IdleTimeout {
  private readonly over = new AbortController();
  private limit = FIRST_MS;

  constructor(private readonly alarm: Alarm) {}

  /** For the request. */
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

  /** From now on pieces follow each other. */
  begun(): void {
    this.limit = NEXT_MS;
  }
}
