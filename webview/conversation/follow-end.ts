import type { ReadingPlace } from '../state/places.ts';
import { distanceToEnd, followsAfterScroll, NEAR_END, type ScrollPosition, scrollsInside } from './scrolling.ts';

/** Smooth scrolling moves by less than a pixel at first. */
const LEAVING_MS = 150;

/** The positions of entries, in pixels below the top edge of the viewport. */
export interface Layout {
  /** The first visible entry; undefined if none is drawn. */
  firstSeen(): ReadingPlace | undefined;
  topOf(id: string): number | undefined;
}

/**
 * Keeps a scroller at its end while the reader is there. Otherwise, keeps the first visible entry in its place,
 * whatever changes above it.
 */
export class FollowEnd {
  private following = true;
  /** The reader has just turned the wheel up, and the scroller may not have moved yet. */
  private isLeaving = false;
  private leaving: ReturnType<typeof setTimeout> | undefined;
  private active = false;
  private lastTop = 0;
  private lastHeight = 0;
  private anchor: ReadingPlace | undefined;
  private readonly observer = new ResizeObserver(() => this.settle());

  constructor(
    private readonly scroller: HTMLElement,
    content: HTMLElement,
    private readonly layout: Layout,
    private readonly changed: () => void,
  ) {
    this.observer.observe(scroller);
    this.observer.observe(content);
    scroller.addEventListener('scroll', this.onScroll, { passive: true });
    scroller.addEventListener('wheel', this.onWheel, { passive: true });
  }

  dispose(): void {
    this.observer.disconnect();
    this.scroller.removeEventListener('scroll', this.onScroll);
    this.scroller.removeEventListener('wheel', this.onWheel);
    clearTimeout(this.leaving);
  }

  get isFollowing(): boolean {
    return this.following;
  }

  get firstSeen(): ReadingPlace | undefined {
    return this.layout.firstSeen();
  }

  /** Undefined while at the end. */
  get place(): ReadingPlace | undefined {
    return this.following || !this.active ? undefined : this.anchor;
  }

  get isAway(): boolean {
    return this.active && !this.following && distanceToEnd(this.position()) > NEAR_END;
  }

  get isScrolled(): boolean {
    return this.scroller.scrollTop > 0;
  }

  toEnd(active: boolean): void {
    this.noteScroll();
    this.following = true;
    this.settle(active);
  }

  /** The reader opened something or moved: new text at the end must not push it out of view. */
  hold(): void {
    this.following = false;
    this.anchor = this.layout.firstSeen();
  }

  /** Moves a drawn entry to this place. */
  moveTo(place: ReadingPlace): void {
    this.noteScroll();
    this.following = false;
    this.anchor = place;
    this.settle();
  }

  /** Called after entries were drawn. Without a conversation, there is no end to follow: it is read from the top. */
  settle(active = this.active): void {
    this.active = active;
    if (this.scroller.clientHeight === 0 || !this.active) return;
    // If the reader just scrolled, the event has not arrived yet. A shorter content moves the scroller, too.
    const isShorter = this.scroller.scrollHeight < this.lastHeight;
    if (!isShorter && distanceToEnd(this.position()) > 1) this.noteScroll();
    if (this.following) {
      this.scroller.scrollTop = this.scroller.scrollHeight;
    } else {
      this.keepPlace();
      this.following = !this.isLeaving && distanceToEnd(this.position()) <= 1;
    }
    this.lastTop = this.scroller.scrollTop;
    this.lastHeight = this.scroller.scrollHeight;
    this.changed();
  }

  private keepPlace(): void {
    const { anchor } = this;
    const top = anchor && this.layout.topOf(anchor.id);
    if (anchor && top !== undefined && Math.abs(top - anchor.offset) >= 1)
      this.scroller.scrollTop += top - anchor.offset;
    // At the very top or end, the anchor may not be where it was.
    this.anchor = this.layout.firstSeen();
  }

  private readonly onScroll = (): void => {
    if (this.noteScroll()) this.changed();
  };

  /** Setting the position while smooth scrolling begins would end it, so the end is left before the first scroll event. */
  private readonly onWheel = ({ deltaY, target }: WheelEvent): void => {
    if (deltaY >= 0 || !this.following || !this.isScrolled || scrollsInside(target)) return;
    this.hold();
    this.isLeaving = true;
    clearTimeout(this.leaving);
    this.leaving = setTimeout(() => {
      this.isLeaving = false;
    }, LEAVING_MS);
  };

  /** Returns false if the reader did not scroll. */
  private noteScroll(): boolean {
    // The event of a scroll by this class arrives one frame late, when new content may already be below the old end.
    if (Math.abs(this.scroller.scrollTop - this.lastTop) < 1) return false;
    this.following = followsAfterScroll(this.lastTop, this.position());
    this.lastTop = this.scroller.scrollTop;
    this.anchor = this.layout.firstSeen();
    return true;
  }

  private position(): ScrollPosition {
    const { scrollTop, clientHeight, scrollHeight } = this.scroller;
    return { top: scrollTop, viewport: clientHeight, content: scrollHeight };
  }
}
