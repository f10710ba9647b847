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

/**
 * Aborts a request when no more data arrives. The time counts only while the caller waits for data. Call `end` when the
 * answer is over, because the caller's signal lasts for many requests.
 */
export class IdleTimeout {
  private readonly over = new AbortController();
  private readonly stop: () => void;
  private limit = FIRST_MS;

  constructor(
    private readonly alarm: Alarm,
    private readonly caller: AbortSignal,
  ) {
    this.stop = () => this.over.abort(caller.reason);
    if (caller.aborted) this.stop();
    else caller.addEventListener('abort', this.stop, { once: true });
  }

  /** Aborts the request when the time is over, or when the caller no longer wants it. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  end(): void {
    this.caller.removeEventListener('abort', this.stop);
  }

  /** The request is sent again. */
  again(): void {
    this.limit = FIRST_MS;
  }

  broken<T>(by: Promise<T>): Promise<T> {
    const prevent = this.alarm(this.limit, () => this.over.abort(new IdleTimeoutError('Nothing came.')));
    by.then(prevent, prevent);
    return by;
  }

  /** Switches to the shorter limit once the answer has begun. */
  begun(): void {
    this.limit = NEXT_MS;
  }
}
