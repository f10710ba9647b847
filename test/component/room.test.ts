import assert from 'node:assert/strict';
import { layoutFaults } from '../support/panel/layout.ts';
import { SCENES, type SceneName } from '../support/panel/scenes.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { some } from '../support/test-size.ts';

/** In CSS pixels. At a zoom of 200 % there are half as many: the second of 600 × 700. */
const SIZES = [
  { width: 250, height: 700 },
  { width: 300, height: 350 },
  { width: 1200, height: 900 },
];

const NAMES = Object.keys(SCENES) as SceneName[];

const DIRECTIONS = [
  { where: 'from left to right', tag: 'en', names: NAMES },
  { where: 'from right to left', tag: 'he', names: some(NAMES, 0) },
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
          await panel.drawn();
          const found = await panel.page.evaluate(layoutFaults);
          faults.push(...found.map((fault) => `${size.width} × ${size.height}: ${fault}`));
          await panel.screenshot(`room/${name}-${tag}-${size.width}`);
        }
        assert.deepEqual(faults, []);
      });
    }
  }
});
