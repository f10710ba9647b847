/** Nearer than this to what the reader sees, blocks are on the page. */
const NEAR = '1000px 0px';

/**
 * Takes the blocks of an answer that are far from the reader off the page, group by group, and leaves room for them: an
 * answer of a thousand paragraphs costs what its neighbourhood costs.
 */
export class FarBlocks {
  private readonly away = new Map<Element, DocumentFragment>();
  private readonly groups: HTMLElement[] = [];
  private observer: IntersectionObserver | undefined;
  private isOff = false;

  constructor(private readonly answer: HTMLElement) {}

  /** Nothing in this group will change any more. */
  add(group: HTMLElement): void {
    this.groups.push(group);
    if (this.observer) this.observer.observe(group);
    else this.watch();
  }

  /** The answer is on the page, or again. */
  watch(): void {
    if (this.isOff || this.observer || this.groups.length === 0) return;
    const root = this.answer.closest('.log');
    if (!root) return;
    this.observer = new IntersectionObserver((seen) => this.follow(seen), { root, rootMargin: NEAR });
    for (const group of this.groups) this.observer.observe(group);
  }

  rest(): void {
    this.observer?.disconnect();
    this.observer = undefined;
  }

  /** All of it is on the page from now on: somebody looks for something in it. */
  drawAll(): void {
    this.isOff = true;
    this.rest();
    for (const group of [...this.away.keys()]) this.bringBack(group);
  }

  forget(): void {
    this.rest();
    this.away.clear();
    this.groups.length = 0;
  }

  private follow(seen: readonly IntersectionObserverEntry[]): void {
    // Asked about all of them first: after each change, the browser would lay out the page again for the next answer.
    const far = seen.filter(
      ({ target, isIntersecting, boundingClientRect }) =>
        !isIntersecting && boundingClientRect.height > 0 && !isInUse(target),
    );
    for (const { target, boundingClientRect } of far) this.takeAway(target, boundingClientRect.height);
    for (const { target, isIntersecting } of seen) if (isIntersecting) this.bringBack(target);
  }

  private takeAway(group: Element, height: number): void {
    if (!(group instanceof HTMLElement) || this.away.has(group)) return;
    const content = document.createDocumentFragment();
    content.append(...group.childNodes);
    group.style.blockSize = `${height}px`;
    this.away.set(group, content);
  }

  private bringBack(group: Element): void {
    const content = this.away.get(group);
    if (!(group instanceof HTMLElement) || !content) return;
    group.style.blockSize = '';
    group.append(content);
    this.away.delete(group);
  }
}

/** The reader has selected something in it, or the focus is there. */
function isInUse(group: Element): boolean {
  const selection = getSelection();
  const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(group, true);
  return isSelected || group.contains(document.activeElement);
}
