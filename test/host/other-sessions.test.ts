import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentSession } from '../../extension/protocol/agent/agent-session.ts';
import { textPart } from '../../extension/protocol/agent/content-part.ts';
import { ChatSessions } from '../../extension/vscode/actions/chat-sessions.ts';
import { ApprovalRouter } from '../../extension/vscode/approval-router.ts';
import { ApprovalNotifications } from '../../extension/vscode/approvals/approval-notifications.ts';
import { PendingApprovals } from '../../extension/vscode/approvals/pending-approvals.ts';
import { takeUpUnfinished } from '../../extension/vscode/approvals/unfinished-session.ts';
import { LazyReview } from '../../extension/vscode/review/lazy-review.ts';
import { RememberedSession } from '../../extension/vscode/session/remembered-session.ts';
import { call } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { type TestHost, testHost } from '../support/test-host.ts';
import { loadRuntime, PanelWindow, stateIn } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('A question of a session that the panel does not show', () => {
  let folder: TempWorkspace;
  let gemini: GeminiEndpoint;
  let host: TestHost;
  /** What VS Code would keep for the next window. */
  let kept: Map<string, unknown>;
  let window: PanelWindow;
  let pending: PendingApprovals;
  let desk: ApprovalRouter;
  let sessions: ChatSessions;
  let answers: WindowAnswers;
  let focused: (string | undefined)[];
  let parts: vscode.Disposable[];
  /** The user has the panel in front of them all the time. */
  const attention = { isOnPanel: true, onDidChange: new vscode.EventEmitter<void>().event };

  before(async function () {
    this.timeout(60_000);
    await loadRuntime();
  });
  beforeEach(async () => {
    folder = await createTempWorkspace();
    gemini = await startGeminiEndpoint();
    host = testHost({ roots: [folder.path], sessions: join(folder.path, '.sessions'), baseUrl: gemini.url });
    kept = new Map();
    openWindow();
    answers = new WindowAnswers();
    answers.leaving();
    gemini.always((request) => {
      const asked = request.contents.at(-1)?.parts?.some(({ functionResponse }) => functionResponse) === false;
      const words = JSON.stringify(request.contents);
      return asked
        ? call('run_shell_command', { command: words.includes('panel') ? 'touch panel.txt' : 'touch chat.txt' })
        : 'Over.';
    });
  });
  afterEach(async () => {
    answers.restore();
    for (const part of parts) part.dispose();
    await window.close();
    await gemini.dispose();
    await folder.dispose();
  });

  function openWindow(): void {
    window = new PanelWindow(host, kept);
    const { session, runtime } = window;
    pending = new PendingApprovals(session, runtime);
    sessions = new ChatSessions(runtime, session);
    focused = [];
    const chat = { focusApproval: async (id?: string) => void focused.push(id) };
    const review = new LazyReview(session, stateIn(kept), host.log);
    desk = new ApprovalRouter({ pending, sessions, chat, review, runtime });
    const notifications = new ApprovalNotifications(pending, attention, desk, host.log, 0);
    parts = [notifications, pending, review];
  }
  const made = (name: string): boolean => existsSync(join(folder.path, name));
  const waiting = (count: number): Promise<unknown> =>
    eventually(`${count} to wait`, () => pending.items.length === count);
  /** As VS Code's own chat does. */
  function inChat(): Promise<string> {
    return sessions.within(undefined, {}, async (session: AgentSession) => {
      for await (const event of session.sendStream({ message: { content: [textPart('Go, chat')] } })) {
        if (event.type === 'agent_end') return event.reason;
      }
      return 'nothing';
    });
  }

  it('is asked in a notification although the panel is in view, and answered there continues', async () => {
    answers.pressing('Allow once');
    assert.equal(await inChat(), 'completed');
    assert.match(answers.said.join(), /^In another session: Run this command\? “touch chat\.txt”/);
    assert.ok(made('chat.txt'));
    await waiting(0);
  });

  it('is counted with those of the panel, and an answer reaches the session that asked', async () => {
    await window.session.send('Go, panel');
    await waiting(1);
    assert.deepEqual(answers.said, [], 'the card is in view');
    const chat = inChat();
    await waiting(2);
    assert.match(answers.said.join(), /^\(1 of 2\) In another session: /);
    const [onCard, other] = pending.items;
    assert.deepEqual([onCard?.sessionId, typeof other?.sessionId], [undefined, 'string']);
    assert.equal(pending.shown.length, 1);
    assert.equal(await desk.answer(other?.approval.requestId ?? '', { decision: 'once' }), undefined);
    assert.equal(await chat, 'completed');
    assert.deepEqual([made('chat.txt'), made('panel.txt')], [true, false]);
    assert.equal(await desk.answer(onCard?.approval.requestId ?? '', { decision: 'once' }), undefined);
    await eventually('the file of the panel', () => made('panel.txt'));
    await waiting(0);
  });

  it('is shown in the panel by "Show", and answered there is gone everywhere', async () => {
    const chat = inChat();
    await waiting(1);
    const [asked] = pending.items;
    const requestId = asked?.approval.requestId ?? '';
    await desk.show();
    assert.equal(window.session.id, asked?.sessionId);
    assert.deepEqual(focused, [undefined], 'the only card there is');
    assert.deepEqual(
      pending.items.map(({ sessionId }) => sessionId),
      [undefined],
    );
    assert.equal(answers.said.length, 1, 'it is not asked a second time');
    assert.equal(await window.session.answer({ requestId, decision: 'once' }), undefined);
    assert.equal(await chat, 'completed');
    await waiting(0);
    await desk.show(requestId);
    assert.deepEqual(focused.at(-1), requestId, 'an old link leads to the panel');
  });

  it('is shown without stopping what the panel had', async () => {
    await window.session.send('Go, panel');
    await waiting(1);
    const chat = inChat();
    await waiting(2);
    const [mine, other] = pending.items.map(({ approval }) => approval.requestId);
    await desk.show(other);
    assert.deepEqual(focused, [other]);
    assert.deepEqual(
      pending.items.map(({ approval }) => approval.requestId),
      [other, mine],
      'that of the card first, and the other one still waits',
    );
    await window.session.startNew();
    assert.equal(pending.items.length, 2, 'both work on');
    await desk.answer(other ?? '', {});
    assert.equal(await chat, 'completed');
    assert.equal(await desk.answer(mine ?? '', { decision: 'once' }), undefined);
    await eventually('the file of the panel', () => made('panel.txt'));
    assert.equal(made('chat.txt'), false);
  });

  it('is gone with its session', async () => {
    const service = await window.runtime.load();
    const session = await service.createSession();
    await session.send({ message: { content: [textPart('Go')] } });
    await waiting(1);
    await service.closeSession(pending.items[0]?.sessionId ?? '');
    assert.equal(pending.items.length, 0);
  });

  it('that the panel leaves is asked in a notification, and "Show" leads back to it', async () => {
    await window.session.send('Go, panel');
    await waiting(1);
    const { id } = window.session;
    const requestId = pending.items[0]?.approval.requestId ?? '';
    await window.session.startNew();
    assert.deepEqual(
      pending.items.map(({ sessionId }) => sessionId),
      [id],
    );
    assert.deepEqual(window.session.background.elsewhere(undefined), { needYou: 1, running: 0, answered: 0 });
    await eventually('the notification', () => answers.said.length === 1);
    assert.match(answers.said.join(), /^In another session: Run this command\? “touch panel\.txt”/);
    await desk.show(requestId);
    assert.equal(window.session.id, id);
    assert.equal(window.session.isRunning, true);
    assert.equal(window.session.background.elsewhere(id), undefined);
    assert.equal(await window.session.answer({ requestId, decision: 'once' }), undefined);
    await eventually('the file of the panel', () => made('panel.txt'));
  });

  it('that the panel left comes back with the window, in a folder that is trusted', async () => {
    const remembered = new RememberedSession(stateIn(kept));
    const granted = new vscode.EventEmitter<void>();
    const trust = { isTrusted: true, onDidGrantWorkspaceTrust: granted.event };
    const keep = (): vscode.Disposable =>
      takeUpUnfinished({ session: window.session, pending, review: window.reviews, remembered, trust, log: host.log });
    const before = keep();
    await window.session.send('Go, panel');
    await waiting(1);
    const { id = '' } = window.session;
    await window.session.startNew();
    await eventually('the session to be remembered', () => remembered.background.includes(id));
    before.dispose();
    for (const part of parts) part.dispose();
    await window.close();
    answers.restore();
    answers = new WindowAnswers();
    answers.pressing('Allow once');
    trust.isTrusted = false;
    openWindow();
    const after = keep();
    await window.session.restore();
    assert.equal((await window.runtime.load()).isOpen(id), false, 'it is not trusted yet');
    trust.isTrusted = true;
    granted.fire();
    await eventually('the file of the panel', () => made('panel.txt'));
    assert.match(answers.said.join(), /^In another session: Run this command\? “touch panel\.txt”/);
    assert.equal(window.session.id, undefined, 'the panel shows what it showed');
    await eventually('nothing to be remembered', () => remembered.background.length === 0);
    after.dispose();
    granted.dispose();
  });
});
