import { launchBrowser } from '../support/browser.ts';
import { startVsCode } from '../support/vscode/server.ts';
import { Workbench } from '../support/workbench.ts';
import { median, percentile } from './statistics.ts';

const WINDOWS = 15;

/** What VS Code itself measured for loading and activating Gantry, in fresh windows: "Show Running Extensions". */
export async function measureActivation(): Promise<{ readonly median: number; readonly p95: number }> {
  const server = await startVsCode({ release: 'newest', trust: 'all' });
  const browser = await launchBrowser();
  try {
    const times: number[] = [];
    for (let window = 0; window < WINDOWS; window++) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const workbench = new Workbench(page, server);
      await workbench.open();
      await workbench.openChat();
      await workbench.runCommand('Developer: Show Running Extensions');
      const row = page.locator('.editor-group-container .extension').filter({ hasText: 'Gantry' });
      const text = await row.getByText(/Activation: \d+ms/).textContent();
      times.push(Number(/Activation: (\d+)ms/.exec(text ?? '')?.[1]));
      await page.close();
    }
    return { median: median(times), p95: percentile(times, 95) };
  } finally {
    await browser.close();
    await server.dispose();
  }
}
