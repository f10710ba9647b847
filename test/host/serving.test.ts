import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ChatSessions } from '../../extension/vscode/actions/chat-sessions.ts';
import { ApprovalRouter } from '../../extension/vscode/approval-router.ts';
import { ApprovalNotifications } from '../../extension/vscode/approvals/approval-notifications.ts';
import { PendingApprovals } from '../../extension/vscode/approvals/pending-approvals.ts';
import { LazyReview } from '../../extension/vscode/review/lazy-review.ts';
import { ServedAgent } from '../../extension/vscode/serving/served-agent.ts';
import { call } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { type TestHost, type TestHostOptions, testHost } from '../support/test-host.ts';
import { loadRuntime, PanelWindow, stateIn } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string };
}

describe('The agent of a window, served over A2A', () => {
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let gemini: GeminiEndpoint;
  let window: PanelWindow;
  let served: ServedAgent;
  let pending: PendingApprovals;
  let desk: ApprovalRouter;
  let answers: WindowAnswers;
  let parts: vscode.Disposable[];
  const attention = { isOnPanel: true, onDidChange: new vscode.EventEmitter<void>().event };

  before(async function () {
    this.timeout(60_000);
    await loadRuntime();
  });
  beforeEach(async () => {
    folder = await createTempWorkspace();
    home = await createTempWorkspace();
    gemini = await startGeminiEndpoint();
    answers = new WindowAnswers();
    answers.pressing(undefined);
    gemini.always(({ contents }) => {
      const { parts: last = [] } = contents.at(-1) ?? {};
      const isMessage = last.every(({ functionResponse }) => !functionResponse);
      return isMessage && JSON.stringify(last).includes('Touch')
        ? call('run_shell_command', { command: 'touch made.txt' })
        : 'Over.';
    });
    open();
  });
  afterEach(async () => {
    answers.restore();
    await served.stop();
    for (const part of parts) part.dispose();
    await window.close();
    for (const part of [gemini, folder, home]) await part.dispose();
  });

  function hostOf(options: TestHostOptions = {}): TestHost {
    const environment = { PATH: process.env['PATH'] ?? '', GANTRY_HOME: home.path, GEMINI_CLI_HOME: home.path };
    const sessions = join(home.path, 'sessions');
    return testHost({ roots: [folder.path], sessions, environment, baseUrl: gemini.url, ...options });
  }

  function servedBy(host: TestHost, port = 0): ServedAgent {
    const { session, runtime } = window;
    const agent = new ServedAgent({ version: '0', host, runtime, session, port });
    parts.push(agent);
    return agent;
  }

  function open(): void {
    const host = hostOf();
    const kept = new Map<string, unknown>();
    window = new PanelWindow(host, kept);
    const { session, runtime } = window;
    pending = new PendingApprovals(session, runtime);
    const chat = { focusApproval: async () => undefined };
    const review = new LazyReview(session, stateIn(kept), host.log);
    desk = new ApprovalRouter({ pending, sessions: new ChatSessions(runtime, session), chat, review, runtime });
    parts = [new ApprovalNotifications(pending, attention, desk, host.log, 0), pending, review];
    served = servedBy(host);
  }

  function started(): { readonly url: string; readonly token: string; readonly tokenFile: string } {
    return served.server ?? assert.fail(`The server did not start: ${answers.said.join()}`);
  }

  function post(method: string, params: object, { token, url } = started()): Promise<Response> {
    const headers = { 'Content-Type': 'application/json', 'A2A-Version': '1.0', Authorization: `Bearer ${token}` };
    return fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
  }

  let messages = 0;
  /** The task, when it has ended or waits. */
  async function say(text: string, contextId = ''): Promise<Task> {
    const message = { messageId: `message-${++messages}`, contextId, role: 'ROLE_USER', parts: [{ text }] };
    const answer = (await (await post('SendMessage', { message })).json()) as { result?: { task: Task } };
    return answer.result?.task ?? assert.fail(JSON.stringify(answer));
  }

  async function stateOf({ id }: Task): Promise<string> {
    const { result } = (await (await post('GetTask', { id })).json()) as { result: Task };
    return result.status.state;
  }

  const made = (): boolean => existsSync(join(folder.path, 'made.txt'));
  const asked = (): Promise<unknown> => eventually('the question', () => pending.items.length === 1);

  it('begins with the command only, and answers those who know the token', async () => {
    assert.equal(served.server, undefined);
    assert.equal(existsSync(join(home.path, 'a2a')), false);
    await served.serve();
    const { url, token, tokenFile } = started();
    assert.match(answers.said.join(), /^Gantry serves this folder over A2A at http:\/\/127\.0\.0\.1:\d+\/\. The token/);
    assert.equal(tokenFile, join(home.path, 'a2a', `${new URL(url).port}.token`));
    assert.equal(await readFile(tokenFile, 'utf8'), token);
    if (process.platform !== 'win32') assert.equal((await stat(tokenFile)).mode & 0o777, 0o600);
    const card = (await (await fetch(`${url}.well-known/agent-card.json`)).json()) as { name?: string };
    assert.equal(typeof card.name, 'string');
    assert.equal((await post('ListTasks', {}, { url, token: 'guessed', tokenFile })).status, 401);
    assert.equal((await post('ListTasks', {})).status, 200);
  });

  it('works on tasks in sessions of the list, and a question that is answered in the panel ends the wait of the program', async () => {
    await served.serve();
    answers.leaving();
    const task = await say('Touch it');
    assert.equal(task.status.state, 'TASK_STATE_INPUT_REQUIRED');
    await asked();
    assert.match(answers.said.join(), /In another session: Run this command\? “touch made\.txt”/);
    const [item] = await window.sessions.items();
    assert.deepEqual([item?.id, item?.title], [task.contextId, 'Touch it']);
    const watched = await post('SubscribeToTask', { id: task.id });
    await desk.show();
    assert.equal(window.session.id, task.contextId);
    assert.equal(window.userMessages, 1);
    const [{ approval } = assert.fail('nothing waits')] = pending.items;
    assert.equal(await window.session.answer({ requestId: approval.requestId, decision: 'once' }), undefined);
    assert.match(await watched.text(), /TASK_STATE_COMPLETED/);
    assert.ok(made());
    assert.equal(await stateOf(task), 'TASK_STATE_COMPLETED');
  });

  it('shows what a program says in the session of the panel, which keeps working when the panel leaves it', async () => {
    await served.serve();
    assert.equal(await window.session.send('Hello'), undefined);
    await eventually('the answer', () => window.session.entries.length > 1 && !window.session.isRunning);
    const { id = '' } = window.session;
    const task = await say('And you?', id);
    assert.deepEqual([task.contextId, task.status.state], [id, 'TASK_STATE_COMPLETED']);
    await eventually('the message in the panel', () => window.userMessages === 2);
    await window.session.startNew();
    assert.equal((await say('Still there?', id)).status.state, 'TASK_STATE_COMPLETED');
    await window.session.resume(id);
    assert.equal(window.userMessages, 3);
  });

  it('goes on in the window after Stop Serving, which frees the port and removes the token', async () => {
    await served.serve();
    const { url, tokenFile } = started();
    const task = await say('Touch it');
    await asked();
    await served.stop();
    assert.equal(served.server, undefined);
    assert.equal(existsSync(tokenFile), false);
    await assert.rejects(fetch(url));
    const [{ approval } = assert.fail('nothing waits')] = pending.items;
    assert.equal(await desk.answer(approval.requestId, { decision: 'once' }), undefined);
    await eventually('the file', made);
    await served.serve();
    await eventually('the end of the task', async () => (await stateOf(task)) === 'TASK_STATE_COMPLETED');
  });

  it('offers another port if another program has the usual one', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    served = servedBy(hostOf(), port);
    try {
      await served.serve();
      assert.match(
        answers.said.join(),
        new RegExp(`^Port ${port} is in use by another program.* Nothing is served\\.$`),
      );
      assert.equal(served.server, undefined);
      answers.pressing('Use Another Port');
      await served.serve();
      assert.notEqual(new URL(started().url).port, String(port));
    } finally {
      other.close();
    }
  });

  it('says what is missing without a folder, and without a model', async () => {
    for (const missing of [{ roots: [] }, { baseUrl: '' }]) {
      served = servedBy(hostOf(missing));
      await served.serve();
      assert.equal(served.server, undefined);
    }
    assert.deepEqual(answers.said, [
      'Gantry serves the sessions of a folder, and no folder is open. Open one and try again.',
      'No model is configured. Nothing is served, because programs would take the text of the offline guide for an answer. Connect a model and try again.',
    ]);
  });

  it('is copied and stopped from its menu, which the command opens while it runs', async () => {
    await served.serve();
    const { url, token, tokenFile } = started();
    const choosing = async (label: string): Promise<void> => {
      answers.picking((items) => items.find((item) => item.label.endsWith(label)));
      await served.serve();
    };
    await choosing('Copy Address');
    assert.equal(await vscode.env.clipboard.readText(), url);
    await choosing('Copy Token');
    assert.equal(await vscode.env.clipboard.readText(), token);
    const [{ items } = assert.fail('no menu')] = answers.asked;
    assert.deepEqual(
      items.map(({ description }) => description),
      [url, tokenFile, ''],
    );
    await choosing('Stop Serving');
    assert.equal(served.server, undefined);
  });
});
