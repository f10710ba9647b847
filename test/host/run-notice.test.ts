import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RunNotice } from '../../extension/vscode/actions/run-notice.ts';
import { PendingApprovals } from '../../extension/vscode/approvals/pending-approvals.ts';
import { call } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { testHost } from '../support/test-host.ts';
import { loadRuntime, PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('While the user looks elsewhere', () => {
  let gemini: GeminiEndpoint;
  let window: PanelWindow;
  let pending: PendingApprovals;
  let notice: RunNotice;
  let answers: WindowAnswers;
  let clock: number;
  const state = vscode.window.state;

  before(async function () {
    this.timeout(60_000);
    gemini = await startGeminiEndpoint();
    await loadRuntime();
  });
  after(() => gemini.dispose());
  beforeEach(() => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const host = testHost({ baseUrl: gemini.url, roots: [folder] });
    window = new PanelWindow(host, new Map());
    clock = 0;
    pending = new PendingApprovals(window.session, window.runtime);
    notice = new RunNotice(window.session, pending, window.chat, window.runtime, host.log, () => clock);
    answers = new WindowAnswers();
    answers.pressing(undefined);
  });
  afterEach(async () => {
    Object.defineProperty(vscode.window, 'state', { value: state, configurable: true });
    answers.restore();
    for (const part of [notice, pending]) part.dispose();
    await window.close();
    gemini.startOver();
  });

  function lookElsewhere(): void {
    Object.defineProperty(vscode.window, 'state', { value: { ...state, focused: false }, configurable: true });
  }

  async function run(seconds: number): Promise<void> {
    gemini.reply(() => {
      clock += seconds * 1000;
      return 'Done.';
    });
    await window.session.send('Fix the tides');
    await eventually('the end of the run', () => !window.session.isRunning);
  }

  it('a long run tells them when it has ended', async () => {
    lookElsewhere();
    await run(90);
    await eventually('the notification', () => answers.said.length === 1);
    assert.match(answers.said[0] ?? '', /^Gantry has finished: .* \(after 2 minutes\)$/);
  });

  it('a short run does not, nor does a long one that they watched', async () => {
    await run(90);
    lookElsewhere();
    await run(29);
    assert.deepEqual(answers.said, []);
  });

  it('an answer that was not seen is on the icon of the view until it is', async () => {
    const { view } = window.end;
    const badge = (): vscode.ViewBadge | undefined => ('badge' in view ? (view.badge as vscode.ViewBadge) : undefined);
    await run(1);
    assert.equal(badge(), undefined);
    window.end.hide();
    await run(1);
    assert.deepEqual(badge(), { value: 1, tooltip: 'Gantry has answered' });
    window.end.show();
    assert.equal(badge(), undefined);
  });

  it('questions that wait are counted on the icon', async () => {
    const { view } = window.end;
    const badge = (): unknown => ('badge' in view ? view.badge : undefined);
    gemini.reply(call('run_shell_command', { command: 'touch made.txt' }));
    window.end.hide();
    await window.session.send('Make it');
    await eventually('the question', () => badge() !== undefined);
    assert.deepEqual(badge(), { value: 1, tooltip: 'An approval is pending' });
    await window.session.stop();
    assert.deepEqual(badge(), { value: 1, tooltip: 'Gantry has answered' });
  });
});
