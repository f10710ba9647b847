import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { TranscriptFeed } from '../../protocol/feed/feed.ts';
import type { ToHost } from '../../protocol/panel/host-messages.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import { Disposable } from '../base/disposable.ts';
import { LazyPart } from '../base/lazy-part.ts';
import { reportFailure } from '../base/report.ts';
import type { WorkspaceState } from '../base/workspace.ts';
import type { CodeReview } from '../code/code-actions.ts';
import type { ProtectedFileReview } from '../consent/protected-files.ts';
import type { PanelContext } from '../context/panel-context.ts';
import type { PanelInput } from '../input/panel-input.ts';
import type { StoredSessions } from '../library/stored-sessions.ts';
import { BuiltIn, EDITOR_PANEL } from '../names.ts';
import { elsewhereHtml, panelHtml, panelRoots } from '../page/chat-html.ts';
import type { ReviewList } from '../review/lazy-review.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { PanelMessageRouter } from './panel-message-router.ts';
import { SavedPage } from './saved-page.ts';
import { SnapshotDocuments } from './snapshot-documents.ts';
import { ViewWatch } from './view-watch.ts';

/** Loading a page takes about a second on a busy machine. */
const NEW_PAGE_MS = 10_000;

/** The chat. Its page may be closed and rebuilt at any time, in either place, so it does not hold the conversation. */
export class ChatView extends Disposable implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
  private readonly places: ChatPlaces;
  private readonly saved: SavedPage;
  /** Whether the webview has reported that it listens. Nothing is posted before. */
  private ready = false;
  private focusWanted = false;
  /** The card to focus when there is a page again. Without an id, the first card. */
  private approvalWanted: { readonly requestId?: string } | undefined;
  /** Texts for the input, to insert when there is a page again. */
  private textsWanted: string[] = [];
  /** Sends the conversation to the page. It is loaded with the first page. */
  private feed: TranscriptFeed | undefined;
  private readonly watch = new ViewWatch({
    ask: (count) => this.post({ type: 'ping', count }),
    stuck: () => void this.offerReload(),
  });
  private reloading: NodeJS.Timeout | undefined;
  /** The reading position that a page reported, until there is a conversation to show. */
  private reader: Extract<ToHost, { type: 'ready' }> | undefined;
  private readonly desk: LazyPart<PanelMessageRouter>;
  readonly onDidChangeVisibility: vscode.Event<void>;

  constructor(
    extension: vscode.Uri,
    private readonly session: PanelSession,
    private readonly sessions: StoredSessions,
    private readonly context: PanelContext,
    private readonly input: PanelInput,
    private readonly reviews: ReviewList & CodeReview,
    protectedFiles: LazyPart<ProtectedFileReview>,
    runtime: RuntimeLoader,
    state: WorkspaceState,
    private readonly log: Logger,
  ) {
    super();
    this.saved = this.register(new SavedPage(state));
    this.places = this.register(
      new ChatPlaces(extension, this.saved, { received: (message) => this.receive(message), left: () => this.end() }),
    );
    this.onDidChangeVisibility = this.places.onDidChangeVisibility;
    const snapshots = this.register(new SnapshotDocuments(session));
    const targets = { view: this, session, context, input, sessions, reviews, snapshots, protectedFiles, runtime, log };
    this.desk = this.register(
      new LazyPart(async () => new (await import('./panel-message-router.ts')).PanelMessageRouter(targets)),
    );
    this.register(session.onDidReturnText((text) => this.insertText(text)));
    this.register(sessions.onDidChange(() => void this.postSessions()));
    this.register(reviews.onDidChange(() => this.postReview()));
    this.register(
      session.onDidChangeTranscript((changes) => {
        if (this.ready) this.feed?.take(changes);
      }),
    );
    this.register(session.onDidChangeState(() => void this.postState()));
    this.register(session.onDidReplace(() => this.postTranscript()));
    this.register({ dispose: () => this.feed?.stop() });
    this.register({ dispose: () => this.watch.stop() });
    this.register({ dispose: () => clearTimeout(this.reloading) });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.places.takeView(view);
  }

  /** VS Code calls this after a reload of the window. */
  async deserializeWebviewPanel(editor: vscode.WebviewPanel): Promise<void> {
    this.places.takeEditor(editor);
  }

  get isVisible(): boolean {
    return this.places.isVisible;
  }

  setBadge(badge: vscode.ViewBadge | undefined): void {
    this.places.setBadge(badge);
  }

  /** Shows the chat without moving the focus, if possible. */
  reveal(): Promise<void> {
    return this.places.reveal();
  }

  openInEditor(): void {
    this.places.openEditor();
  }

  openInWindow(): Promise<void> {
    return this.places.openWindow();
  }

  async focus(): Promise<void> {
    this.focusWanted = true;
    await this.places.focus();
    this.giveFocus();
  }

  /** Scrolls to the card of a question and focuses it, but none of its buttons. */
  async focusApproval(requestId?: string): Promise<void> {
    this.approvalWanted = requestId === undefined ? {} : { requestId };
    await this.places.focus();
    this.giveFocus();
  }

  async postState(): Promise<void> {
    this.places.setTitle(this.session.title);
    this.post({ type: 'state', state: await this.session.state() });
  }

  async postSessions(): Promise<void> {
    if (this.ready) this.post({ type: 'sessions', sessions: await this.sessions.items() });
  }

  /** The page listens now, and reports its reading position. */
  async begin(reader: Extract<ToHost, { type: 'ready' }>): Promise<void> {
    if (!this.feed && !(await this.loadFeed())) return;
    this.ready = true;
    this.watch.start();
    this.postTranscript(reader);
    this.context.show((message) => this.post(message));
    this.input.show((message) => this.post(message));
    this.postReview();
    this.giveFocus();
    for (const text of this.textsWanted.splice(0)) this.post({ type: 'insertText', text });
  }

  /** The page requests the entries around this one. */
  showEntries(around: number): void {
    if (this.ready) this.feed?.show(around);
  }

  find(request: Extract<ToHost, { type: 'find' }>): void {
    if (this.ready) this.feed?.find(request);
  }

  /** Keeps the state of the page: drafts and opened items. */
  keep(saved: string): void {
    this.saved.keep(saved);
  }

  /** The page has answered a ping. */
  isThere(count: number): void {
    this.watch.takeAnswer(count);
  }

  /** Replaces the page with a new one. The conversation and drafts are restored. */
  async reload(): Promise<void> {
    const { current } = this.places;
    if (!current) return this.places.focus();
    clearTimeout(this.reloading);
    this.places.reload();
    this.reloading = setTimeout(() => void this.offerWindowReload(current), NEW_PAGE_MS);
  }

  /** The new page did not load: a page that hangs cannot be replaced. */
  private async offerWindowReload(place: ChatPlaces['current']): Promise<void> {
    if (this.ready || place !== this.places.current || !this.isVisible) return;
    const reload = l10n.t('Reload Window');
    const message = l10n.t(
      'The Gantry view could not be reloaded. The session is safe. Reload the window to see it again.',
    );
    const answer = await vscode.window.showWarningMessage(message, reload);
    if (answer === reload) await vscode.commands.executeCommand(BuiltIn.reloadWindow);
  }

  private async offerReload(): Promise<void> {
    // A browser may suspend the whole window while it is in the background.
    if (!vscode.window.state.focused) return this.watch.start();
    this.log.error('The panel has not answered for 10 seconds');
    const reload = l10n.t('Reload View');
    const message = l10n.t('The Gantry view stopped responding. The session is safe.');
    if ((await vscode.window.showWarningMessage(message, reload)) === reload) await this.reload();
  }

  /** Opens the find bar of the view. */
  async openFind(): Promise<void> {
    await this.places.focus();
    this.post({ type: 'openFind' });
  }

  /** Returns false if the page that requested it is gone meanwhile. */
  private async loadFeed(): Promise<boolean> {
    const { current } = this.places;
    const { TranscriptFeed } = await import('../../protocol/feed/feed.ts');
    this.feed ??= new TranscriptFeed(this.session, (message) => this.post(message));
    return current !== undefined && current === this.places.current && current.visible;
  }

  private end(): void {
    this.ready = false;
    this.watch.stop();
    this.feed?.stop();
    this.context.hide();
    this.input.hide();
  }

  post(message: ToPanel): void {
    if (this.ready) this.places.post(message);
  }

  private receive(message: unknown): void {
    this.desk.load().then(
      (desk) => desk.receive(message),
      (error: unknown) => reportFailure('The panel', error, this.log),
    );
  }

  /** Focuses once per request: repeating it could steal the focus from where the user went meanwhile. */
  private giveFocus(): void {
    if (!this.ready) return;
    if (this.approvalWanted) this.post({ type: 'focusApproval', ...this.approvalWanted });
    else if (this.focusWanted) this.post({ type: 'focusInput' });
    this.approvalWanted = undefined;
    this.focusWanted = false;
  }

  private postTranscript(reader?: Extract<ToHost, { type: 'ready' }>): void {
    if (!this.ready) return;
    this.reader = reader ?? this.reader;
    this.feed?.stop();
    void this.postState();
    // A page treats the first transcript as the outcome of the message it had sent, so wait for the session.
    if (this.session.isComing) return;
    this.feed?.open(this.reader);
    this.reader = undefined;
  }

  private postReview(): void {
    if (this.ready) this.post({ type: 'review', items: this.reviews.items.map(({ path: _, ...item }) => item) });
  }

  private insertText(text: string): void {
    if (this.ready) this.post({ type: 'insertText', text });
    else this.textsWanted.push(text);
  }
}

