import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/** More files than users have open, and more than the model learns about. */
const MOST = 50;

/** The files that were active in this window, the most recent first. */
export class RecentFiles extends Disposable {
  private recent: readonly string[] = [];

  constructor() {
    super();
    this.note(vscode.window.activeTextEditor);
    this.register(vscode.window.onDidChangeActiveTextEditor((editor) => this.note(editor)));
  }

  /** Absolute paths. Files that were closed meanwhile are included. */
  get paths(): readonly string[] {
    return this.recent;
  }

  private note(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.uri.scheme !== 'file') return;
    const { fsPath } = editor.document.uri;
    this.recent = [fsPath, ...this.recent.filter((path) => path !== fsPath)].slice(0, MOST);
  }
}
