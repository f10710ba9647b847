import { launchBrowser } from '../support/browser.ts';
import { Chat } from '../support/chat.ts';
import { gate } from '../support/gemini/gate.ts';
import { call, hold } from '../support/gemini/script.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { startVsCode } from '../support/vscode/server.ts';
import { Workbench } from '../support/workbench.ts';
import { median } from './statistics.ts';

const EDITS = 9;

/** From the moment the model's call is sent until its diff is on the screen. The first one loads the diff editor. */
export async function measureDiff(): Promise<{ readonly first: number; readonly later: number }> {
  const gemini = await startGeminiEndpoint();
  const workspace = await createTempWorkspace({ 'list.txt': 'one\ntwo\nthree\n' });
  const env = { GOOGLE_GEMINI_BASE_URL: gemini.url };
  const server = await startVsCode({ release: 'newest', trust: 'all', env });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const workbench = new Workbench(page, server);
    await workbench.open({ folder: workspace.path });
    const chat = await Chat.open(workbench);
    const times: number[] = [];
    for (let edit = 0; edit < EDITS; edit++) {
      const held = gate();
      gemini.reply('An edit.', hold(held), call('write_file', { file_path: 'list.txt', content: `one\n${edit}\n` }));
      gemini.reply('Done.');
      await chat.send('Go');
      await held.reached;
      const start = performance.now();
      held.open();
      await page.locator('.monaco-diff-editor .editor.modified .view-line').first().waitFor();
      times.push(performance.now() - start);
      await chat.tool('write_file').last().getByRole('button', { name: 'Reject', exact: true }).click();
      await chat.finished();
      await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    }
    const [first = Number.NaN, ...later] = times;
    return { first, later: median(later) };
  } finally {
    await browser.close();
    await server.dispose();
    await gemini.dispose();
    await workspace.dispose();
  }
}
