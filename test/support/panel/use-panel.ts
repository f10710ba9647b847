import { join } from 'node:path';
import { sharedBrowser } from '../browser.ts';
import { folderName } from '../evidence.ts';
import type { PanelOptions, PanelPage } from './panel-page.ts';
import { PanelTab } from './panel-tab.ts';

export interface PanelBench {
  /** Opens the built panel in a page that no other test uses until this test ends. */
  open(options?: PanelOptions): Promise<PanelPage>;
}

/** Pages that are available for the next panel. A frozen clock is never started again. */
const free: Record<'still' | 'going', PanelTab[]> = { still: [], going: [] };

const clockOf = ({ at }: PanelOptions): keyof typeof free => (at === undefined ? 'going' : 'still');

/**
 * Call this inside `describe`. A failed test leaves a picture of each panel. The panel is the one in `dist/webview`.
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
  const used: { readonly tab: PanelTab; readonly panel: PanelPage; readonly options: PanelOptions }[] = [];

  before(async function () {
    // The first suite on a machine installs a browser first.
    this.timeout(10 * 60_000);
    await sharedBrowser();
  });

  afterEach(async function () {
    const failed = this.currentTest?.state === 'failed';
    if (failed) {
      const folder = join('failed', folderName(this.currentTest?.fullTitle() ?? ''));
      await Promise.allSettled(used.map(({ panel }, index) => panel.picture(join(folder, String(index + 1)))));
    }
    for (const { tab, options } of used.splice(0)) {
      if (failed || options.scale !== undefined) await tab.page.context().close();
      else free[clockOf(options)].push(tab);
    }
  });

  return {
    open: async (options = {}) => {
      const known = options.scale === undefined ? free[clockOf(options)].pop() : undefined;
      const tab = known ?? (await newTab(options));
      const panel = await tab.show(options);
      used.push({ tab, panel, options });
      return panel;
    },
  };
}

async function newTab({ scale }: PanelOptions): Promise<PanelTab> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    timezoneId: 'UTC',
    ...(scale !== undefined && { deviceScaleFactor: scale }),
  });
  return PanelTab.open(context);
}
