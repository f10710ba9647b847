import assert from 'node:assert/strict';
import { layoutFaults } from '../support/panel/layout.ts';
import { SCENES, type SceneName } from '../support/panel/scenes.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { isFullRun, some } from '../support/test-size.ts';

/** In CSS pixels. At a zoom of 200 % there are half as many: the second of 600 × 700. */
const SIZES = [
  { width: 250, height: 700 },
  { width: 300, height: 350 },
  // As high as what the highest scene shows at this width, so that all of it is looked at.
  { width: 300, height: 1250 },
  { width: 480, height: 760 },
  { width: 1200, height: 900 },
];

const NAMES = Object.keys(SCENES) as SceneName[];
const TURNED = some(NAMES, 0);

/** In `npm test`, each scene in one direction: the layout is the same one, mirrored. */
const DIRECTIONS = [
  { where: 'from left to right', tag: 'en', names: isFullRun ? NAMES : NAMES.filter((name) => !TURNED.includes(name)) },
  { where: 'from right to left', tag: 'he', names: TURNED },
];

describe('the panel has room', () => {
  const bench = usePanel();

  for (const { where, tag, names } of DIRECTIONS) {
    for (const name of names) {
      it(`for ${name}, ${where}`, async () => {
        const panel = await SCENES[name](bench, { ...SIZES[0], language: { tag } });
        const faults: string[] = [];
        for (const size of SIZES) {
          await panel.page.setViewportSize(size);
          for (const theme of SHOWN_THEMES) {
            await panel.setTheme(theme);
            await panel.drawn();
            // Not compared with pictures: every browser draws the edges of letters and icons in its own way.
            const found = await panel.page.evaluate(layoutFaults);
            faults.push(...found.map((fault) => `${size.width} × ${size.height}, ${theme}: ${fault}`));
          }
          await panel.screenshot(`room/${name}-${tag}-${size.width}-${size.height}`);
        }
        assert.deepEqual(faults, []);
      });
    }
  }
});
