import { setTimeout as delay } from 'node:timers/promises';
import { gate } from '../support/gemini/gate.ts';
import { call, hold } from '../support/gemini/script.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { inWindow } from './bench-window.ts';
import { THINKING_MS } from './first-command.ts';
import { median } from './statistics.ts';

const EDITS = 9;

/** From the moment the model's call is sent until its diff is on the screen, in ms. The first one loads VS Code's diff editor. */
export async function measureDiff(): Promise<{ readonly first: number; readonly later: number }> {
  const workspace = await createTempWorkspace({ 'list.txt': 'one\ntwo\nthree\n' });
  try {
    return await inWindow(workspace.path, async ({ gemini, page, chat }) => {
      const times: number[] = [];
      for (let edit = 0; edit < EDITS; edit++) {
        const held = gate();
        gemini.reply('An edit.', hold(held), call('write_file', { file_path: 'list.txt', content: `one\n${edit}\n` }));
        gemini.reply('Done.');
        await chat.send('Go');
        await held.reached;
        await delay(THINKING_MS);
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
    });
  } finally {
    await workspace.dispose();
  }
}
