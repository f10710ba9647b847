import assert from 'node:assert/strict';
import { layoutFaults } from '../support/panel/layout.ts';
import { SCENES, type SceneName, type SceneOptions } from '../support/panel/scenes.ts';
import { usePanel } from '../support/panel/use-panel.ts';

/** A page that is zoomed has fewer CSS pixels, and each of them more of the screen's. */
const ROOMS: Readonly<Record<string, SceneOptions>> = {
  'in 250 px': { width: 250, height: 700 },
  'in 600 × 700 px at a zoom of 200 %': { width: 300, height: 350, scale: 2 },
  'in 1,200 px': { width: 1200, height: 900 },
  'from right to left': { width: 300, height: 700, language: { tag: 'he' } },
};

describe('the panel has room', () => {
  const bench = usePanel();

  for (const [where, options] of Object.entries(ROOMS)) {
    for (const name of Object.keys(SCENES) as SceneName[]) {
      it(`for ${name}, ${where}`, async function () {
        this.timeout(60_000);
        const panel = await SCENES[name](bench, options);
        const faults = await panel.page.evaluate(layoutFaults);
        await panel.screenshot(`room/${name}-${where.replaceAll(/\W+/g, '-')}`);
        assert.deepEqual(faults, []);
      });
    }
  }
});