/** Receives events of the page, wherever it is shown. */
interface PageListener {
  received(message: unknown): void;
  /** The page is gone or about to close. The next page sends its own "ready". */
  left(): void;
}

/**
 * Where the chat is shown: in the side bar, or in an editor, which may be in its own window. There is one page at a
 * time. While the chat is in an editor, the side bar links to it.
 */
class ChatPlaces extends Disposable {
  private view: vscode.WebviewView | undefined;
  /** Not disposed with the window, because VS Code restores it in the next one. */
  private editor: vscode.WebviewPanel | undefined;
  private title = 'Gantry';
  private readonly visibilityChanged = this.register(new vscode.EventEmitter<void>());
  readonly onDidChangeVisibility = this.visibilityChanged.event;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly saved: SavedPage,
    private readonly listener: PageListener,
  ) {
    super();
  }

  /** The view or editor that shows the page, or will show it. */
  get current(): vscode.WebviewView | vscode.WebviewPanel | undefined {
    return this.editor ?? this.view;
  }

  get isVisible(): boolean {
    return this.current?.visible ?? false;
  }

  takeView(view: vscode.WebviewView): void {
    this.view = view;
    if (!this.editor) this.listener.left();
    view.webview.options = this.options();
    view.webview.onDidReceiveMessage((message: unknown) => {
      if (!this.editor) this.listener.received(message);
      else if (message === 'show') this.editor.reveal();
      else if (message === 'return') this.editor.dispose();
    });
    view.onDidChangeVisibility(() => {
      if (!view.visible && !this.editor) this.listener.left();
      this.visibilityChanged.fire();
    });
    view.onDidDispose(() => {
      this.view = undefined;
      if (!this.editor) this.listener.left();
      this.visibilityChanged.fire();
    });
    this.showInView();
    this.visibilityChanged.fire();
  }

  /** Adopts an editor that Gantry created, or that VS Code restored after a reload of the window. */
  takeEditor(editor: vscode.WebviewPanel): void {
    // There is one conversation, so a second editor of it has no use.
    if (this.editor) {
      editor.dispose();
      return;
    }
    this.listener.left();
    this.editor = editor;
    editor.webview.options = this.options();
    const picture = (name: string): vscode.Uri => vscode.Uri.joinPath(this.extension, 'media', name);
    editor.iconPath = { light: picture('gantry.svg'), dark: picture('gantry-dark.svg') };
    editor.title = this.title;
    editor.webview.onDidReceiveMessage((message: unknown) => this.listener.received(message));
    editor.onDidChangeViewState(() => {
      if (!editor.visible) this.listener.left();
      this.visibilityChanged.fire();
    });
    editor.onDidDispose(() => {
      this.editor = undefined;
      this.listener.left();
      this.showInView();
      this.visibilityChanged.fire();
    });
    this.showInView();
    editor.webview.html = panelHtml(editor.webview, this.extension, this.saved.text);
    this.visibilityChanged.fire();
  }

  openEditor(): void {
    if (this.editor) this.editor.reveal();
    else this.takeEditor(vscode.window.createWebviewPanel(EDITOR_PANEL, this.title, vscode.ViewColumn.Active));
  }

  async openWindow(): Promise<void> {
    this.openEditor();
    await vscode.commands.executeCommand(BuiltIn.moveToWindow);
  }

  setTitle(title: string): void {
    this.title = title || 'Gantry';
    if (this.editor && this.editor.title !== this.title) this.editor.title = this.title;
  }

  /** Sets the badge on the icon of the view. Does nothing before the view was opened for the first time. */
  setBadge(badge: vscode.ViewBadge | undefined): void {
    if (this.view) this.view.badge = badge;
  }

  /** Shows the chat without moving the focus, if possible. */
  async reveal(): Promise<void> {
    if (this.editor) this.editor.reveal(undefined, true);
    else if (this.view) this.view.show(true);
    else await this.focus();
  }

  async focus(): Promise<void> {
    if (this.editor) this.editor.reveal();
    else await vscode.commands.executeCommand(BuiltIn.focusChat);
  }

  /** Replaces the page with a new one. */
  reload(): void {
    const { current } = this;
    this.listener.left();
    if (current) current.webview.html = panelHtml(current.webview, this.extension, this.saved.text);
  }

  post(message: unknown): void {
    void this.current?.webview.postMessage(message);
  }

  private showInView(): void {
    if (!this.view) return;
    const { webview } = this.view;
    webview.html = this.editor
      ? elsewhereHtml(webview, this.extension)
      : panelHtml(webview, this.extension, this.saved.text);
  }

  private options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: panelRoots(this.extension) };
  }
}
