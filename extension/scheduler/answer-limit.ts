import { type Alarm, type Clock, realAlarm } from '../ports/clock.ts';

/** The `by` of an approval that timed out. */
export const BY_TIMEOUT = 'timeout';

/** How long approvals stay pending. A changed limit applies when the earlier one would end. */
export class AnswerLimit {
  constructor(
    /** 0 waits without a limit. */
    readonly minutes: () => number,
    readonly clock: Clock,
    readonly alarm: Alarm = realAlarm,
  ) {}

  begin(over: (minutes: number) => void): WaitingTime {
    return new WaitingTime(this, over);
  }
}

/** The timer of one approval. */
export class WaitingTime {
  private since = 0;
  private prevent: () => void = () => undefined;

  constructor(
    private readonly limit: AnswerLimit,
    private readonly over: (minutes: number) => void,
  ) {
    this.restart();
  }

  /** Restarts the timer: somebody is working on the answer. */
  restart(): void {
    this.stop();
    this.since = this.limit.clock.now();
    this.watch();
  }

  stop(): void {
    this.prevent();
  }

  private watch(): void {
    const minutes = this.limit.minutes();
    if (minutes <= 0) return;
    const left = this.since + minutes * MINUTE - this.limit.clock.now();
    if (left <= 0) this.over(minutes);
    else this.prevent = this.limit.alarm(Math.min(left, LONGEST_WAIT), () => this.watch());
  }
}

const MINUTE = 60_000;

/** Node treats a longer timeout as 1 ms. */
const LONGEST_WAIT = 2 ** 31 - 1;
