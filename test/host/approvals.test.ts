import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ApprovalNotifications } from '../../extension/vscode/approvals/approval-notifications.ts';
import { PendingApprovals } from '../../extension/vscode/approvals/pending-approvals.ts';
import { takeUpUnfinished } from '../../extension/vscode/approvals/unfinished-session.ts';
import { WantedYolo } from '../../extension/vscode/approvals/yolo.ts';
import { RememberedSession } from '../../extension/vscode/session/remembered-session.ts';
import { call } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { type TestHost, testHost } from '../support/test-host.ts';
import { PanelWindow, stateIn } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('A question that waits', () => {
  let folder: TempWorkspace;
  let gemini: GeminiEndpoint;
  let host: TestHost;
  let kept: Map<string, unknown>;
  let window: PanelWindow;
  let pending: PendingApprovals;
  let notifications: ApprovalNotifications;
  let answers: WindowAnswers;
  const attention = { isOnPanel: false, changed: new vscode.EventEmitter<void>() };
  const trust = { isTrusted: true, onDidGrantWorkspaceTrust: new vscode.EventEmitter<void>().event };

  beforeEach(async () => {
    folder = await createTempWorkspace();
    gemini = await startGeminiEndpoint();
    host = testHost({ roots: [folder.path], sessions: join(folder.path, '.sessions'), baseUrl: gemini.url });
    kept = new Map();
    window = new PanelWindow(host, kept);
    pending = new PendingApprovals(window.session, window.runtime);
    attention.isOnPanel = false;
    notifications = notify(0);
    answers = new WindowAnswers();
    window.end.say({ type: 'ready' });
    gemini.reply(call('run_shell_command', { command: 'touch made.txt' }));
    gemini.reply('Over.');
  });
  afterEach(async () => {
    answers.restore();
    for (const part of [notifications, pending]) part.dispose();
    await window.close();
    await gemini.dispose();
    await folder.dispose();
  });

  const notify = (pauseMs: number): ApprovalNotifications =>
    new ApprovalNotifications(
      pending,
      {
        get isOnPanel() {
          return attention.isOnPanel;
        },
        onDidChange: attention.changed.event,
      },
      {
        answer: (requestId, answer) => window.session.answer({ requestId, ...answer }, 'notification'),
        show: async () => undefined,
        openDiff: async () => undefined,
      },
      host.log,
      pauseMs,
    );

  const asked = (): Promise<void> => {
    window.end.say({ type: 'send', ref: 1, text: 'Go' });
    return window.end.waitUntil(() => pending.items.length === 1);
  };
  const over = (): Promise<void> => window.end.waitUntil(() => !window.session.isRunning && pending.items.length === 0);

  it('is answered by the notification, and the run continues', async () => {
    answers.pressing('Allow once');
    await window.ask('Go');
    assert.match(answers.said.join(), /“touch made\.txt”/);
    assert.ok(existsSync(join(folder.path, 'made.txt')));
  });

  it('waits on when its notification is closed, and is not notified of again', async () => {
    answers.pressing(undefined);
    await asked();
    attention.changed.fire();
    await new Promise((resolve) => setTimeout(resolve, 0));
    attention.changed.fire();
    assert.equal(answers.said.length, 1);
    assert.equal(pending.items.length, 1);
    assert.equal(window.session.isRunning, true);
    await window.session.stop();
    await over();
  });

  it('gives way to the next one only after a pause when it is answered elsewhere', async () => {
    gemini.startOver();
    gemini.reply(
      call('run_shell_command', { command: 'touch a.txt' }),
      call('run_shell_command', { command: 'touch b.txt' }),
    );
    gemini.reply('Over.');
    notifications.dispose();
    notifications = notify(60_000);
    answers.leaving();
    window.end.say({ type: 'send', ref: 1, text: 'Go' });
    await window.end.waitUntil(() => pending.items.length === 2);
    await window.session.answer({ requestId: pending.items[0]?.approval.requestId ?? '' });
    await window.end.waitUntil(() => pending.items.length === 1);
    attention.changed.fire();
    assert.equal(answers.said.length, 1);
    await window.session.stop();
    await over();
  });

  it('comes back after a reload, also when nobody opens the panel', async () => {
    const remembered = new RememberedSession(stateIn(kept));
    const keep = (): vscode.Disposable =>
      takeUpUnfinished({ session: window.session, pending, review: window.reviews, remembered, trust, log: host.log });
    answers.pressing(undefined);
    const before = keep();
    await asked();
    before.dispose();
    await window.close();
    window = new PanelWindow(host, kept);
    pending.dispose();
    pending = new PendingApprovals(window.session, window.runtime);
    const after = keep();
    await eventually('the question to be back', () => pending.items.length === 1);
    await window.session.stop();
    await eventually('nothing to be unfinished', () => !remembered.isUnfinished);
    after.dispose();
    assert.equal(pending.items.length, 0);
  });

  it('is not notified of while the user looks at its card, and is when they look away', async () => {
    answers.pressing('Reject');
    attention.isOnPanel = true;
    await asked();
    assert.deepEqual(answers.said, []);
    attention.isOnPanel = false;
    attention.changed.fire();
    await over();
    assert.equal(answers.said.length, 1);
  });

  for (const [name, leave] of [
    ['a no', () => window.session.answer({ requestId: pending.items[0]?.approval.requestId ?? '' })],
    ['Stop', () => window.session.stop()],
    ['its session is deleted', () => window.sessions.delete(window.session.id ?? '')],
  ] as const) {
    it(`leaves no run hanging after ${name}`, async () => {
      answers.pressing(undefined);
      await asked();
      await leave();
      await over();
    });
  }

  it('is given up after the time that the user set, and the run continues', async () => {
    await window.close();
    const late = {
      roots: [folder.path],
      sessions: join(folder.path, '.late'),
      baseUrl: gemini.url,
      answerMinutes: 0.01,
    };
    window = new PanelWindow(testHost(late), kept);
    for (const part of [notifications, pending]) part.dispose();
    pending = new PendingApprovals(window.session, window.runtime);
    notifications = notify(0);
    answers.leaving();
    window.end.say({ type: 'ready' });
    await window.ask('Go');
    assert.equal(pending.items.length, 0);
    assert.equal(answers.said.length, 1, 'it was asked about');
    assert.equal(existsSync(join(folder.path, 'made.txt')), false);
    const tool = window.session.entries.find((entry) => entry.kind === 'tool');
    assert.ok(tool?.kind === 'tool');
    assert.deepEqual([tool.status, tool.unanswered?.minutes], ['cancelled', 0.01]);
    assert.match(JSON.stringify(gemini.requests.at(-1)?.body.contents), /Nobody answered within 0\.01 minutes/);
    assert.equal(window.session.entries.at(-1)?.kind, 'usage');
  });

  it('asks in each session before a setting lets everything run, and a no leaves the mode as it is', async () => {
    answers.pressing(undefined);
    const wanted = new WantedYolo(window.session, { wantsYolo: true }, host.workspace, host.log);
    await asked();
    const questions = (): number => answers.said.filter((text) => text.startsWith('Run everything')).length;
    assert.equal(questions(), 1);
    assert.equal(window.session.approvalMode, 'default');
    await window.session.startNew();
    gemini.reply(call('run_shell_command', { command: 'touch made.txt' }));
    gemini.reply('Over.');
    answers.pressing('Run Everything');
    await window.ask('Again');
    assert.equal(questions(), 2);
    assert.equal(window.session.approvalMode, 'yolo');
    wanted.dispose();
  });
});
