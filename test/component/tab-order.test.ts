import assert from 'node:assert/strict';
import { PAGES } from '../support/panel/pages.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SCENES } from '../support/panel/scenes.ts';
import { usePanel } from '../support/panel/use-panel.ts';

/** More stops than any of these pages has. */
const MOST_STOPS = 400;
const MOST_IN_GROUP = 20;

describe('with Tab alone', () => {
  const bench = usePanel();

  for (const [what, open] of Object.entries(PAGES)) {
    it(`everything of the page “${what}” can be reached, and is seen to have the focus`, async function () {
      this.timeout(120_000);
      const panel = await open(bench, { theme: 'dark' });
      await panel.page.evaluate(prepare);
      const { unmarked } = await walk(panel);
      await walkByArrows(panel);
      assert.deepEqual(await panel.page.evaluate(unreached), [], 'not reached');
      assert.deepEqual(unmarked, [], 'without a focus ring');
    });
  }

  it('what Tab passes over counts as reached only where arrow keys lead to it', async () => {
    const panel = await SCENES.sessions(bench, { theme: 'dark' });
    await panel.page.evaluate(() => {
      const unowned = document.createElement('button');
      unowned.textContent = 'Nobody leads here';
      document.querySelector('[role=toolbar]')?.before(unowned);
      const owned = document.createElement('button');
      owned.textContent = 'The arrows lead here';
      document.querySelector('[role=toolbar]')?.append(owned);
      for (const button of [unowned, owned]) button.tabIndex = -1;
    });
    await panel.page.evaluate(prepare);
    await walk(panel);
    await walkByArrows(panel);
    const missed = await panel.page.evaluate(unreached);
    assert.deepEqual(missed, ['<button tabindex="-1">Nobody leads here</button>']);
  });

  it('an empty state whose guide was chosen can be left by the settings', async () => {
    const panel = await bench.open({ state: { offline: true, offlineBySetting: true, model: 'offline guide' } });
    await panel.page.evaluate(prepare);
    const { names } = await walk(panel);
    for (const name of ['Choose how to connect', 'Keyboard shortcuts', 'Settings'])
      assert.ok(names.includes(name), name);
    assert.ok(!names.includes('Set API key'));
  });
});

/** From the top of the page to its end, which is where the focus leaves it. */
async function walk(panel: PanelPage): Promise<{ names: string[]; unmarked: string[] }> {
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

/** Through every group in which Tab has a single stop and the arrow keys have the others. */
async function walkByArrows({ page }: PanelPage): Promise<void> {
  for (let group = 0; await page.evaluate(enterGroup, group); group++) {
    for (const key of ['ArrowRight', 'ArrowDown']) {
      for (let step = 0; step < MOST_IN_GROUP; step++) {
        await page.keyboard.press(key);
        await page.evaluate(() => document.activeElement?.setAttribute('data-reached', ''));
      }
    }
  }
}

/** In the page: to where Tab has led in the group of this number, among those that need it. False when there are no more. */
function enterGroup(number: number): boolean {
  const ARROW_GROUPS = '[role=toolbar], [role=listbox], [role=radiogroup], [role=menu], [role=tablist], [role=tree]';
  const hasPassedOver = (group: Element): boolean => group.querySelector('[tabindex="-1"]') !== null;
  const groups = [...document.querySelectorAll(ARROW_GROUPS)].filter(hasPassedOver);
  groups[number]?.querySelector<HTMLElement>('[data-reached]')?.focus();
  return number < groups.length;
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
  const look = (): string =>
    JSON.stringify(
      chain.map((element) => {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } = getComputedStyle(element);
        const outline = outlineStyle === 'none' || outlineWidth === '0px' ? '' : `${outlineWidth} ${outlineColor}`;
        return [outline, boxShadow, borderColor];
      }),
    );
  const focused = look();
  // The next Tab goes on from here all the same.
  host.blur();
  const isMarked = look() !== focused;
  const name = host.getAttribute('aria-label') ?? host.textContent?.trim().replace(/\s+/g, ' ').slice(0, 60) ?? '';
  return { name: name || host.outerHTML.slice(0, 80), isMarked };
}

/** In the page: what can be pressed or filled in, is seen, and was not reached. */
function unreached(): string[] {
  const all = document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, vscode-button, summary',
  );
  const missed = [...all].filter((element) => {
    if (element.closest('[inert]') || element.hasAttribute('data-reached') || element.matches(':disabled'))
      return false;
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden' && !isPeer(element);
  });
  return missed.map((element) => element.outerHTML.slice(0, 160));

  /** Of radio buttons, Tab reaches one of their group. */
  function isPeer(element: HTMLElement): boolean {
    if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return false;
    return [...document.querySelectorAll<HTMLInputElement>('input[type=radio][data-reached]')].some(
      (other) => other.name === element.name,
    );
  }
}
