import assert from 'node:assert/strict';
import { PAGES } from '../support/panel/pages.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SCENES } from '../support/panel/scenes.ts';
import { tabWalk } from '../support/panel/tab-walk.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { some } from '../support/test-size.ts';

describe('with Tab alone', () => {
  const bench = usePanel();

  for (const [what, open] of some(Object.entries(PAGES), 1)) {
    it(`everything of the page “${what}” can be reached, and is seen to have the focus`, async function () {
      this.timeout(120_000);
      const panel = await open(bench, { theme: 'dark' });
      const { unmarked } = await tabWalk(panel);
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
    await tabWalk(panel);
    await walkByArrows(panel);
    const missed = await panel.page.evaluate(unreached);
    assert.deepEqual(missed, ['<button tabindex="-1">Nobody leads here</button>']);
  });

  it('an empty state whose guide was chosen can be left by the settings', async () => {
    const panel = await bench.open({ state: { offline: true, offlineBySetting: true, model: 'offline guide' } });
    const { names } = await tabWalk(panel);
    for (const name of ['Choose how to connect', 'Keyboard shortcuts', 'Settings'])
      assert.ok(names.includes(name), name);
    assert.ok(!names.includes('Set API key'));
  });
});

/** Through every group in which Tab has a single stop and the arrow keys have the others. */
async function walkByArrows({ page }: PanelPage): Promise<void> {
  for (let group = 0; await page.evaluate(enterGroup, group); group++) {
    for (const key of ['ArrowRight', 'ArrowDown']) {
      do await page.keyboard.press(key);
      while (await page.evaluate(isNewWith, key));
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

/** In the page: whether this key has led to something for the first time. */
function isNewWith(key: string): boolean {
  const at = document.activeElement;
  const keys = at?.getAttribute('data-reached')?.split(' ') ?? [];
  at?.setAttribute('data-reached', [...keys, key].join(' '));
  return at !== null && !keys.includes(key);
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
