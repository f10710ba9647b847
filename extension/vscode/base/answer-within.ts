/** The answer; or an error when it takes too long or is no longer wanted, so that a hanging language server hangs nothing. */
export async function answerWithin<T>(limitMs: number, signal: AbortSignal, work: () => PromiseLike<T>): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const late = (): void => reject(new Error(`The editor's language support did not answer in ${limitMs / 1000} s.`));
    const timer = setTimeout(late, limitMs);
    signal.addEventListener('abort', abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([work(), givenUp]);
  } finally {
    stop();
  }
}
