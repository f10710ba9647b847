import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import { BuiltIn, type ContextKey, ContextKeys } from '../names.ts';
import { type Reviews, reviewTitle } from './reviews.ts';

/** Tells VS Code where buttons and keys of a review belong: nowhere else do they do anything. */
export class ReviewContext extends Disposable {
  private readonly told = new Map<ContextKey, string>();

  constructor(private readonly reviews: Reviews) {
    super();
    const update = (): void => this.update();
    this.register(reviews.onDidChange(update));
    this.register(vscode.window.onDidChangeActiveTextEditor(update));
    this.register(vscode.window.tabGroups.onDidChangeTabs(update));
    this.register(vscode.window.tabGroups.onDidChangeTabGroups(update));
    this.register(vscode.workspace.onDidOpenTextDocument(update));
    this.register(vscode.workspace.onDidCloseTextDocument(update));
    this.update();
  }

  private update(): void {
    const documents = vscode.workspace.textDocuments.filter((document) => this.reviews.find(document));
    const { length } = this.reviews.items;
    this.tell(ContextKeys.hasChanges, length > 0);
    this.tell(ContextKeys.hasSeveralChanges, length > 1);
    const active = vscode.window.activeTextEditor?.document;
    this.tell(ContextKeys.reviewing, active !== undefined && documents.includes(active));
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    this.tell(ContextKeys.reviewingAll, length > 0 && tab?.label.startsWith(reviewTitle()) === true);
    // The window of a remote host has other addresses for its files, and the same paths.
    const addresses = documents.flatMap(({ uri }) =>
      uri.scheme === 'file' ? [uri.toString(), uri.fsPath] : uri.toString(),
    );
    this.tell(ContextKeys.reviewed, addresses);
  }

  private tell(key: ContextKey, value: boolean | readonly string[]): void {
    const text = JSON.stringify(value);
    if (this.told.get(key) === text) return;
    this.told.set(key, text);
    void vscode.commands.executeCommand(BuiltIn.setContext, key, value);
  }
}
