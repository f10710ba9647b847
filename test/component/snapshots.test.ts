import assert from 'node:assert/strict';
import { compared } from '../support/panel/compared.ts';
import { SCENES, type SceneName } from '../support/panel/scenes.ts';
import { SNAPSHOT_FONTS, THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

/** As high as what they show is at 300 px, so that all of it is compared. */
const HEIGHTS: Partial<Record<SceneName, number>> = {
  conversation: 1250,
  approvals: 1120,
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
    for (const theme of THEMES) {
      it(`${name}, in ${theme}`, async function () {
        this.timeout(60_000);
        const panel = await SCENES[name](bench, { theme, height, width: 300 });
        const hasLetters = await panel.page.evaluate(hasFonts, [...SNAPSHOT_FONTS]);
        assert.ok(hasLetters, `Other letters are other pictures: ${SNAPSHOT_FONTS.join(', ')} have to be there.`);
        const faults: string[] = [];
        for (const width of WIDTHS) {
          await panel.setWidth(width);
          faults.push(await compared(panel.page, `${name}-${theme}-${width}`));
        }
        assert.equal(faults.join('\n').trim(), '');
      });
    }
  }
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
