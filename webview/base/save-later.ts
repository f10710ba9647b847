/** Delays saving, because scrolling fires an event per frame and copying a very long text takes time. */
const GATHER_MS = 150;

/** Copying a text of this length takes about a millisecond. */
const LONG = 200_000;

/**
 * Saves typed text right after its event, because the view may be destroyed at any moment without warning. Less
 * important state and long texts are saved after a short delay, or when the window loses focus or is hidden.
 */
export class SaveLater {
  private timer: { readonly id: number; readonly at: number } | undefined;
  private lastLength = 0;

  /** `save` returns the length of the saved text. */
  constructor(private readonly save: () => number) {
    window.addEventListener('blur', this.flush);
    window.addEventListener('pagehide', this.flush);
    document.addEventListener('visibilitychange', this.flush);
  }

  /** Saves typed text. */
  soon(): void {
    this.schedule(this.lastLength > LONG ? GATHER_MS : 0);
  }

  /** Saves state that may be lost. */
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
