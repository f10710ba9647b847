import { setTimeout as delay } from 'node:timers/promises';

export interface PollOptions {
  readonly timeoutMs?: number;
  /** The maximum time between two attempts. */
  readonly intervalMs?: number;
}

/** Most results are available soon, so the pauses start short and grow. */
const FIRST_PAUSE_MS = 2;

/**
 * Calls `probe` until it returns something other than `undefined` or `false`, and returns that. Otherwise fails with
 * `what` in the message, and with the probe's last error if it threw.
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 15_000, intervalMs = 50 }: PollOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let lastError: unknown;
  let pauseMs = FIRST_PAUSE_MS;
  do {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== false) {
        return answer;
      }
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, intervalMs);
  } while (Date.now() < deadline);
  throw new Error(`Waited ${timeoutMs} ms for ${what}, in vain.`, { cause: lastError });
}
