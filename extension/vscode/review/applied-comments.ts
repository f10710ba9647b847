import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import type { ChangeComment } from '../../runtime/changes/change-comments.ts';
import type { PendingChanges } from '../../runtime/changes/pending-changes.ts';
import { Disposable } from '../base/disposable.ts';
import { findDocument } from '../editor/open-documents.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { AppliedChanges } from './applied-changes.ts';
import { feedbackText, whenSent } from './comment-texts.ts';
import { addWords } from './review-comments.ts';

export interface AppliedCommentParts {
  readonly session: Pick<PanelSession, 'changes' | 'isRunning' | 'onDidReplace' | 'onDidChangeState'>;
  readonly applied: Pick<AppliedChanges, 'items' | 'onDidChange' | 'itemAt'>;
  newThread(uri: vscode.Uri, range: vscode.Range): vscode.CommentThread | undefined;
  /** The set of documents that can be commented on has changed. */
  documentsChanged(): void;
}

/** Comments on changes that are already applied. The session keeps them until they are sent to the agent. */
export class AppliedComments extends Disposable {
  /** The threads, each with the ids of its comments. */
  private readonly threads = new Map<vscode.CommentThread, readonly string[]>();
  private changes: PendingChanges | undefined;
  private unsubscribe: () => void = () => undefined;
  private documents = '';

  constructor(private readonly parts: AppliedCommentParts) {
    super();
    const { session, applied } = parts;
    this.register(session.onDidReplace(() => this.sync()));
    this.register(session.onDidChangeState(() => this.sync()));
    this.register(applied.onDidChange(() => this.sync()));
    this.register({ dispose: () => this.leave() });
    this.sync();
  }

  /** Adds the user's comment to a thread, which may be new. */
  add({ thread, text }: vscode.CommentReply): void {
    if (text.trim() === '') return;
    addWords(thread, text);
    const id = randomUUID();
    const before = this.threads.get(thread) ?? [];
    // Registers the id first, so that the change event finds its thread.
    this.threads.set(thread, [...before, id]);
    try {
      if (!this.changes) throw new ProblemError(noSession());
      const path = this.parts.applied.itemAt(thread.uri)?.path ?? thread.uri.fsPath;
      this.changes.comments.add({ id, path, ...commentOn(thread, text) });
    } catch (error) {
      this.threads.set(thread, before);
      // The comment stays visible, so that the user can copy it.
      thread.label = ProblemError.is(error) ? l10n.t('Not sent. {0}', error.problem.detail) : l10n.t('Not sent');
      throw error;
    }
  }

  delete(thread: vscode.CommentThread): void {
    const ids = this.threads.get(thread) ?? [];
    this.threads.delete(thread);
    thread.dispose();
    for (const id of ids) this.changes?.comments.withdraw(id);
  }

  private sync(): void {
    this.follow();
    const documents = this.parts.applied.items.map(({ path }) => path).join('\n');
    if (documents !== this.documents) this.parts.documentsChanged();
    this.documents = documents;
    const waiting = this.changes?.comments.waiting ?? [];
    const shown = new Set([...this.threads.values()].flat());
    for (const comment of waiting) if (!shown.has(comment.id)) this.show(comment);
    const unsent = new Set(waiting.map(({ id }) => id));
    for (const [thread, ids] of this.threads) this.label(thread, ids.length > 0 && !ids.some((id) => unsent.has(id)));
  }

  private label(thread: vscode.CommentThread, isSent: boolean): void {
    const { applied, session } = this.parts;
    if ((this.threads.get(thread) ?? []).length === 0) return;
    if (isSent && !applied.itemAt(thread.uri)) {
      this.threads.delete(thread);
      thread.dispose();
      return;
    }
    const label = whenSent(isSent, session.isRunning);
    if (thread.label !== label) thread.label = label;
  }

  /** Shows a comment that was written before a reload. */
  private show({ id, path, start, end, text }: ChangeComment): void {
    const thread = this.parts.newThread(vscode.Uri.file(path), new vscode.Range(start, 0, end, 0));
    if (!thread) return;
    addWords(thread, text);
    this.threads.set(thread, [id]);
  }

  private follow(): void {
    const { changes } = this.parts.session;
    if (changes === this.changes) return;
    this.leave();
    this.changes = changes;
    this.unsubscribe = changes?.comments.onDidChange(() => this.sync()) ?? (() => undefined);
  }

  /** Comments that are not sent yet stay in their session. */
  private leave(): void {
    this.unsubscribe();
    for (const thread of this.threads.keys()) thread.dispose();
    this.threads.clear();
  }
}

function commentOn({ uri, range }: vscode.CommentThread, text: string): Omit<ChangeComment, 'id' | 'path'> {
  const start = range?.start.line ?? 0;
  const end = range?.end.line ?? start;
  const lines = findDocument(uri.fsPath)?.getText() ?? '';
  const label = vscode.workspace.asRelativePath(uri);
  return { start, end, text, feedback: feedbackText(label, lines, [{ start, end, text }]) };
}

const noSession = (): Problem => ({
  kind: 'not-waiting',
  title: l10n.t('The comment was not sent'),
  detail: l10n.t('Its conversation is not open.'),
  actions: [],
});
