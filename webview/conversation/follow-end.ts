import { distanceToEnd, followsAfterScroll, NEAR_END, type ScrollPosition } from './scroll-rule.ts';

/** Keeps a scroller at its end while the reader is there, and where the reader is otherwise. */
export class FollowEnd {
  private following = true;
  private active = false;
  private lastTop = 0;
  private restoring: number | undefined;
  private readonly observer = new ResizeObserver(() => this.settle());

  constructor(
    private readonly scroller: HTMLElement,
    content: HTMLElement,
    private readonly changed: () => void,
  ) {
    this.observer.observe(scroller);
    this.observer.observe(content);
    scroller.addEventListener('scroll', this.onScroll, { passive: true });
  }

  dispose(): void {
    this.observer.disconnect();
    this.scroller.removeEventListener('scroll', this.onScroll);
  }

  /** Undefined while at the end. */
  get readerTop(): number | undefined {
    return this.following || !this.active ? undefined : this.scroller.scrollTop;
  }

  get isAway(): boolean {
    return this.active && !this.following && distanceToEnd(this.position()) > NEAR_END;
  }

  get isScrolled(): boolean {
    return this.scroller.scrollTop > 0;
  }

  /** Without a conversation there is no end to follow: what is there is read from the top. */
  setActive(active: boolean): void {
    if (active === this.active) return;
    this.active = active;
    this.settle();
  }

  toEnd(): void {
    this.following = true;
    this.restoring = undefined;
    this.settle();
  }

  /** The reader opens something: it must not be pushed out of sight by what it shows. */
  hold(): void {
    this.following = false;
  }

  /** The content may still be growing towards the place to return to. */
  restore(top: number): void {
    this.following = false;
    this.restoring = top;
    this.settle();
  }

  private settle(): void {
    if (this.scroller.clientHeight === 0 || !this.active) return;
    if (this.following) {
      this.scroller.scrollTop = this.scroller.scrollHeight;
    } else if (this.restoring !== undefined) {
      this.scroller.scrollTop = this.restoring;
      if (Math.abs(this.scroller.scrollTop - this.restoring) < 1) this.restoring = undefined;
    } else {
      this.following = distanceToEnd(this.position()) <= 1;
    }
    this.lastTop = this.scroller.scrollTop;
    this.changed();
  }

  private readonly onScroll = (): void => {
    // The event of a scroll of ours comes a frame late, when new content may already lie below the old end.
    if (Math.abs(this.scroller.scrollTop - this.lastTop) < 1) return;
    this.restoring = undefined;
    this.following = followsAfterScroll(this.lastTop, this.position());
    this.lastTop = this.scroller.scrollTop;
    this.changed();
  };

  private position(): ScrollPosition {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    return { top: scrollTop, viewport: clientHeight, content: scrollHeight };
  }
}
