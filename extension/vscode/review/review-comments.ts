import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';
import { feedbackText, type Remark } from './comment-texts.ts';

/** Comments on proposals, which are sent to the agent with the verdict, and the controller for all review comments. */
export class ReviewComments extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<vscode.Uri>());
  private readonly threads = new Set<vscode.CommentThread>();
  private controller: vscode.CommentController | undefined;
  private offer: (() => vscode.CommentingRangeProvider) | undefined;
  /** Remarks that were restored before there was a controller. */
  private early: readonly { readonly uri: vscode.Uri; readonly remarks: readonly Remark[] }[] = [];

  readonly onDidChange = this.changed.event;

  /** Creates the controller when there is something to comment on. */
  begin(mayComment: (document: vscode.TextDocument) => boolean): void {
    if (this.controller) return;
    this.controller = this.register(vscode.comments.createCommentController('gantry.review', 'Gantry'));
    this.controller.options = {
      prompt: l10n.t('Comment for Gantry'),
      placeHolder: l10n.t(
        'What should be different here? The comment is sent with Accept or Reject or, if the change is already made, with your next message.',
      ),
    };
    this.offer = () => ({
      provideCommentingRanges: (document) =>
        mayComment(document) ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [],
    });
    this.refresh();
    const { early } = this;
    this.early = [];
    for (const { uri, remarks } of early) this.putBack(uri, remarks);
  }

  /** The set of documents under review has changed. VS Code queries the ranges again only for a new provider. */
  refresh(): void {
    if (this.controller && this.offer) this.controller.commentingRangeProvider = this.offer();
  }

  /** Returns undefined if there is nothing to comment on yet. */
  newThread(uri: vscode.Uri, range: vscode.Range): vscode.CommentThread | undefined {
    return this.controller?.createCommentThread(uri, range, []);
  }

  /** Restores remarks from before a reload. */
  putBack(uri: vscode.Uri, remarks: readonly Remark[]): void {
    if (!this.controller) {
      this.early = [...this.early, { uri, remarks }];
      return;
    }
    for (const { start, end, text } of remarks) {
      const thread = this.controller.createCommentThread(uri, new vscode.Range(start, 0, end, 0), []);
      this.add({ thread, text });
    }
  }

  /** Adds the user's comment to a thread, which may be new. */
  add({ thread, text }: vscode.CommentReply): void {
    if (text.trim() === '') return;
    this.threads.add(thread);
    thread.label = l10n.t('For Gantry');
    addWords(thread, text);
    this.changed.fire(thread.uri);
  }

  delete(thread: vscode.CommentThread): void {
    this.threads.delete(thread);
    thread.dispose();
    this.changed.fire(thread.uri);
  }

  /** The feedback for the agent; empty without remarks. */
  textOf(uri: vscode.Uri, label: string, text: string): string {
    return feedbackText(label, text, this.remarksOn(uri));
  }

  remarksOn(uri: vscode.Uri): readonly Remark[] {
    const early = this.early.filter((other) => other.uri.toString() === uri.toString());
    const shown = this.of(uri).flatMap(({ range, comments }) =>
      comments.map(({ body }) => ({
        start: range?.start.line ?? 0,
        end: range?.end.line ?? 0,
        text: typeof body === 'string' ? body : body.value,
      })),
    );
    return [...early.flatMap(({ remarks }) => remarks), ...shown];
  }

  end(uri: vscode.Uri): void {
    this.early = this.early.filter((other) => other.uri.toString() !== uri.toString());
    for (const thread of this.of(uri)) {
      this.threads.delete(thread);
      thread.dispose();
    }
  }

  private of(uri: vscode.Uri): vscode.CommentThread[] {
    return [...this.threads].filter((thread) => thread.uri.toString() === uri.toString());
  }
}

/** Adds the user's comment to the thread. */
export function addWords(thread: vscode.CommentThread, text: string): void {
  // A string body is shown as plain text, without links and images.
  const comment = { body: text, mode: vscode.CommentMode.Preview, author: { name: l10n.t('You') } };
  thread.comments = [...thread.comments, comment];
  thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
}
