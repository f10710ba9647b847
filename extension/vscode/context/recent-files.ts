import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/** More than anybody has open and could be told about. */
const MOST = 50;

/** The files the user looked at in this window, the last one first. */
export class RecentFiles extends Disposable {
  private recent: readonly string[] = [];

  constructor() {
    super();
    this.note(vscode.window.activeTextEditor);
    this.register(vscode.window.onDidChangeActiveTextEditor((editor) => this.note(editor)));
  }

  /** Absolute. Those that were closed meanwhile are among them. */
  get paths(): readonly string[] {
    return this.recent;
  }

  private note(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.uri.scheme !== 'file') return;
    const { fsPath } = editor.document.uri;
    this.recent = [fsPath, ...this.recent.filter((path) => path !== fsPath)].slice(0, MOST);
  }
}
