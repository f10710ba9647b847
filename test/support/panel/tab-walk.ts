import type { PanelPage } from './panel-page.ts';

/** More stops than any page has. */
const MOST_STOPS = 400;

/**
 * Presses Tab from the top of the page until the focus leaves it. Returns all stops, and those without a visible focus.
 */
export async function tabWalk(panel: PanelPage): Promise<{ names: string[]; unmarked: string[] }> {
  await panel.page.evaluate(prepare);
  const names: string[] = [];
  const unmarked: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await panel.page.keyboard.press('Tab');
    const at = await panel.page.evaluate(arrived);
    if (!at) break;
    names.push(at.name);
    if (!at.isMarked) unmarked.push(at.name);
  }
  return { names, unmarked };
}

/** Runs in the page: sets the focus before its first element. */
function prepare(): void {
  (document.activeElement as HTMLElement | null)?.blur();
  document.body.tabIndex = -1;
  document.body.focus();
  // Popups close when the focus leaves them, and nothing is pressed here.
  document.body.dataset['walked'] = '';
}

/** Runs in the page: the focused element, or undefined if it was the last one, or was already reached. */
function arrived(): { name: string; isMarked: boolean } | undefined {
  const host = document.activeElement;
  if (!(host instanceof HTMLElement) || host === document.body || host.hasAttribute('data-reached')) return undefined;
  host.setAttribute('data-reached', '');
  const inner = host.shadowRoot?.activeElement;
  const chain: Element[] = inner ? [inner] : [];
  for (let element: Element | null = host; element && chain.length < 5; element = element.parentElement)
    chain.push(element);
  const isForced = matchMedia('(forced-colors: active)').matches;
  const look = (): string =>
    JSON.stringify(
      chain.map((element) => {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } = getComputedStyle(element);
        const outline = outlineStyle === 'none' || outlineWidth === '0px' ? '' : `${outlineWidth} ${outlineColor}`;
        // With forced colours, there are no shadows, and every border has the system's colour.
        return isForced ? [outline] : [outline, boxShadow, borderColor];
      }),
    );
  const focused = look();
  // The next Tab continues from here anyway.
  host.blur();
  const isMarked = look() !== focused;
  const name = host.getAttribute('aria-label') ?? host.textContent?.trim().replace(/\s+/g, ' ').slice(0, 60) ?? '';
  return { name: name || host.outerHTML.slice(0, 80), isMarked };
}
