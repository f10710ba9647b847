import type { Alarm } from '../../extension/ports/clock.ts';

/** A clock that stands still until the test advances it. */
export class VirtualTime {
  private at = 0;
  private readonly alarms = new Set<{ readonly at: number; readonly ring: () => void }>();

  readonly clock = { now: (): number => this.at };

  readonly alarm: Alarm = (ms, ring) => {
    const alarm = { at: this.at + ms, ring };
    this.alarms.add(alarm);
    return () => this.alarms.delete(alarm);
  };

  /** The number of pending alarms. */
  get pending(): number {
    return this.alarms.size;
  }

  pass(minutes: number): void {
    const end = this.at + minutes * 60_000;
    for (;;) {
      const [next] = [...this.alarms].filter(({ at }) => at <= end).sort((left, right) => left.at - right.at);
      if (!next) break;
      this.at = next.at;
      this.alarms.delete(next);
      next.ring();
    }
    this.at = end;
  }
}
