import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { gate } from '../support/gemini/gate.ts';
import { call, hold } from '../support/gemini/script.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTempWorkspace } from '../support/temp-workspace.ts';
import { inWindow } from './bench-window.ts';
import { THINKING_MS } from './first-command.ts';
import { median } from './statistics.ts';

const EDITS = 9;

/** Until a diff is on the screen, in ms: the first of a window, which loads VS Code's diff editor, and the median of more. */
export interface DiffTimes {
  readonly first: number;
  readonly later: number;
}

/** From the moment the model's call is sent, and from a key that only has VS Code compare two files. */
export async function measureDiff(): Promise<{ readonly Gantry: DiffTimes; readonly 'VS Code': DiffTimes }> {
  const workspace = await createTempWorkspace({ 'list.txt': 'one\ntwo\nthree\n', 'other.txt': 'one\n2\nthree\n' });
  const extension = await tempFolder('bench-extension');
  try {
    await writeComparingExtension(extension.path);
    return {
      Gantry: await inWindow(workspace.path, ({ gemini, page, chat }) =>
        timesOf(page, async () => {
          const held = gate();
          gemini.reply('An edit.', hold(held), call('write_file', { file_path: 'list.txt', content: 'one\n2\n' }));
          gemini.reply('Done.');
          await chat.send('Go');
          await held.reached;
          await delay(THINKING_MS);
          return {
            begin: () => held.open(),
            end: async () => {
              await chat.tool('write_file').last().getByRole('button', { name: 'Reject', exact: true }).click();
              await chat.finished();
            },
          };
        }),
      ),
      'VS Code': await inWindow(
        workspace.path,
        ({ page }) =>
          timesOf(page, async () => {
            await delay(THINKING_MS);
            return {
              begin: () => void page.keyboard.press(COMPARES),
              end: () => page.keyboard.press(CLOSES),
            };
          }),
        { extensions: [extension.path] },
      ),
    };
  } finally {
    await extension.dispose();
    await workspace.dispose();
  }
}

interface ShownDiff {
  begin(): void;
  end(): Promise<void>;
}

async function timesOf(page: Page, prepare: () => Promise<ShownDiff>): Promise<DiffTimes> {
  const times: number[] = [];
  for (let edit = 0; edit < EDITS; edit++) {
    const { begin, end } = await prepare();
    const start = performance.now();
    begin();
    await page.locator('.monaco-diff-editor .editor.modified .view-line').first().waitFor();
    times.push(performance.now() - start);
    await end();
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
  }
  const [first = Number.NaN, ...later] = times;
  return { first, later: median(later) };
}

const COMPARES = 'Control+Alt+Shift+F9';
const CLOSES = 'Control+Alt+Shift+F10';

/** The least that an extension can do to show a diff. */
async function writeComparingExtension(folder: string): Promise<void> {
  const bind = (command: string, key: string): object => ({
    command,
    key: key.toLowerCase().replace('control', 'ctrl'),
  });
  const manifest = {
    publisher: 'gantry',
    name: 'comparing',
    version: '1.0.0',
    engines: { vscode: '^1.100.0' },
    main: './main.js',
    activationEvents: ['onStartupFinished'],
    contributes: {
      keybindings: [bind('comparing.show', COMPARES), bind('workbench.action.closeActiveEditor', CLOSES)],
    },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), COMPARING);
}

const COMPARING = `
const vscode = require('vscode');
exports.activate = () => {
  const file = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
  vscode.commands.registerCommand('comparing.show', () =>
    vscode.commands.executeCommand('vscode.diff', file('list.txt'), file('other.txt'), 'Compared', { preview: false }),
  );
};
`;
