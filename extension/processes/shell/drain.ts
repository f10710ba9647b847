import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** How long the output may pause before what is left in it is taken to come from somebody else. */
const QUIET_MS = 200;
/** A process that was left behind may write for ever. */
const MAX_DRAIN_MS = 2000;

/**
 * Waits, after a shell's end, for the rest of its output: until the stream is closed or, if another process has it open,
 * until nothing more comes. `count` is how much has come so far.
 */
export async function drained(closed: Promise<unknown>, count: () => number): Promise<void> {
  const stop = new AbortController();
  const quiet = async (): Promise<void> => {
    const deadline = Date.now() + MAX_DRAIN_MS;
    let before: number;
    do {
      before = count();
      await delay(QUIET_MS, undefined, { signal: stop.signal });
      // On a busy machine the timer is due before anything was read. Reading comes between timers and this.
      await nextTurn();
    } while (count() !== before && Date.now() < deadline);
  };
  await Promise.race([closed, quiet().catch(() => undefined)]);
  stop.abort();
}
