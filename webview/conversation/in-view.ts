/** Tells when an element comes into the reader's view and when it leaves it, clipped by whatever scrolls around it. */
export class InView {
  private readonly observer: IntersectionObserver;

  constructor(
    private readonly element: Element,
    changed: (inView: boolean) => void,
  ) {
    this.observer = new IntersectionObserver((seen) => changed(seen.at(-1)?.isIntersecting ?? false));
  }

  start(): void {
    this.observer.observe(this.element);
  }

  stop(): void {
    this.observer.disconnect();
  }
}
