import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { HookReview } from '../../extension/vscode/consent/hook-review.ts';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { forEvents, settingsWith } from '../unit/hooks/hook-builders.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('The hooks of a folder', () => {
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let window: PanelWindow;
  let review: HookReview;
  let answers: WindowAnswers;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    home = await createTempWorkspace();
    const environment = { PATH: process.env['PATH'] ?? '', GEMINI_CLI_HOME: home.path };
    const host = testHost({ roots: [folder.path], sessions: join(home.path, 'sessions'), environment });
    window = new PanelWindow(host, new Map());
    review = new HookReview(window.runtime);
    answers = new WindowAnswers();
    answers.pressing(undefined);
    window.end.say({ type: 'ready' });
  });
  afterEach(async () => {
    answers.restore();
    review.dispose();
    await window.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await folder.dispose();
    await home.dispose();
  });

  const hooks = (command: string) => folder.write(settingsWith(forEvents({ BeforeAgent: command })));
  const ran = (): boolean => existsSync(join(folder.path, 'ran'));
  const problems = () => window.session.entries.flatMap((entry) => (entry.kind === 'problem' ? [entry.problem] : []));

  it('wait, are reported once with a button, and run from the next message on after approval of the whole text', async () => {
    await hooks('touch ran');
    await window.ask('Hi');
    await window.ask('Hi again');
    assert.equal(ran(), false);
    assert.equal(problems().length, 1);
    assert.deepEqual(problems()[0]?.actions, ['review-hooks']);
    assert.match(problems()[0]?.detail ?? '', /settings\.json:\d+.*BeforeAgent.*touch ran/);

    answers.picking((items) => items);
    await review.open();
    assert.deepEqual(
      answers.asked.map(({ items, options }) => [items.map(({ label }) => label), options?.canPickMany]),
      [[['1. BeforeAgent'], true]],
    );
    await eventually('the whole text', () =>
      /\n {6}touch ran\n/.test(vscode.window.activeTextEditor?.document.getText() ?? ''),
    );
    const shown = vscode.window.activeTextEditor?.document;
    assert.equal(vscode.workspace.getConfiguration('editor', shown).get('wordWrap'), 'on');
    assert.match(answers.said.join(), /One hook runs/);
    await window.ask('Now');
    assert.equal(ran(), true);
  });

  it('run only as they were ticked', async () => {
    await hooks('touch ran');
    answers.picking(() => []);
    await review.open();
    answers.picking(() => undefined);
    await review.open();
    await window.ask('Hi');
    assert.equal(ran(), false);
  });

  it('ask again when a character changes', async () => {
    await hooks('true');
    answers.picking((items) => items);
    await review.open();
    await hooks('touch ran');
    await window.ask('Hi');
    assert.equal(ran(), false);
    await review.open();
    assert.equal(answers.asked.length, 2);
    await review.open();
    assert.equal(answers.asked.length, 2, 'nothing waits any more');
    assert.match(answers.said.at(-1) ?? '', /No hook requires approval/);
  });

  it('are kept for the next window', async () => {
    await hooks('touch ran');
    answers.picking((items) => items);
    await review.open();
    const environment = { GEMINI_CLI_HOME: home.path };
    const other = new RuntimeLoader(
      testHost({ roots: [folder.path], sessions: join(home.path, 'sessions'), environment }),
    );
    const { hooks: there } = await other.load();
    await there.refresh();
    assert.deepEqual(there.waiting, []);
    await other.dispose();
  });
});
