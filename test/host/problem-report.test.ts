import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reportProblem } from '../../extension/vscode/base/report.ts';
import { eventually } from '../support/poll.ts';
import { WindowAnswers } from './window-answers.ts';

describe('A problem outside of the panel', () => {
  const answers = new WindowAnswers();
  afterEach(async () => {
    answers.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is told with a button that leads to what settles it', async () => {
    answers.pressing('Open Settings');
    const actions = ['open-settings', 'retry'] as const;
    await reportProblem({ kind: 'bad-configuration', title: 'No address', detail: 'Enter one.', actions });
    assert.deepEqual(answers.said, ['No address. Enter one.']);
    await eventually('the settings', () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Settings');
  });
});
