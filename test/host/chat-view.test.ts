import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToPanel } from '../../extension/protocol/panel-messages.ts';
import { ChatView } from '../../extension/vscode/chat-view.ts';
import { PanelSession } from '../../extension/vscode/panel-session.ts';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
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

  beforeEach(() => {
    host = testHost();
    end = new WebviewEnd();
    session = new PanelSession(host, new RuntimeLoader(host));
    chat = new ChatView(vscode.Uri.file('/extension'), session, host.log);
    chat.resolveWebviewView(end.view as unknown as vscode.WebviewView);
  });
  afterEach(() => {
    chat.dispose();
    session.dispose();
  });

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
