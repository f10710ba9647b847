import { type Alarm, type Clock, realAlarm } from '../ports/clock.ts';

/** Who answered, when nobody did. */
export const BY_TIMEOUT = 'timeout';

/** How long questions wait for an answer. A limit that is changed meanwhile counts when the one before would be over. */
export class AnswerLimit {
  constructor(
    /** 0: until somebody answers. */
    readonly minutes: () => number,
    readonly clock: Clock,
    readonly alarm: Alarm = realAlarm,
  ) {}

  begin(over: (minutes: number) => void): WaitingTime {
    return new WaitingTime(this, over);
  }
}

/** The time of one question. */
export class WaitingTime {
  private since = 0;
  private prevent: () => void = () => undefined;

  constructor(
    private readonly limit: AnswerLimit,
    private readonly over: (minutes: number) => void,
  ) {
    this.restart();
  }

  /** Somebody is at it. */
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

/** Node takes a longer time for none at all. */
const LONGEST_WAIT = 2 ** 31 - 1;
