import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { gate } from '../support/gemini/gate.ts';
import { call, hold } from '../support/gemini/script.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { inPlainWindow, inWindow } from './bench-window.ts';
import { THINKING_MS } from './first-command.ts';
import { median } from './statistics.ts';

const DIFFS = 9;

/** Milliseconds until a diff is on the screen. The first one in a window loads VS Code's diff editor. */
export interface DiffFigures {
  readonly first: number;
  readonly later: number;
}

/** From the moment the model's call is sent. */
export async function measureDiff(): Promise<DiffFigures> {
  return inTwoFiles((workspace) =>
    inWindow(workspace.path, async ({ gemini, page, chat }) => {
      return measured(page, async (count) => {
        const held = gate();
        const content = `one\n${count}\n`;
        gemini.reply('An edit.', hold(held), call('write_file', { file_path: 'one.txt', content }));
        gemini.reply('Done.');
        await chat.send('Go');
        await held.reached;
        await delay(THINKING_MS);
        return {
          show: () => held.open(),
          close: async () => {
            await chat.tool('write_file').last().getByRole('button', { name: 'Reject', exact: true }).click();
            await chat.finished();
          },
        };
      });
    }),
  );
}

/** The same without Gantry, from the moment an extension calls `vscode.diff`: what VS Code itself takes. */
export async function measurePlainDiff(): Promise<DiffFigures> {
  return inTwoFiles((workspace) =>
    inPlainWindow(workspace.path, PLAIN_EXTENSION, async (page) => {
      await eventually('the extension', () => existsSync(`${workspace.path}/ready`), { timeoutMs: 60_000 });
      return measured(page, async (count) => {
        await delay(THINKING_MS);
        return {
          show: () => workspace.write({ [`open-${count}`]: '' }),
          close: () => workspace.write({ [`close-${count}`]: '' }),
        };
      });
    }),
  );
}

/** Shows a diff and closes its tab whenever a file says so. */
const PLAIN_EXTENSION = `
const vscode = require('vscode');
const fs = require('node:fs');
exports.activate = () => {
  const { uri } = vscode.workspace.workspaceFolders[0];
  const file = (name) => vscode.Uri.joinPath(uri, name);
  fs.watch(uri.fsPath, (event, name) => {
    if (event !== 'rename') return;
    if (name.startsWith('open')) {
      const options = { preview: false, preserveFocus: true };
      vscode.commands.executeCommand('vscode.diff', file('one.txt'), file('two.txt'), 'Plain', options);
    }
    if (name.startsWith('close')) vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
  });
  fs.writeFileSync(file('ready').fsPath, '');
};
`;

interface Diff {
  show(): unknown;
  close(): Promise<void>;
}

async function measured(page: Page, prepare: (count: number) => Promise<Diff>): Promise<DiffFigures> {
  const times: number[] = [];
  for (let count = 0; count < DIFFS; count++) {
    const { show, close } = await prepare(count);
    const start = performance.now();
    await show();
    await page.locator('.monaco-diff-editor .editor.modified .view-line').first().waitFor();
    times.push(performance.now() - start);
    await close();
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
  }
  const [first = Number.NaN, ...later] = times;
  return { first, later: median(later) };
}

async function inTwoFiles<T>(work: (workspace: TempWorkspace) => Promise<T>): Promise<T> {
  const workspace = await createTempWorkspace({ 'one.txt': 'one\ntwo\nthree\n', 'two.txt': 'one\n2\n' });
  try {
    return await work(workspace);
  } finally {
    await workspace.dispose();
  }
}
