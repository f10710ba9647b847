import assert from 'node:assert/strict';
import { findBrowser } from '../support/browser.ts';
import { compared } from '../support/panel/compared.ts';
import { layoutFaults } from '../support/panel/layout.ts';
import { SCENES, type SceneName } from '../support/panel/scenes.ts';
import { SHOWN_THEMES, SNAPSHOT_FONTS } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

/** As high as what they show is at 300 px, so that all of it is compared. */
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

describe('the panel looks as it did', () => {
  const bench = usePanel();

  for (const [name, height] of Object.entries(HEIGHTS) as [SceneName, number][]) {
    for (const theme of SHOWN_THEMES) {
      it(`${name}, in ${theme}`, async () => {
        const panel = await SCENES[name](bench, { theme, height, width: 300 });
        const { isPinned } = await findBrowser();
        const faults: string[] = [];
        for (const width of WIDTHS) {
          await panel.setWidth(width);
          await panel.drawn();
          // Every browser draws the edges of letters and icons in its own way: elsewhere only the places count.
          if (isPinned) faults.push(await compared(panel.page, `${name}-${theme}-${width}`));
          else faults.push(...(await panel.page.evaluate(layoutFaults)));
        }
        assert.equal(faults.join('\n').trim(), '');
        if (isPinned) assert.ok(await panel.page.evaluate(hasFonts, [...SNAPSHOT_FONTS]), 'Other letters.');
      });
    }
  }

  it('is not said of another browser than the one that the pictures are from', async () => {
    const { isPinned } = await findBrowser();
    const update = process.env['GANTRY_UPDATE_SNAPSHOTS'] === '1';
    assert.ok(isPinned || !update, "Pictures are made anew with npm's Chromium only: on Linux on x64.");
  });
});

/** Runs in the page: whether each of them is there, and not what stands in for it. */
function hasFonts(fonts: readonly string[]): boolean {
  const context = document.createElement('canvas').getContext('2d');
  const widthIn = (font: string): number | undefined => {
    if (context) context.font = `20px ${font}`;
    return context?.measureText('How wide is it?').width;
  };
  return fonts.every((font) => widthIn(`"${font}", serif`) !== widthIn('serif'));
}
