import { distanceToEnd } from './scrolling.ts';

/** A tolerance in pixels, because sizes are rounded and scroll positions are not. */
const CLOSE = 2;

/** Tracks which boxes have been read: those whose content fits, and those that were scrolled to their end once. */
export class ReadToEnd {
  private boxes: readonly HTMLElement[] = [];
  private readonly reached = new WeakSet<HTMLElement>();
  private readonly observer: ResizeObserver;

  constructor(private readonly changed: () => void) {
    this.observer = new ResizeObserver(changed);
  }

  /** The first box that is not read to its end; undefined if everything is read. */
  get unread(): HTMLElement | undefined {
    return this.boxes.find((box) => !this.isRead(box));
  }

  follow(boxes: readonly HTMLElement[]): void {
    if (boxes.length === this.boxes.length && boxes.every((box, index) => box === this.boxes[index])) return;
    this.stop();
    this.boxes = boxes;
    for (const box of boxes) {
      box.addEventListener('scroll', this.onScroll, { passive: true });
      // The size of the box is limited, but its content may still grow.
      for (const part of [box, ...box.children]) this.observer.observe(part);
    }
  }

  /** The content of the boxes was replaced. */
  forget(): void {
    for (const box of this.boxes) this.reached.delete(box);
  }

  stop(): void {
    this.observer.disconnect();
    for (const box of this.boxes) box.removeEventListener('scroll', this.onScroll);
    this.boxes = [];
  }

  private isRead(box: HTMLElement): boolean {
    return this.reached.has(box) || (box.clientHeight > 0 && box.scrollHeight <= box.clientHeight + CLOSE);
  }

  private readonly onScroll = ({ target }: Event): void => {
    const box = target as HTMLElement;
    const position = { top: box.scrollTop, viewport: box.clientHeight, content: box.scrollHeight };
    if (box.clientHeight === 0 || distanceToEnd(position) > CLOSE) return;
    this.reached.add(box);
    this.changed();
  };
}
