import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PanelState, ToPanel } from '../../extension/protocol/panel-messages.ts';
import { ChatView } from '../../extension/vscode/chat-view.ts';
import { PanelSession } from '../../extension/vscode/panel-session.ts';
import { RememberedSession } from '../../extension/vscode/remembered-session.ts';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
import { StoredSessions } from '../../extension/vscode/stored-sessions.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { type TestHost, testHost } from '../support/test-host.ts';

/** What a webview view is to ChatView, with both ends of the wire in the test's hands. */
class WebviewEnd {
  readonly posted: ToPanel[] = [];
  private readonly messages = new vscode.EventEmitter<unknown>();
  private readonly visibility = new vscode.EventEmitter<void>();
  private readonly disposed = new vscode.EventEmitter<void>();
  readonly view = {
    viewType: 'gantry.chat',
    visible: true,
    webview: {
      html: '',
      options: {},
      cspSource: 'https://csp.test',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: this.messages.event,
      postMessage: (message: ToPanel) => {
        this.posted.push(message);
        return Promise.resolve(true);
      },
    },
    onDidChangeVisibility: this.visibility.event,
    onDidDispose: this.disposed.event,
    show: () => undefined,
  };

  say(message: unknown): void {
    this.messages.fire(message);
  }

  hide(): void {
    this.view.visible = false;
    this.visibility.fire();
  }

  /** The last one that was posted. */
  get state(): PanelState | undefined {
    return this.posted.findLast((message) => message.type === 'state')?.state;
  }

  /** Of the last whole transcript that was posted. */
  get kinds(): string[] | undefined {
    return this.posted.findLast((message) => message.type === 'transcript')?.entries.map(({ kind }) => kind);
  }

  async waitUntil(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  }

