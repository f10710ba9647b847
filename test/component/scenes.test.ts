import assert from 'node:assert/strict';
import { SCENES } from '../support/panel/scenes.ts';
import { usePanel } from '../support/panel/use-panel.ts';

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
