/**
 * Keeps the focus near an element that is removed, such as a question that was answered elsewhere or a finished row.
 * Otherwise the focus would return to the top of the page.
 */
export class FocusKeeper {
  private focused: Element | undefined;
  /** The focusable ancestors of the focused element, innermost first. */
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
    // The input is never removed, so nothing is observed while the user types.
    if (target instanceof HTMLTextAreaElement) this.observer.disconnect();
    else this.observer.observe(this.root, { childList: true, subtree: true });
  };

  private look(): void {
    if (this.focused?.isConnected) return;
    this.observer.disconnect();
    // Don't take the focus if the page is not focused.
    if (document.activeElement !== document.body || !document.hasFocus()) return;
    const near = this.around.find((element) => element.isConnected && !element.closest('[inert]'));
    if (near) near.focus({ preventScroll: true });
    else this.toInput();
  }
}

function* ancestors(element: Element, root: Element): Generator<HTMLElement> {
  for (let around = element.parentElement; around && around !== root; around = around.parentElement) yield around;
}
