import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { Chat } from '../support/chat.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startVsCode, type VsCodeOptions, type VsCodeServer } from '../support/vscode/server.ts';
import { Workbench } from '../support/workbench.ts';
import { MODEL } from './production-runtime.ts';

/** A window of VS Code with Gantry's panel open, and its model. */
export interface BenchWindow {
  readonly gemini: GeminiEndpoint;
  readonly page: Page;
  readonly workbench: Workbench;
  readonly chat: Chat;
}

export async function inWindow<T>(
  folder: string,
  work: (window: BenchWindow) => Promise<T>,
  options: Pick<VsCodeOptions, 'extensions'> = {},
): Promise<T> {
  const gemini = await startGeminiEndpoint();
  const env = { GOOGLE_GEMINI_BASE_URL: gemini.url };
  // If Gantry chose the model, it would ask one about each message first.
  const settings = { 'gantry.model.name': MODEL };
  try {
    return await onPage({ env, settings, ...options }, async (page, server) => {
      const workbench = new Workbench(page, server);
      await workbench.open({ folder });
      return work({ gemini, page, workbench, chat: await Chat.open(workbench) });
    });
  } finally {
    await gemini.dispose();
  }
}

/** A window with an extension in Gantry's place that does nothing, to compare with. */
export async function inPlainWindow<T>(folder: string, work: (page: Page) => Promise<T>): Promise<T> {
  const extension = await tempFolder('bench-extension');
  const manifest = { publisher: 'gantry', name: 'plain', version: '1.0.0', engines: { vscode: '*' } };
  await writeFile(join(extension.path, 'package.json'), JSON.stringify(manifest));
  try {
    return await onPage({ extensionRoot: extension.path }, async (page, server) => {
      await page.goto(server.urlFor({ folder }), { waitUntil: 'commit' });
      await page.locator('.part.statusbar').waitFor();
      return work(page);
    });
  } finally {
    await extension.dispose();
  }
}

async function onPage<T>(
  options: Partial<VsCodeOptions>,
  work: (page: Page, server: VsCodeServer) => Promise<T>,
): Promise<T> {
  const server = await startVsCode({ release: 'newest', trust: 'all', ...options });
  const browser = await launchBrowser();
  try {
    return await work(await browser.newPage({ viewport: { width: 1280, height: 800 } }), server);
  } finally {
    await browser.close();
    await server.dispose();
  }
}
