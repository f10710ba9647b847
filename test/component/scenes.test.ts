import assert from 'node:assert/strict';
import { layoutFaults } from '../support/panel/layout.ts';
import { SCENES, type SceneName } from '../support/panel/scenes.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

/** As high as what they show is at 300 px, so that all of it is looked at. */
const HEIGHTS: Partial<Record<SceneName, number>> = {
  conversation: 1250,
  approvals: 620,
  plan: 900,
  errors: 700,
  shelf: 700,
  sessions: 620,
  rewind: 760,
  empty: 560,
};

const WIDTHS = [300, 480, 1200];

describe('everything is in its place', () => {
  const bench = usePanel();

  for (const [name, height] of Object.entries(HEIGHTS) as [SceneName, number][]) {
    for (const theme of SHOWN_THEMES) {
      it(`${name}, in ${theme}`, async () => {
        const panel = await SCENES[name](bench, { theme, height, width: 300 });
        const faults: string[] = [];
        for (const width of WIDTHS) {
          await panel.setWidth(width);
          await panel.drawn();
          // Not compared with pictures: every browser draws the edges of letters and icons in its own way.
          faults.push(...(await panel.page.evaluate(layoutFaults)));
        }
        assert.equal(faults.join('\n').trim(), '');
      });
    }
  }
});

describe('in high contrast', () => {
  const bench = usePanel();

  it('a link is underlined, and one line is between two banners', async () => {
    const errors = await SCENES.errors(bench, { theme: 'hc-light', width: 300 });
    const link = errors.page.getByRole('button', { name: 'Show log' });
    assert.match(await link.evaluate((element) => getComputedStyle(element).textDecorationLine), /underline/);
    const { page } = await SCENES.restricted(bench, { theme: 'hc-light', width: 300 });
    const lines = await page
      .locator('.banner')
      .evaluateAll((banners) =>
        banners.map((banner) => [getComputedStyle(banner).borderTopWidth, getComputedStyle(banner).borderBottomWidth]),
      );
    assert.deepEqual(lines, [
      ['1px', '1px'],
      ['0px', '1px'],
    ]);
  });
});
