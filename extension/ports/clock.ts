import type { Alarm } from '../base/alarm.ts';

export interface Clock {
  now(): number;
  /** Resolves when the time is over or the signal fires. Real time unless given. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1, so that waits differ. Really random unless given. */
  random?(): number;
  /** Calls once after so many milliseconds; what it returns prevents that. Real time unless given. */
  readonly alarm?: Alarm;
}
