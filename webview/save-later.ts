/** Long enough to gather typing, short enough that little is lost when the view is taken away without warning. */
const GATHER_MS = 150;

/** Saves the first change right after the event it came with, what follows closely a moment later, and all when the reader turns away. */
export class SaveLater {
  private timer: number | undefined;
  private savedAt = -GATHER_MS;

  constructor(private readonly save: () => void) {
    window.addEventListener('blur', this.flush);
    window.addEventListener('pagehide', this.flush);
    document.addEventListener('visibilitychange', this.flush);
  }

  schedule(): void {
    this.timer ??= window.setTimeout(this.flush, this.savedAt + GATHER_MS - performance.now());
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
    this.savedAt = performance.now();
    this.save();
  };
}
