import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { InputNotices, WaitingCommands } from '../../extension/vscode/terminals/waiting-commands.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('A command that waits for input', () => {
  let folder: TempWorkspace;
  let window: PanelWindow;
  let waiting: WaitingCommands;
  let notices: InputNotices;
  let answers: WindowAnswers;
  let opened: string[];
  const attention = { isOnPanel: false, changed: new vscode.EventEmitter<void>() };

  beforeEach(async () => {
    folder = await createTempWorkspace();
    window = new PanelWindow(testHost({ roots: [folder.path], sessions: join(folder.path, '.sessions') }), new Map());
    waiting = new WaitingCommands(window.session);
    opened = [];
    notices = new InputNotices(
      waiting,
      {
        get isOnPanel() {
          return attention.isOnPanel;
        },
        onDidChange: attention.changed.event,
      },
      { isLookedAt: () => false, openTerminal: (callId) => opened.push(callId) },
    );
    answers = new WindowAnswers();
    answers.pressing('Open Terminal');
    window.end.say({ type: 'ready' });
  });
  afterEach(async () => {
    answers.restore();
    for (const part of [notices, waiting]) part.dispose();
    await window.close();
    await folder.dispose();
  });

  it('is reported once while the user looks elsewhere, and its terminal opens from there', async () => {
    attention.isOnPanel = true;
    assert.equal(await window.session.runCommand('read -p "Your name? " name'), undefined);
    await eventually('the command to wait', () => waiting.items.length === 1);
    assert.deepEqual(answers.said, []);
    attention.isOnPanel = false;
    attention.changed.fire();
    await eventually('the terminal to open', () => opened.length === 1);
    attention.changed.fire();
    assert.equal(answers.said.length, 1);
    assert.match(answers.said[0] ?? '', /^Gantry: read .* is waiting for input\.$/);
    assert.deepEqual(
      opened,
      waiting.items.map(({ callId }) => callId),
    );
    await window.session.startNew();
    assert.deepEqual(waiting.items, []);
  });
});
