import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser } from '../browser.ts';
import { folderName } from '../evidence.ts';
import { type PanelOptions, PanelPage } from './panel-page.ts';

export interface PanelBench {
  /** Opens the built panel in a page of its own, closed when the test ends. */
  open(options?: PanelOptions): Promise<PanelPage>;
}

/**
 * Call it inside `describe`: one browser for the suite, a fresh page per panel. A failed test leaves a picture of each
 * panel. The panel is the one in `dist/webview`.
 *
 * ```ts
 * const bench = usePanel();
 * it('sends', async () => {
 *   const panel = await bench.open({ theme: 'light', width: 300, entries: [said('Hello')] });
 *   await panel.message.fill('Hi');
 *   await panel.message.press('Enter');
 *   assert.equal((await panel.next('send')).text, 'Hi');
 * ```
 */
export function usePanel(): PanelBench {
  let browser: Browser | undefined;
  const contexts: BrowserContext[] = [];
  const panels: PanelPage[] = [];

  before(async function () {
    // The first suite on a machine gets a browser first.
    this.timeout(10 * 60_000);
    browser = await launchBrowser();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      const folder = join('failed', folderName(this.currentTest.fullTitle()));
      await Promise.allSettled(panels.map((panel, index) => panel.screenshot(join(folder, String(index + 1)))));
    }
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    panels.length = 0;
  });

  after(() => browser?.close());

  return {
    open: async (options) => {
      if (!browser) throw new Error('usePanel() is for tests inside the describe() that called it.');
      const { scale } = options ?? {};
      const context = await browser.newContext({
        timezoneId: 'UTC',
        ...(scale !== undefined && { deviceScaleFactor: scale }),
      });
      contexts.push(context);
      const panel = await PanelPage.open(context, options);
      panels.push(panel);
      return panel;
    },
  };
}
