/**
 * Returns the value, or undefined as soon as the signal fires, so that work that ignores the signal does not delay
 * Stop.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  // The timeout lets work win the race if its result is already available.
  const later = (resolve: (none: undefined) => void) => () => setTimeout(() => resolve(undefined));
  return race(work, signal, later);
}

/**
 * The same, but throws the signal's reason. The work itself continues, because others may wait for it or it cannot be
 * stopped.
 */
export async function orThrowAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) work.catch(() => undefined);
  signal.throwIfAborted();
  return race<T, never>(work, signal, (_, reject) => () => reject(signal.reason));
}

/** Yields the items until the signal fires, with one listener for all of them. */
export async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    while (!signal.aborted) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function race<T, Other>(
  work: Promise<T>,
  signal: AbortSignal,
  onAbort: (resolve: (value: Other) => void, reject: (reason: unknown) => void) => () => void,
): Promise<T | Other> {
  let stop = (): void => undefined;
  const aborted = new Promise<Other>((resolve, reject) => {
    stop = onAbort(resolve, reject);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
