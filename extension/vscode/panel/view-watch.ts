import { type Alarm, realAlarm } from '../../ports/clock.ts';

/** A page that is busy rendering answers late. A page that is stuck does not answer at all. */
const ASK_EVERY_MS = 15_000;
const ANSWER_WITHIN_MS = 10_000;
/** An answer may be there while this process was too busy to read it, so the time for it passes in parts. */
const PART_MS = 1_000;
/** If a timer is this late, the machine slept or this process was busy. It is asked again, because the page may be fine. */
const LATE_MS = 500;

export interface WatchedPage {
  ask(count: number): void;
  /** The page has not answered in time. Called once until the page answers again or another page is watched. */
  stuck(): void;
}

/** Pings a page regularly, because a page that hangs or crashed cannot report it. */
export class ViewWatch {
  private cancel: () => void = () => undefined;
  private asked = 0;
  private answered = 0;

  constructor(
    private readonly page: WatchedPage,
    private readonly now: () => number = Date.now,
    private readonly alarm: Alarm = realAlarm,
  ) {}

  /** Starts watching a page that has just reported that it listens. */
  start(): void {
    this.stop();
    this.answered = this.asked;
    this.later(ASK_EVERY_MS, () => this.ask());
  }

  stop(): void {
    this.cancel();
  }

  takeAnswer(count: number): void {
    if (count !== this.asked || this.answered === count) return;
    this.answered = count;
    this.later(ASK_EVERY_MS, () => this.ask());
  }

  private ask(): void {
    this.page.ask(++this.asked);
    this.expectAnswer(ANSWER_WITHIN_MS);
  }

  private expectAnswer(ms: number): void {
    if (ms <= 0) this.page.stuck();
    else this.later(PART_MS, () => this.expectAnswer(ms - PART_MS));
  }

  private later(ms: number, then: () => void): void {
    this.cancel();
    const due = this.now() + ms;
    this.cancel = this.alarm(ms, () => {
      if (this.now() - due > LATE_MS) this.ask();
      else then();
    });
  }
}
