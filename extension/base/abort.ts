/**
 * Returns the value, or undefined as soon as the signal fires, so that work that ignores the signal does not delay
 * Stop.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  // The timeout lets work win the race if its result is already available.
  return race<T, undefined>(work, signal, (resolve) => setTimeout(() => resolve(undefined)));
}

/**
 * The same, but throws the signal's reason. The work itself continues, because others may wait for it or it cannot be
 * stopped.
 */
export function orThrowAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (!signal.aborted) return race<T, never>(work, signal, (_, reject) => reject(signal.reason));
  work.catch(() => undefined);
  return Promise.reject(signal.reason);
}

/**
 * Yields the items until the signal fires, with one listener for all of them. Not a generator, which would make six more
 * promises for each item.
 */
export function untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncIterableIterator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let settle: (result: IteratorResult<T>) => void = () => undefined;
  const end: IteratorResult<T> = { done: true, value: undefined };
  const stop = (): void => settle(end);
  signal.addEventListener('abort', stop, { once: true });
  const over = (): typeof end => {
    signal.removeEventListener('abort', stop);
    return end;
  };
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return resolve(over());
        settle = resolve;
        const failed = (error: unknown): void => {
          over();
          reject(error);
        };
        iterator.next().then((result) => resolve(result.done ? over() : result), failed);
      }),
    return: () => Promise.resolve(over()),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Settles as the work does, unless the signal fires before. */
function race<T, Other>(
  work: Promise<T>,
  signal: AbortSignal,
  onAbort: (resolve: (value: T | Other) => void, reject: (reason: unknown) => void) => void,
): Promise<T | Other> {
  return new Promise((resolve, reject) => {
    const stop = (): void => onAbort(resolve, reject);
    const over = (): void => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop, { once: true });
    const done = (value: T): void => {
      over();
      resolve(value);
    };
    const failed = (error: unknown): void => {
      over();
      reject(error);
    };
    work.then(done, failed);
  });
}
