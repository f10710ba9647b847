import { setTimeout as sleep } from 'node:timers/promises';

/** Real time. Resolves when it is over or the signal fires. */
export async function realPause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
