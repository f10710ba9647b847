import * as vscode from 'vscode';
import { type ToHost, type ToPanel, type TranscriptChange, toHostSchema } from '../protocol/panel-messages.ts';
import type { Logger } from '../runtime/host.ts';
import { panelHtml, panelRoots } from './chat-html.ts';
import { Disposable } from './disposable.ts';
import { openFileLink, openWebLink } from './links.ts';
import { BuiltIn, Commands } from './names.ts';
import type { PanelSession } from './panel-session.ts';

type Handlers = { readonly [Type in ToHost['type']]: (message: Extract<ToHost, { type: Type }>) => unknown };

/** The chat view in the side bar. The view may be closed and built anew at any time; the conversation is elsewhere. */
export class ChatView extends Disposable implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;
  /** Nothing is posted before the webview has said that it listens. */
  private ready = false;
  private focusWanted = false;
  private pending: TranscriptChange[] = [];
  private flushTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly session: PanelSession,
    private readonly log: Logger,
  ) {
    super();
    this.register(session.onDidChangeTranscript((changes) => this.queue(changes)));
    this.register(session.onDidChangeState(() => void this.postState()));
    this.register(session.onDidReplace(() => this.postTranscript()));
    this.register({ dispose: () => clearTimeout(this.flushTimer) });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.ready = false;
    view.webview.options = { enableScripts: true, localResourceRoots: panelRoots(this.extension) };
    view.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    view.onDidChangeVisibility(() => {
      // A hidden view loses its page; the next one says "ready" for itself.
      if (!view.visible) this.ready = false;
    });
    view.onDidDispose(() => {
      this.view = undefined;
      this.ready = false;
    });
    view.webview.html = panelHtml(view.webview, this.extension);
  }

  async focus(): Promise<void> {
    this.focusWanted = true;
    await vscode.commands.executeCommand(BuiltIn.focusChat);
    this.giveFocus();
  }

  async postState(): Promise<void> {
    this.post({ type: 'state', state: await this.session.state() });
  }

  private readonly handlers: Handlers = {
    ready: () => this.begin(),
    send: async ({ ref, text }) => {
      const refused = await this.session.send(text);
      const answer = refused && { refused: { title: refused.title, detail: refused.detail } };
      // After the state, so that the webview knows of the run before it forgets the message.
      await this.postState();
      this.post({ type: 'sent', ref, ...answer });
    },
    stop: () => this.session.stop(),
    retry: async () => {
      const refused = await this.session.retry();
      if (refused) await vscode.window.showWarningMessage(`${refused.title}. ${refused.detail}`);
    },
    setApiKey: () => vscode.commands.executeCommand(Commands.setApiKey),
    selectModel: () => vscode.commands.executeCommand(Commands.selectModel),
    openSettings: () => vscode.commands.executeCommand(Commands.openSettings),
    showLog: () => vscode.commands.executeCommand(Commands.showLog),
    manageTrust: () => vscode.commands.executeCommand(BuiltIn.manageTrust),
    openFile: ({ path, line }) => openFileLink(path, line),
    openLink: ({ url }) => openWebLink(url),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    viewError: ({ message }) => this.log.error(`The panel reported: ${message}`),
  };

  private receive(message: unknown): void {
    const parsed = toHostSchema.safeParse(message);
    if (!parsed.success) {
      this.log.warn(`A panel message of the wrong shape was ignored: ${parsed.error.message}`);
      return;
    }
    this.handle(parsed.data).catch((error: unknown) => {
      this.log.error(`Handling "${parsed.data.type}" from the panel failed`, error);
    });
  }

  private async handle<Type extends ToHost['type']>(message: Extract<ToHost, { type: Type }>): Promise<void> {
    await this.handlers[message.type as Type](message);
  }

  private begin(): void {
    this.ready = true;
    this.postTranscript();
    this.giveFocus();
    this.session.warmUp();
  }

  /** Once for each time it was wanted: a second one could take the focus from where the user went meanwhile. */
  private giveFocus(): void {
    if (!this.ready || !this.focusWanted) return;
    this.focusWanted = false;
    this.post({ type: 'focusInput' });
  }

  private postTranscript(): void {
    this.pending = [];
    void this.postState();
    this.post({ type: 'transcript', entries: this.session.entries });
  }

  /** Deltas are gathered for a frame: a fast model sends hundreds a second, a screen shows sixty. */
  private queue(changes: TranscriptChange[]): void {
    if (!this.ready) return;
    this.pending.push(...changes);
    this.flushTimer ??= setTimeout(() => {
      this.flushTimer = undefined;
      if (this.pending.length > 0) this.post({ type: 'changes', changes: this.pending });
      this.pending = [];
    }, FRAME);
  }

  private post(message: ToPanel): void {
    if (this.ready) void this.view?.webview.postMessage(message);
  }
}

const FRAME = 16;
