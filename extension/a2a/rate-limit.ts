/** Allows so many requests a second, and as many at once after a pause. */
export class RateLimit {
  private left: number;
  private at: number;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number,
  ) {
    this.left = perSecond;
    this.at = now();
  }

  take(): boolean {
    const now = this.now();
    this.left = Math.min(this.perSecond, this.left + ((now - this.at) / 1000) * this.perSecond);
    this.at = now;
    if (this.left < 1) return false;
    this.left--;
    return true;
  }
}
