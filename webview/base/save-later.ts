/** Scrolling makes an event for every frame, and a very long text takes its time to be copied. */
const GATHER_MS = 150;

/** Copying a text of this length takes about a millisecond. */
const LONG = 200_000;

/**
 * Saves what was typed right after the event it came with: the view may be taken away at any moment, without warning. What
 * may be lost, and what is long, is gathered and saved a moment later, or when the reader turns away.
 */
export class SaveLater {
  private timer: { readonly id: number; readonly at: number } | undefined;
  private lastLength = 0;

  /** `save` returns how long the text was that it saved. */
  constructor(private readonly save: () => number) {
    window.addEventListener('blur', this.flush);
    window.addEventListener('pagehide', this.flush);
    document.addEventListener('visibilitychange', this.flush);
  }

  /** For words. */
  soon(): void {
    this.schedule(this.lastLength > LONG ? GATHER_MS : 0);
  }

  /** For what nobody would miss. */
  later(): void {
    this.schedule(GATHER_MS);
  }

  dispose(): void {
    this.flush();
    window.removeEventListener('blur', this.flush);
    window.removeEventListener('pagehide', this.flush);
    document.removeEventListener('visibilitychange', this.flush);
  }

  private schedule(delayMs: number): void {
    const at = performance.now() + delayMs;
    if (this.timer !== undefined && this.timer.at <= at) return;
    window.clearTimeout(this.timer?.id);
    this.timer = { id: window.setTimeout(this.flush, delayMs), at };
  }

  private readonly flush = (): void => {
    if (this.timer === undefined) return;
    window.clearTimeout(this.timer.id);
    this.timer = undefined;
    this.lastLength = this.save();
  };
}
