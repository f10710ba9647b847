import { type Alarm, realAlarm } from '../../ports/clock.ts';

/** A page that is busy drawing answers late; one that is stuck does not answer at all. */
const ASK_EVERY_MS = 15_000;
const ANSWER_WITHIN_MS = 10_000;
/** A timer that is this late tells of a machine that slept, not of a page that is stuck. */
const SLEPT_MS = 5_000;

export interface WatchedPage {
  ask(count: number): void;
  /** It has not answered in time; said once until it answers again or another page is watched. */
  stuck(): void;
}

/** Asks a page now and then whether it is still there: one that hangs or crashed cannot say so itself. */
export class ViewWatch {
  private cancel: () => void = () => undefined;
  private asked = 0;
  private answered = 0;

  constructor(
    private readonly page: WatchedPage,
    private readonly now: () => number = Date.now,
    private readonly alarm: Alarm = realAlarm,
  ) {}

  /** From now on, for a page that has just said that it listens. */
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
    this.later(ANSWER_WITHIN_MS, () => this.page.stuck());
  }

  private later(ms: number, then: () => void): void {
    this.cancel();
    const due = this.now() + ms;
    this.cancel = this.alarm(ms, () => {
      if (this.now() - due > SLEPT_MS) this.ask();
      else then();
    });
  }
}
