/** Calls once after so many milliseconds; what it returns prevents that. */
export type Alarm = (ms: number, ring: () => void) => () => void;

/** In real time. It keeps no process alive. */
export const realAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms).unref();
  return () => clearTimeout(timer);
};
