import type { PanelPage } from './panel-page.ts';

/** More stops than any of the pages has. */
const MOST_STOPS = 400;

/** With Tab from the top of the page to its end, which is where the focus leaves it: all stops, and those that do not look it. */
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

/** In the page: the way begins before its first element. */
function prepare(): void {
  (document.activeElement as HTMLElement | null)?.blur();
  document.body.tabIndex = -1;
  document.body.focus();
  // Popups close when the focus leaves them, and nothing is pressed here.
  document.body.dataset['walked'] = '';
}

/** In the page: what has the focus now, or undefined when that was the last, or was met before. */
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
        // The system takes shadows away and gives every border its own colour.
        return isForced ? [outline] : [outline, boxShadow, borderColor];
      }),
    );
  const focused = look();
  // The next Tab goes on from here all the same.
  host.blur();
  const isMarked = look() !== focused;
  const name = host.getAttribute('aria-label') ?? host.textContent?.trim().replace(/\s+/g, ' ').slice(0, 60) ?? '';
  return { name: name || host.outerHTML.slice(0, 80), isMarked };
}
