import type { FailureClass } from './failure-class.ts';

/** Gemini CLI's numbers: ten attempts take nearly four minutes. */
export const MAX_ATTEMPTS = 10;
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 30_000;

/** An answer that broke off is requested four times, with delays of one, two and four seconds. */
const STREAM_ATTEMPTS = 4;
const STREAM_DELAY_MS = 1_000;

/** Capacity returns within seconds or not soon: two short waits come before a fallback. */
const CAPACITY_DELAYS_MS = [1_000, 3_000] as const;

export type NextMove =
  /** `attempt` is the number of the next attempt. */
  | { readonly act: 'wait'; readonly ms: number; readonly attempt: number; readonly of: number }
  /** Try another model, if there is one. */
  | { readonly act: 'fall-back' }
  | { readonly act: 'give-up' };

/** Decides when to send a failed request again. Counts the attempts of one request to one model. */
export class RetryPlan {
  private attempt = 1;
  private delay = FIRST_DELAY_MS;
  private lacks = 0;
  private broken = 0;

  /** `random` returns 0 to 1. The jitter keeps clients from retrying at the same moment. */
  constructor(private readonly random: () => number) {}

  /** Resets all counters for another model. */
  startOver(): void {
    this.beginAgain();
    this.lacks = 0;
    this.broken = 0;
  }

  /** `limit` is the maximum number of attempts for this model. */
  failed(failure: FailureClass, limit: number, canFallBack: boolean): NextMove {
    const otherwise: NextMove = { act: canFallBack ? 'fall-back' : 'give-up' };
    switch (failure.kind) {
      case 'terminal':
        return (
          (failure.reason === 'capacity' ? this.lacksCapacity(failure, limit, canFallBack) : undefined) ?? otherwise
        );
      case 'not-found':
        return otherwise;
      case 'retryable':
        return this.again(limit, failure.delayMs) ?? otherwise;
      case 'server':
        return this.again(limit) ?? otherwise;
      case 'network':
        return this.again(limit) ?? { act: 'give-up' };
      case 'stream':
        // Another answer would reach the same length limit.
        if (failure.invalid === 'max-tokens') return { act: 'give-up' };
        return this.brokenStream(Math.min(limit, STREAM_ATTEMPTS), failure.delayMs);
      case 'validation':
      case 'other':
        return { act: 'give-up' };
    }
  }

  /** Varies a delay by ±30 %. */
  jittered(ms = FIRST_DELAY_MS): number {
    return Math.round(ms + ms * 0.3 * (this.random() * 2 - 1));
  }

  private lacksCapacity(
    { delayMs }: Extract<FailureClass, { kind: 'terminal' }>,
    limit: number,
    canFallBack: boolean,
  ): NextMove | undefined {
    const ms = canFallBack ? (delayMs ?? CAPACITY_DELAYS_MS[this.lacks]) : delayMs;
    if (canFallBack && this.lacks++ >= CAPACITY_DELAYS_MS.length) return undefined;
    if (ms !== undefined) this.delay = ms;
    return this.again(limit, ms);
  }

  private again(limit: number, serverDelay?: number): NextMove | undefined {
    if (this.attempt >= limit) return undefined;
    if (serverDelay !== undefined) this.delay = Math.max(this.delay, serverDelay);
    // Never retries earlier than the service requires.
    const ms =
      serverDelay === undefined ? this.jittered(this.delay) : Math.round(this.delay * (1 + 0.2 * this.random()));
    this.delay = Math.min(LONGEST_DELAY_MS, this.delay * 2);
    this.attempt++;
    return { act: 'wait', ms, attempt: this.attempt, of: limit };
  }

  private brokenStream(limit: number, serverDelay = 0): NextMove {
    this.broken++;
    if (this.broken >= limit) return { act: 'give-up' };
    // The service had accepted the request, so earlier rejections no longer count.
    this.beginAgain();
    const ms = Math.max(STREAM_DELAY_MS * 2 ** (this.broken - 1), serverDelay);
    return { act: 'wait', ms, attempt: this.broken + 1, of: limit };
  }

  private beginAgain(): void {
    this.attempt = 1;
    this.delay = FIRST_DELAY_MS;
  }
}
