import { deferred } from '../deferred.ts';

/** A point at which a reply stops until the test lets it continue. */
export interface Gate {
  /** Resolves when a reply has reached the gate, so the client is now waiting. */
  readonly reached: Promise<void>;
  open(): void;
  /** Resolves when the gate opens, or when the signal reports that the client has left. */
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
