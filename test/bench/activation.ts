import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { eventually } from '../support/poll.ts';
import { startVsCode, type VsCodeServer } from '../support/vscode/server.ts';
import { Workbench } from '../support/workbench.ts';
import { median, percentile } from './statistics.ts';

const WINDOWS = 15;
/** Gantry keeps what it compiled 20 s after an activation. */
const KEPT_WITHIN_MS = 60_000;

export interface ActivationTimes {
  /** Of the first window after an installation or update, whose code is compiled. */
  readonly first: number;
  readonly median: number;
  readonly p95: number;
}

/** What VS Code itself measured for loading and activating Gantry, in fresh windows: "Show Running Extensions". */
export async function measureActivation(): Promise<ActivationTimes> {
  const server = await startVsCode({ release: 'newest', trust: 'all' });
  const browser = await launchBrowser();
  try {
    const first = await activation(server, browser, () => compiledCodeOf(server));
    const times: number[] = [];
    for (let window = 0; window < WINDOWS; window++) times.push(await activation(server, browser));
    return { first, median: median(times), p95: percentile(times, 95) };
  } finally {
    await browser.close();
    await server.dispose();
  }
}

async function activation(
  server: VsCodeServer,
  browser: Browser,
  afterwards?: () => Promise<unknown>,
): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const workbench = new Workbench(page, server);
  await workbench.open();
  await workbench.openChat();
  await workbench.runCommand('Developer: Show Running Extensions');
  const row = page.locator('.editor-group-container .extension').filter({ hasText: 'Gantry' });
  const text = await row.getByText(/Activation: \d+ms/).textContent();
  await afterwards?.();
  await page.close();
  return Number(/Activation: (\d+)ms/.exec(text ?? '')?.[1]);
}

function compiledCodeOf({ dataDir }: VsCodeServer): Promise<unknown> {
  const folder = join(dataDir, '..', '.gantry', 'cache');
  return eventually(
    'the compiled code of the activation',
    async () => (await readdir(folder).catch(() => [])).find((name) => name.startsWith('surface.js-')),
    { timeoutMs: KEPT_WITHIN_MS },
  );
}
