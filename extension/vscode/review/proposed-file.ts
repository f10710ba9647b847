import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { WaitingEdit } from '../../runtime/edit-review.ts';
import { findDocument } from '../open-documents.ts';
import { changedLines, type Hunk, hunksBetween, rebased, withHunkAccepted, withLf } from './hunks.ts';
import type { ReviewHunk, ReviewItem } from './review-source.ts';

export type ProposedEdit = WaitingEdit['edits'][number];
export type Verdict = 'accepted' | 'rejected';

/** A file of a question, and how far its review has come. Its text is in the document that shows it. */
export class ProposedFile {
  readonly id: string;
  /** Of the document with the proposal. */
  readonly uri: vscode.Uri;
  verdict: Verdict | undefined;
  conflict: string | undefined;
  /** The text before, with the places that were accepted: what still differs from it has no verdict. */
  private settled: string;

  constructor(
    callId: string,
    private current: ProposedEdit,
    scheme: string,
  ) {
    this.id = `${callId}:${current.path}`;
    // The name and folders are the file's own, so that VS Code knows its language and people know where it is.
    const authority = createHash('sha256').update(this.id).digest('hex').slice(0, 16);
    this.uri = vscode.Uri.file(current.path).with({ scheme, authority });
    this.settled = current.before ?? '';
  }

  get edit(): ProposedEdit {
    return this.current;
  }

  /** The file as its editor shows it, saved or not; for a file to be created, an empty one. */
  get beforeUri(): vscode.Uri {
    if (this.current.before === null) return this.uri.with({ query: 'before' });
    return findDocument(this.current.path)?.uri ?? vscode.Uri.file(this.current.path);
  }

  item(text: string): ReviewItem {
    const { path, label, before } = this.current;
    return {
      id: this.id,
      path,
      label,
      style: 'proposed',
      isNew: before === null,
      ...changedLines(hunksBetween(before ?? '', text)),
      ...(this.conflict !== undefined && { conflict: this.conflict }),
    };
  }

  /** Places without a verdict. */
  hunks(text: string): readonly Hunk[] {
    return hunksBetween(this.settled, text);
  }

  acceptHunk(text: string, { start, end }: ReviewHunk): void {
    const hunk = this.hunks(text).find((other) => other.start === start && other.end === end);
    if (hunk) this.settled = withHunkAccepted(this.settled, text, hunk);
  }

  /** Whether the text is another one than was proposed. */
  isChangedIn(text: string): boolean {
    return withLf(text) !== withLf(this.current.after);
  }

  /** Whether nothing would be left of the proposal. */
  isUndoneIn(text: string): boolean {
    return withLf(text) === withLf(this.current.before ?? '');
  }

  /**
   * The file has changed, and with it the proposal. Gives the text to show: the new proposal with what the user had made
   * of the old one, if that fits.
   */
  renew(next: ProposedEdit, text: string): { readonly text: string; readonly keptChanges: boolean } {
    const before = this.current;
    this.current = next;
    this.conflict = undefined;
    this.settled = rebased(before.before ?? '', this.settled, next.before ?? '') ?? next.before ?? '';
    if (withLf(text) === withLf(before.after)) return { text: next.after, keptChanges: true };
    const kept = rebased(before.after, text, next.after);
    return { text: kept ?? next.after, keptChanges: kept !== undefined };
  }
}
