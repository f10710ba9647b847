export interface Clock {
  now(): number;
  /** Resolves when the time is over or the signal fires. Real time unless given. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1, so that waits differ. Really random unless given. */
  random?(): number;
  /** Calls once after this many milliseconds; the returned function cancels that. Real time unless given. */
  readonly alarm?: Alarm;
}

/** Calls once after so many milliseconds; what it returns prevents that. */
export type Alarm = (ms: number, ring: () => void) => () => void;

/** In real time. It keeps no process alive. */
export const realAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms).unref();
  return () => clearTimeout(timer);
};
