import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../../ports/host.ts';

export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/** How a host waits between attempts. What was recorded is not waited for: nobody needs a rest from the next line of a file. */
export function pauseOf({ clock, recorded }: Pick<Host, 'clock' | 'recorded'>): Pause {
  if (recorded?.replay !== undefined) return () => Promise.resolve();
  return (ms, signal) => clock.pause?.(ms, signal) ?? realPause(ms, signal);
}

/** Real time. Resolves when it is over or the signal fires. */
export async function realPause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
