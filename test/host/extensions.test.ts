import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Notice } from '../../extension/protocol/panel/input-to-panel.ts';
import { pickExtensions } from '../../extension/vscode/extensions/extension-picker.ts';
import { everything, installExtension } from '../support/gemini-extensions.ts';
import { usePanelWindow } from './use-panel-window.ts';

describe('Extensions of Gemini CLI, in VS Code', () => {
  const panel = usePanelWindow();
  beforeEach(() => panel.open());

  const overrides = async (): Promise<unknown> =>
    JSON.parse(await readFile(join(panel.home.path, '.gemini', 'extensions', 'extension-enablement.json'), 'utf8'));
  const states = (rows: Notice['rows']): string[] =>
    rows.map(({ name, value }) => `${name}: ${value.split(' · ')[0] ?? ''}`);

  it('are listed by /extensions, and lead to their manifests', async () => {
    await installExtension(panel.home.path, 'issues', everything('issues'));
    const { rows } = await panel.noticeOf('/extensions');
    assert.deepEqual(states(rows), ['issues: 1.0.0, on in this folder']);
    panel.window.end.say({ type: 'openNotice', link: rows[0]?.link });
    await panel.window.end.waitUntil(
      () => vscode.window.activeTextEditor?.document.uri.fsPath.endsWith('gemini-extension.json') === true,
    );
  });

  it('are switched where they are ticked, and nothing is written when the list is left', async () => {
    await installExtension(panel.home.path, 'a');
    await installExtension(panel.home.path, 'b');
    panel.answers.picking(() => undefined);
    await pickExtensions(panel.window.runtime);
    await assert.rejects(overrides(), { code: 'ENOENT' });
    panel.answers.picking((items) => items.filter(({ label }) => label === 'b'));
    await pickExtensions(panel.window.runtime);
    assert.deepEqual(
      panel.answers.asked.at(-1)?.items.map(({ label, picked }) => `${label} ${picked}`),
      ['a true', 'b true'],
    );
    assert.deepEqual(await overrides(), { a: { overrides: [`!${panel.folder.path}/*`] } });
    assert.deepEqual(states((await panel.noticeOf('/extensions')).rows), [
      'a: 1.0.0, off in this folder',
      'b: 1.0.0, on in this folder',
    ]);
    panel.answers.picking((items) => items);
    await pickExtensions(panel.window.runtime);
    assert.deepEqual(
      panel.answers.asked.at(-1)?.items.map(({ picked }) => picked),
      [false, true],
    );
    assert.deepEqual(await overrides(), { a: { overrides: [`${panel.folder.path}/*`] } });
  });

  it('are in the palette', async () => {
    const commands = await vscode.commands.getCommands(true);
    assert.ok(commands.includes('gantry.extensions'));
  });
});
