/**
 * What has the focus may go: a question that was answered elsewhere, a row that is done. The reader stays near it then, and
 * does not begin at the top of the page again.
 */
export class FocusKeeper {
  private focused: Element | undefined;
  /** What around it can have the focus, from the inside out. */
  private around: readonly HTMLElement[] = [];
  private readonly observer = new MutationObserver(() => this.look());

  constructor(
    private readonly root: HTMLElement,
    private readonly toInput: () => void,
  ) {
    root.addEventListener('focusin', this.follow);
  }

  dispose(): void {
    this.root.removeEventListener('focusin', this.follow);
    this.observer.disconnect();
  }

  private readonly follow = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    this.focused = target;
    this.around = [...ancestors(target, this.root)].filter((element) => element.hasAttribute('tabindex'));
    // The input stays; while somebody types there is nothing to watch.
    if (target instanceof HTMLTextAreaElement) this.observer.disconnect();
    else this.observer.observe(this.root, { childList: true, subtree: true });
  };

  private look(): void {
    if (this.focused?.isConnected) return;
    this.observer.disconnect();
    // Of a page that nobody is in, nothing takes the focus.
    if (document.activeElement !== document.body || !document.hasFocus()) return;
    const near = this.around.find((element) => element.isConnected && !element.closest('[inert]'));
    if (near) near.focus({ preventScroll: true });
    else this.toInput();
  }
}

function* ancestors(element: Element, root: Element): Generator<HTMLElement> {
  for (let around = element.parentElement; around && around !== root; around = around.parentElement) yield around;
}
