import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { Disposable } from '../base/disposable.ts';
import { findDocument, setText } from '../editor/open-documents.ts';
import { BuiltIn } from '../names.ts';
import { closeTabs, diffTabs } from './diff-tabs.ts';
import { withHunkRejected } from './hunks.ts';
import { changedMeanwhile } from './item-version.ts';
import type { ProposalTexts } from './proposal-texts.ts';
import { ProposedFile } from './proposed-file.ts';
import type { ReviewHunk, ReviewItem, ReviewSource } from './review-source.ts';

export interface OfferedChange {
  /** The absolute path. */
  readonly path: string;
  readonly label: string;
  /** Null if the file does not exist yet. */
  readonly before: string | null;
  readonly after: string;
}

/**
 * Code of answers that the user wants to apply to a file. Nothing is written before the user accepts it, and accepting
 * it changes the editor without saving.
 */
export class OfferedCode extends Disposable implements ReviewSource {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private files: readonly ProposedFile[] = [];
  private count = 0;

  readonly onDidChange = this.changed.event;

  constructor(private readonly texts: ProposalTexts) {
    super();
    this.register(
      texts.onDidChange((uri) => {
        if (this.at(uri)) this.changed.fire();
      }),
    );
  }

  get items(): readonly ReviewItem[] {
    return this.files.map((file) => file.item(this.texts.get(file.uri)));
  }

  /** Shows the change. It replaces a pending change of the same file. */
  async offer(change: OfferedChange): Promise<void> {
    for (const file of this.files.filter(({ edit }) => edit.path === change.path)) await this.end(file);
    const file = new ProposedFile(`code-${++this.count}`, change, this.texts.scheme);
    this.texts.put(file.uri, change.after);
    if (change.before === null) this.texts.put(file.beforeUri, '');
    this.files = [...this.files, file];
    this.changed.fire();
    await this.open(file.id, { preserveFocus: false });
  }

  sidesOf(id: string): { readonly before: vscode.Uri; readonly after: vscode.Uri } {
    const file = this.require(id);
    return { before: file.beforeUri, after: file.uri };
  }

  async open(id: string, { preserveFocus }: { readonly preserveFocus: boolean }): Promise<void> {
    const { beforeUri, uri, edit } = this.require(id);
    const title = l10n.t('{0} (from the answer)', basename(edit.path));
    await vscode.commands.executeCommand(BuiltIn.diff, beforeUri, uri, title, { preserveFocus, preview: false });
  }

  async accept(id: string): Promise<void> {
    const file = this.require(id);
    const text = this.texts.get(file.uri);
    if (!(await apply(file, text))) throw new ProblemError(changedMeanwhile());
    await this.end(file);
  }

  async reject(id: string): Promise<void> {
    await this.end(this.require(id));
  }

  itemOf(document: vscode.TextDocument): ReviewItem | undefined {
    return this.at(document.uri)?.item(document.getText());
  }

  hunksOf(document: vscode.TextDocument): readonly ReviewHunk[] {
    return this.at(document.uri)?.hunks(document.getText()) ?? [];
  }

  async acceptHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void> {
    const file = this.at(document.uri);
    file?.acceptHunk(document.getText(), hunk);
    if (file) await this.hunkDecided(file);
  }

  async rejectHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void> {
    const file = this.at(document.uri);
    if (!file) return;
    await this.texts.set(file.uri, withHunkRejected(document.getText(), hunk));
    await this.hunkDecided(file);
  }

  /** Decides the file once every hunk has a verdict. */
  private async hunkDecided(file: ProposedFile): Promise<void> {
    const text = this.texts.get(file.uri);
    if (file.hunks(text).length > 0) this.changed.fire();
    else await (file.isUndoneIn(text) ? this.reject(file.id) : this.accept(file.id));
  }

  private at(uri: vscode.Uri): ProposedFile | undefined {
    const key = uri.toString();
    return this.files.find((file) => file.uri.toString() === key);
  }

  private require(id: string): ProposedFile {
    const file = this.files.find((other) => other.id === id);
    if (!file) throw new ProblemError(changedMeanwhile());
    return file;
  }

  private async end(file: ProposedFile): Promise<void> {
    this.files = this.files.filter((other) => other !== file);
    await this.texts.save(file.uri);
    await closeTabs(diffTabs(file.uri));
    this.texts.end(file.uri);
    this.texts.end(file.beforeUri);
    this.changed.fire();
  }
}

/** Applies the text in the editor, where it is unsaved and can be undone. Returns false if the file has changed. */
async function apply({ edit }: ProposedFile, text: string): Promise<boolean> {
  const uri = findDocument(edit.path)?.uri ?? vscode.Uri.file(edit.path);
  if (edit.before === null) {
    const creation = new vscode.WorkspaceEdit();
    creation.createFile(uri, { overwrite: false, ignoreIfExists: false, contents: new TextEncoder().encode(text) });
    if (!(await vscode.workspace.applyEdit(creation))) return false;
    await vscode.window.showTextDocument(uri);
    return true;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (!(await setText(document, edit.before, text))) return false;
  await vscode.window.showTextDocument(document);
  return true;
}
