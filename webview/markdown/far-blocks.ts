/** Blocks within this distance of the viewport are on the page. */
const NEAR = '1000px 0px';

/**
 * Removes the blocks of an answer that are far from the viewport, group by group, and reserves their space: an answer
 * of a thousand paragraphs costs only as much as its visible part.
 */
export class FarBlocks {
  private readonly away = new Map<Element, DocumentFragment>();
  private readonly groups: HTMLElement[] = [];
  private observer: IntersectionObserver | undefined;
  private isOff = false;

  constructor(private readonly answer: HTMLElement) {}

  /** Adds a group that will not change any more. */
  add(group: HTMLElement): void {
    this.groups.push(group);
    if (this.observer) this.observer.observe(group);
    else this.watch();
  }

  /** Called when the answer is added to the page. */
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

  /** Restores all blocks permanently, because a search needs them. */
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
    // Read the state of all groups first: after each change, the browser would have to lay out the page again.
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

/** True if the group contains selected text or the focus. */
function isInUse(group: Element): boolean {
  const selection = getSelection();
  const isSelected = selection !== null && !selection.isCollapsed && selection.containsNode(group, true);
  return isSelected || group.contains(document.activeElement);
}
