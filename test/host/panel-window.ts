import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { PanelState, ToPanel } from '../../extension/protocol/panel/panel-messages.ts';
import { SignInLinks } from '../../extension/vscode/auth/sign-in-links.ts';
import { LazyPart } from '../../extension/vscode/base/lazy-part.ts';
import type { WorkspaceState } from '../../extension/vscode/base/workspace.ts';
import { PanelContext } from '../../extension/vscode/context/panel-context.ts';
import { PanelInput } from '../../extension/vscode/input/panel-input.ts';
import { StoredSessions } from '../../extension/vscode/library/stored-sessions.ts';
import { DisabledServers } from '../../extension/vscode/mcp/disabled-servers.ts';
import { McpServerList } from '../../extension/vscode/mcp/server-list.ts';
import { ChatView } from '../../extension/vscode/panel/chat-view.ts';
import { AppliedChanges } from '../../extension/vscode/review/applied-changes.ts';
import { Reviews } from '../../extension/vscode/review/reviews.ts';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
import { PanelSession } from '../../extension/vscode/session/panel-session.ts';
import { RememberedSession } from '../../extension/vscode/session/remembered-session.ts';
import { all, message } from '../support/conversation.ts';
import { startGeminiEndpoint } from '../support/gemini/server.ts';
import { type TestHost, testHost } from '../support/test-host.ts';

/** What a webview view is to ChatView, with both ends of the wire in the test's hands. */
export class WebviewEnd {
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
        // As a page does. Without an answer, the view counts as stuck after a while, which only a slow machine reaches.
        if (message.type === 'ping') setImmediate(() => this.say({ type: 'pong', count: message.count }));
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

  show(): void {
    this.view.visible = true;
    this.visibility.fire();
  }

  dispose(): void {
    for (const emitter of [this.messages, this.visibility, this.disposed]) emitter.dispose();
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

/** Changes to files of a session; code of answers is not applied here. */
class ListedReviews extends Reviews {
  load(): Promise<never> {
    return Promise.reject(new Error('Code is not applied here.'));
  }
}

/** The parts of a window behind the panel. What VS Code keeps for the next window is given from outside. */
export class PanelWindow {
  readonly end = new WebviewEnd();
  readonly session: PanelSession;
  readonly sessions: StoredSessions;
  readonly context: PanelContext;
  readonly applied: AppliedChanges;
  readonly reviews: ListedReviews;
  readonly input: PanelInput;
  readonly chat: ChatView;
  readonly runtime: RuntimeLoader;
  readonly mcp: McpServerList;

  constructor(host: TestHost, kept: Map<string, unknown>) {
    const memento = stateIn(kept);
    const disabled = new DisabledServers(memento);
    this.runtime = new RuntimeLoader({ ...host, mcp: disabled });
    this.mcp = new McpServerList({ runtime: this.runtime, disabled, links: new SignInLinks(), log: host.log });
    this.session = new PanelSession(host, this.runtime, new RememberedSession(memento));
    const extension = vscode.Uri.file('/extension');
    this.sessions = new StoredSessions(extension, this.runtime, this.session, host.workspace, host.log);
    this.context = new PanelContext(this.session, this.runtime, memento, host.log);
    this.applied = new AppliedChanges(this.session, host.log);
    this.reviews = new ListedReviews([this.applied]);
    const { session, sessions, context, reviews, runtime } = this;
    const storage = vscode.Uri.file(join(tmpdir(), 'gantry-panel-window'));
    this.input = new PanelInput({
      session,
      sessions,
      context,
      runtime,
      mcp: this.mcp,
      state: memento,
      storage,
      version: '0',
      log: host.log,
    });
    const { input } = this;
    const protectedFiles = new LazyPart(
      async () => new (await import('../../extension/vscode/consent/protected-files.ts')).ProtectedFileReview(session),
    );
    this.chat = new ChatView(
      extension,
      session,
      sessions,
      context,
      input,
      reviews,
      protectedFiles,
      runtime,
      memento,
      host.log,
    );
    this.chat.resolveWebviewView(this.end.view as unknown as vscode.WebviewView);
  }

  get userMessages(): number {
    return this.session.entries.filter(({ kind }) => kind === 'user').length;
  }

  /** Sends and waits until the run is over. */
  async ask(text: string): Promise<void> {
    const { end } = this;
    const before = end.posted.length;
    end.say({ type: 'send', ref: 1, text });
    // The state with the run in it comes before that.
    await end.waitUntil(() => end.posted.slice(before).some((message) => message.type === 'sent'));
    await end.waitUntil(() => end.state?.running === false);
  }

  async close(): Promise<void> {
    const parts = [
      this.chat,
      this.input,
      this.reviews,
      this.applied,
      this.context,
      this.sessions,
      this.mcp,
      this.session,
    ];
    for (const part of parts) part.dispose();
    await this.runtime.dispose();
  }
}

/** Does what only the first message of a process has to do. It takes seconds on a busy machine: more than a test may. */
export async function loadRuntime(): Promise<void> {
  const gemini = await startGeminiEndpoint();
  gemini.reply('Ready.');
  const runtime = new RuntimeLoader(testHost({ baseUrl: gemini.url }));
  try {
    const service = await runtime.load();
    await all(await service.createSession(), message('Hello'));
  } finally {
    await runtime.dispose();
    await gemini.dispose();
  }
}

/** What VS Code keeps for a workspace from one window to the next. */
export function stateIn(kept: Map<string, unknown>): WorkspaceState {
  return { get: (key) => kept.get(key), update: async (key, value) => void kept.set(key, value) };
}
