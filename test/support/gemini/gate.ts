import { deferred } from '../deferred.ts';

/** A point where a reply stops until the test lets it go on. */
export interface Gate {
  /** Settles when a reply has come to the gate, so the client is now waiting for it. */
  readonly reached: Promise<void>;
  open(): void;
  /** Settles when the gate opens, or when the signal says that nobody waits for the rest any more. */
  pass(signal: AbortSignal): Promise<void>;
}

export function gate(): Gate {
  const reached = deferred<void>();
  const opened = deferred<void>();
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    pass: (signal) => {
      reached.resolve();
      return untilAborted(opened.promise, signal);
    },
  };
}

export async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const gone = deferred<void>();
  const leave = (): void => gone.resolve();
  signal.addEventListener('abort', leave, { once: true });
  try {
    await Promise.race([work, gone.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