  async waitUntilFound<Found extends ToPanel>(find: (message: ToPanel) => Found | false): Promise<Found> {
    for (;;) {
      for (const message of this.posted) {
        const found = find(message);
        if (found) return found;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async waitFor<Type extends ToPanel['type']>(type: Type): Promise<Extract<ToPanel, { type: Type }>> {
    for (;;) {
      const found = this.posted.find((message) => message.type === type);
      if (found) return found as Extract<ToPanel, { type: Type }>;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

describe('The chat view', () => {
  let host: TestHost;
  let end: WebviewEnd;
  let chat: ChatView;
  let session: PanelSession;
  let sessions: StoredSessions;
  let runtime: RuntimeLoader;
  let folder: TempFolder;
  /** What VS Code would keep for the next window. */
  let state: Map<string, unknown>;

  beforeEach(async () => {
    folder = await tempFolder('sessions');
    state = new Map();
    host = testHost({ sessions: folder.path });
    openWindow();
  });
  afterEach(async () => {
    await closeWindow();
    await folder.dispose();
  });

  function openWindow(): void {
    end = new WebviewEnd();
    runtime = new RuntimeLoader(host);
    const memento = {
      get: (key: string): unknown => state.get(key),
      update: async (key: string, value: unknown): Promise<void> => void state.set(key, value),
    };
    session = new PanelSession(host, runtime, new RememberedSession(memento));
    sessions = new StoredSessions(runtime, session, host.workspace, host.log);
    chat = new ChatView(vscode.Uri.file('/extension'), session, sessions, host.log);
    chat.resolveWebviewView(end.view as unknown as vscode.WebviewView);
  }

  async function closeWindow(): Promise<void> {
    for (const part of [chat, sessions, session]) part.dispose();
    await runtime.dispose();
  }

  async function ask(text: string): Promise<void> {
    end.say({ type: 'send', ref: 1, text });
    await end.waitUntil(() => end.state?.running === true);
    await end.waitUntil(() => end.state?.running === false);
  }

  it('posts nothing before the webview has said that it is ready', async () => {
    await chat.postState();
    assert.deepEqual(end.posted, []);
    end.say({ type: 'ready' });
    const { state } = await end.waitFor('state');
    assert.equal(state.offline, true);
    assert.equal(state.readOnly, false);
    await end.waitFor('transcript');
  });

  it('posts nothing to a view that was hidden until its new page is ready', async () => {
    end.say({ type: 'ready' });
    await end.waitFor('transcript');
    end.hide();
    end.posted.length = 0;
    await chat.postState();
    assert.deepEqual(end.posted, []);
  });

  it('ignores messages of the wrong shape, says so in the log, and goes on', async () => {
    const wrong = [
      undefined,
      null,
      7,
      'ready',
      [],
      {},
      { type: 'run', command: 'rm' },
      { type: 'send', ref: 1, text: 7 },
    ];
    for (const message of wrong) end.say(message);
    assert.equal(host.complaints.filter((line) => line.includes('wrong shape')).length, wrong.length);
    end.say({ type: 'ready' });
    await end.waitFor('state');
  });

  it('gives a message that is too long back with the reason', async () => {
    end.say({ type: 'ready' });
    end.say({ type: 'send', ref: 5, text: 'x'.repeat(5_000_000) });
    const answer = await end.waitFor('sent');
    assert.equal(answer.ref, 5);
    assert.match(answer.refused?.title ?? '', /too long/);
  });

  it('knows from the events when it is at work', async () => {
    end.say({ type: 'ready' });
    await ask('What can you do?');
    const running = end.posted.flatMap((message) => (message.type === 'state' ? [message.state] : []));
    const { startedAt } = running.find((posted) => posted.running) ?? {};
    assert.ok(startedAt !== undefined && startedAt <= Date.now() && startedAt > Date.now() - 60_000);
    assert.equal(end.state?.title, 'What can you do?');
  });

  it('shows the same conversation after the window was reloaded, and a new one after New Session', async () => {
    end.say({ type: 'ready' });
    await ask('Remember me');
    await closeWindow();
    openWindow();
    end.say({ type: 'ready' });
    await end.waitUntil(() => end.kinds?.includes('user') === true);
    await end.waitUntil(() => end.state?.title === 'Remember me');
    assert.equal(end.state?.running, false);
    await session.startNew();
    await closeWindow();
    openWindow();
    end.say({ type: 'ready' });
    await session.restore();
    assert.deepEqual(end.kinds, []);
  });

  it('waits for the window before to let go of the session, and can only read it when that does not happen', async () => {
    end.say({ type: 'ready' });
    await ask('Mine');
    const { id = '' } = session;
    await closeWindow();
    const other = new RuntimeLoader(host);
    await (await other.load()).resumeSession(id);
    openWindow();
    end.say({ type: 'ready' });
    await session.restore();
    await end.waitUntil(() => end.state?.heldBy === 'a test');
    assert.equal(end.state?.running, false);
    await closeWindow();
    openWindow();
    end.say({ type: 'ready' });
    const restored = session.restore();
    await other.dispose();
    await restored;
    await end.waitUntil(() => end.state?.title === 'Mine');
    assert.equal(end.state?.heldBy, undefined);
  });

  it('goes on with a copy of a session that another window holds', async () => {
    end.say({ type: 'ready' });
    await ask('Theirs');
    const { id = '' } = session;
    await session.startNew();
    const other = new RuntimeLoader(host);
    await (await other.load()).resumeSession(id);
    await session.resume(id);
    end.say({ type: 'send', ref: 7, text: 'Me too' });
    const { refused } = await end.waitUntilFound((message) => message.type === 'sent' && message.ref === 7 && message);
    assert.match(refused?.title ?? '', /open in a test/);
    end.say({ type: 'openCopy' });
    await end.waitUntil(() => session.id !== id);
    await ask('Me too');
    assert.equal(session.entries.filter(({ kind }) => kind === 'user').length, 2);
    await other.dispose();
  });

  it('begins anew, and says why, when the session of the last time is gone', async () => {
    state.set('gantry.shownSession', 'no-such-session');
    end.say({ type: 'ready' });
    await session.restore();
    assert.deepEqual(end.kinds, []);
    assert.equal(state.get('gantry.shownSession'), undefined);
    assert.match(host.complaints.join(), /could not be opened.*no session no-such-session/);
  });

  it('lists the stored sessions, and goes back to one', async () => {
    end.say({ type: 'ready' });
    await ask('The first');
    await session.startNew();
    await ask('The second');
    end.say({ type: 'listSessions' });
    const { sessions: listed } = await end.waitFor('sessions');
    assert.deepEqual(
      listed.map(({ title, current }) => [title, current]),
      [
        ['The second', true],
        ['The first', false],
      ],
    );
    end.say({ type: 'resume', id: listed[1]?.id });
    await end.waitUntil(() => end.state?.title === 'The first');
    await ask('And on');
    assert.equal(session.entries.filter(({ kind }) => kind === 'user').length, 2);
  });

  it('deletes the session that is shown and begins a new one', async () => {
    end.say({ type: 'ready' });
    await ask('To be forgotten');
    end.say({ type: 'deleteSession', id: session.id });
    await end.waitUntil(() => end.posted.some((message) => message.type === 'sessions'));
    assert.deepEqual(await sessions.items(), []);
    assert.equal(session.hasConversation, false);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('renames, pins and copies a session that is not open', async () => {
    end.say({ type: 'ready' });
    await ask('Plain');
    const { id = '' } = session;
    await session.startNew();
    await sessions.rename(id, 'Fancy');
    await sessions.pin(id, true);
    await sessions.copy(id);
    const listed = await sessions.items();
    assert.deepEqual(
      listed.map(({ title, pinned }) => [title, pinned]),
      [
        ['Fancy', true],
        ['Fancy', true],
      ],
    );
  });

  it('puts text into the input once there is a page again', async () => {
    end.say({ type: 'ready' });
    await end.waitFor('transcript');
    end.hide();
    session.returnText('back again');
    assert.equal(
      end.posted.some((message) => message.type === 'insertText'),
      false,
    );
    end.say({ type: 'ready' });
    assert.equal((await end.waitFor('insertText')).text, 'back again');
  });

  it('has a content security policy that allows nothing from elsewhere', () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(end.view.webview.html)?.[1] ?? '';
    assert.equal(
      policy.replace(/nonce-[\w-]+/, 'nonce-…'),
      [
        "default-src 'none'",
        'img-src https://csp.test data:',
        'font-src https://csp.test',
        "style-src https://csp.test 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
        "script-src 'nonce-…'",
        "form-action 'none'",
        "base-uri 'none'",
      ].join('; '),
    );
  });
});
