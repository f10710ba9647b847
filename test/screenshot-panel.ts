import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { launchBrowser } from './support/browser.ts';
import { PanelTab } from './support/panel/panel-tab.ts';
import { SCENES, type SceneName, type SceneOptions } from './support/panel/scenes.ts';
import type { PanelBench } from './support/panel/use-panel.ts';
import { repoRoot } from './support/repo.ts';

/** The screens in the README, from left to right. */
const SHOWN: readonly (readonly [SceneName, SceneOptions['theme']])[] = [
  ['conversation', 'dark'],
  ['sessions', 'light'],
  ['rewind', 'dark'],
  ['plan', 'light'],
];
const [WIDTH, HEIGHT, GAP, SCALE] = [320, 760, 16, 2];

/** The second picture in the README: the built panel, in two themes. `npm run screenshot` makes both. */
const browser = await launchBrowser();
const bench: PanelBench = {
  open: async (options) =>
    (await PanelTab.open(await browser.newContext({ deviceScaleFactor: SCALE, timezoneId: 'UTC' }))).show(options),
};
const row = new PNG({
  width: SCALE * (SHOWN.length * (WIDTH + GAP) - GAP),
  height: SCALE * HEIGHT,
});
for (const [index, [name, theme = 'dark']] of SHOWN.entries()) {
  const panel = await SCENES[name](bench, { theme, width: WIDTH, height: HEIGHT });
  await panel.page.mouse.move(0, 0);
  const picture = PNG.sync.read(await panel.page.screenshot({ animations: 'disabled', caret: 'hide' }));
  PNG.bitblt(picture, row, 0, 0, picture.width, picture.height, SCALE * index * (WIDTH + GAP), 0);
}
await writeFile(join(repoRoot, 'media', 'screens.png'), PNG.sync.write(row, { deflateLevel: 9, deflateStrategy: 0 }));
process.exit(0);
