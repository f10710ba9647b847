/** Long enough to gather typing, short enough that little is lost when the view is taken away without warning. */
const DELAY_MS = 150;

/** Saves a moment after the last change, and at once when the reader turns away. */
export class SaveLater {
  private timer: number | undefined;

  constructor(private readonly save: () => void) {
    window.addEventListener('blur', this.flush);
    window.addEventListener('pagehide', this.flush);
    document.addEventListener('visibilitychange', this.flush);
  }

  schedule(): void {
    this.timer ??= window.setTimeout(this.flush, DELAY_MS);
  }

  dispose(): void {
    this.flush();
    window.removeEventListener('blur', this.flush);
    window.removeEventListener('pagehide', this.flush);
    document.removeEventListener('visibilitychange', this.flush);
  }

  private readonly flush = (): void => {
    if (this.timer === undefined) return;
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.save();
  };
}
