/** Reports when an element enters or leaves the viewport, considering the scrolling elements around it. */
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
