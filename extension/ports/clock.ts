export interface Clock {
  now(): number;
  /** Resolves when the time is over or the signal fires. Defaults to real time. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns a number from 0 to 1, to vary waiting times. Defaults to `Math.random`. */
  random?(): number;
  /** Calls `ring` once after this many milliseconds. The returned function cancels the call. Defaults to real time. */
  readonly alarm?: Alarm;
}

/** Calls `ring` once after this many milliseconds. The returned function cancels the call. */
export type Alarm = (ms: number, ring: () => void) => () => void;

/** Uses real time. The timer does not keep the process alive. */
export const realAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms).unref();
  return () => clearTimeout(timer);
};
