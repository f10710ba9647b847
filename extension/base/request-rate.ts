/** Allows so many requests within a window of time, and after that as many again. */
export class RequestRate {
  private times: readonly number[] = [];

  constructor(
    private readonly most: number,
    private readonly windowMs: number,
    private readonly now: () => number,
  ) {}

  /** Counts a request. If there were too many, it is not counted: the milliseconds until the next one is allowed. */
  take(): number | undefined {
    const now = this.now();
    const recent = this.times.filter((time) => time > now - this.windowMs);
    const [oldest = now] = recent;
    if (recent.length >= this.most) return oldest + this.windowMs - now;
    this.times = [...recent, now];
    return undefined;
  }
}
