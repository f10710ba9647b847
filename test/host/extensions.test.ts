import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Notice } from '../../extension/protocol/input-to-panel.ts';
import { pickExtensions } from '../../extension/vscode/extensions/extension-picker.ts';
import { everything, installExtension } from '../support/gemini-extensions.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('Extensions of Gemini CLI, in VS Code', () => {
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let window: PanelWindow;
  let answers: WindowAnswers;
  let asked = 0;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    home = await createTempWorkspace();
    const environment = { PATH: process.env['PATH'] ?? '', GEMINI_CLI_HOME: home.path };
    window = new PanelWindow(testHost({ roots: [folder.path], environment }), new Map());
    answers = new WindowAnswers();
    answers.pressing(undefined);
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
  });
  afterEach(async () => {
    answers.restore();
    await window.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await folder.dispose();
    await home.dispose();
  });

  async function noticeOf(text: string): Promise<Notice> {
    const ref = ++asked;
    const before = window.end.posted.length;
    window.end.say({ type: 'slash', ref, text });
    await window.end.waitUntilFound((message) => message.type === 'sent' && message.ref === ref && message);
    const posted = window.end.posted.slice(before).find((message) => message.type === 'notice');
    assert.ok(posted, `${text} says nothing`);
    return posted.notice;
  }

  const overrides = async (): Promise<unknown> =>
    JSON.parse(await readFile(join(home.path, '.gemini', 'extensions', 'extension-enablement.json'), 'utf8'));
  const states = (rows: Notice['rows']): string[] =>
    rows.map(({ name, value }) => `${name}: ${value.split(' · ')[0] ?? ''}`);

  it('are listed by /extensions, and lead to their manifests', async () => {
    await installExtension(home.path, 'issues', everything('issues'));
    const { rows } = await noticeOf('/extensions');
    assert.deepEqual(states(rows), ['issues: 1.0.0, on in this folder']);
    window.end.say({ type: 'openNotice', link: rows[0]?.link });
    await window.end.waitUntil(
      () => vscode.window.activeTextEditor?.document.uri.fsPath.endsWith('gemini-extension.json') === true,
    );
  });

  it('are switched where they are ticked, and nothing is written when the list is left', async () => {
    await installExtension(home.path, 'a');
    await installExtension(home.path, 'b');
    answers.picking(() => undefined);
    await pickExtensions(window.runtime);
    await assert.rejects(overrides(), { code: 'ENOENT' });
    answers.picking((items) => items.filter(({ label }) => label === 'b'));
    await pickExtensions(window.runtime);
    assert.deepEqual(
      answers.asked.at(-1)?.items.map(({ label, picked }) => `${label} ${picked}`),
      ['a true', 'b true'],
    );
    assert.deepEqual(await overrides(), { a: { overrides: [`!${folder.path}/*`] } });
    assert.deepEqual(states((await noticeOf('/extensions')).rows), [
      'a: 1.0.0, off in this folder',
      'b: 1.0.0, on in this folder',
    ]);
    answers.picking((items) => items);
    await pickExtensions(window.runtime);
    assert.deepEqual(
      answers.asked.at(-1)?.items.map(({ picked }) => picked),
      [false, true],
    );
    assert.deepEqual(await overrides(), { a: { overrides: [`${folder.path}/*`] } });
  });

  it('are in the palette', async () => {
    const commands = await vscode.commands.getCommands(true);
    assert.ok(commands.includes('gantry.extensions'));
  });
});
