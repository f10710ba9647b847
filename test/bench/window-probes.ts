/** What the bench of the window runs in the panel's page. Each function is sent there as it is, and can use nothing from outside. */

/** Times of day in ms, with fractions. */
interface Seen {
  readonly pressed: number;
  readonly painted: number;
}

declare global {
  interface Window {
    whatWasSeen?: Seen | undefined;
  }
}

/** Notes when the key is pressed, and when an element with the text is then painted. */
export function watchFor({ key, selector, text }: { key: string; selector: string; text: string }): void {
  let pressed = Number.NaN;
  window.whatWasSeen = undefined;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== key) return;
    pressed = performance.timeOrigin + event.timeStamp;
    document.removeEventListener('keydown', onKey, true);
  };
  document.addEventListener('keydown', onKey, true);
  const observer = new MutationObserver(() => {
    if (![...document.querySelectorAll(selector)].some((element) => element.textContent?.includes(text))) return;
    observer.disconnect();
    // A timer of a frame runs when the frame is painted.
    requestAnimationFrame(() =>
      setTimeout(() => {
        window.whatWasSeen = { pressed, painted: performance.timeOrigin + performance.now() };
      }),
    );
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
}

export function seen(): Seen | undefined {
  return window.whatWasSeen;
}
