import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import { BuiltIn, EDITOR_PANEL } from '../names.ts';
import { elsewhereHtml, panelHtml, panelRoots } from '../page/chat-html.ts';
import type { SavedPage } from './saved-page.ts';

/** Receives events of the page, wherever it is shown. */
export interface PageListener {
  received(message: unknown): void;
  /** The page is gone or about to close. The next page sends its own "ready". */
  left(): void;
}

/**
 * Where the chat is shown: in the side bar, or in an editor, which may be in its own window. There is one page at a
 * time. While the chat is in an editor, the side bar links to it.
 */
export class ChatPlaces extends Disposable {
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
