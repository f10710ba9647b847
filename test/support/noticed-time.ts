const STEP_MS = 5;

/**
 * How long this process waited until the work was done, in milliseconds, as far as it noticed: while a busy machine
 * gives it no time, nothing is counted. Use it where something must be done at once, and not only after a timeout.
 */
export async function noticedTimeOf(work: () => Promise<unknown>): Promise<number> {
  let steps = 0;
  const counting = setInterval(() => {
    steps++;
  }, STEP_MS);
  try {
    await work();
  } finally {
    clearInterval(counting);
  }
  return steps * STEP_MS;
}
