import * as vscode from 'vscode';
import { withLf } from '../../files/line-ends.ts';
import type { WaitingEdit } from '../../runtime/calls/edit-review.ts';
import { findDocument } from '../editor/open-documents.ts';
import { type Hunk, hunkLineCounts, LastComparison, rebased, withHunkAccepted } from './hunks.ts';
import { fingerprint, itemId } from './item-version.ts';
import type { ReviewHunk, ReviewItem } from './review-source.ts';

export type ReviewedEdit = WaitingEdit['edits'][number];
export type EditVerdict = 'accepted' | 'rejected';

/** How far the review of a file has come. */
export interface ReviewProgress {
  readonly verdict?: EditVerdict | undefined;
  /** The text before, with the places that were accepted. */
  readonly settled?: string | undefined;
}

/** A file of a question, and how far its review has come. Its text is in the document that shows it. */
export class ProposedFile {
  /** The same whatever is proposed for the file. */
  readonly key: string;
  /** Of the document with the proposal. */
  readonly uri: vscode.Uri;
  verdict: EditVerdict | undefined;
  conflict: string | undefined;
  /** Whether VS Code has begun to move the file away, or has done so: nothing is to be written in its place. */
  move: 'begun' | 'done' | undefined;
  /** What still differs from it has no verdict. */
  private settled: string;
  private version: string;
  /** The proposal that the document's text was made from. It is an older one until the document has taken the new text. */
  private shown: ReviewedEdit;
  private readonly whole = new LastComparison();
  private readonly open = new LastComparison();

  constructor(
    callId: string,
    private current: ReviewedEdit,
    scheme: string,
  ) {
    this.key = `${callId}:${current.path}`;
    // The name and folders are the file's own, so that VS Code knows its language and people know where it is.
    const authority = Buffer.from(fingerprint(this.key), 'base64url').toString('hex').slice(0, 16);
    this.uri = vscode.Uri.file(current.path).with({ scheme, authority });
    this.settled = current.before ?? '';
    this.version = versionOf(current);
    this.shown = current;
  }

  get id(): string {
    return itemId(this.key, this.version);
  }

  get edit(): ReviewedEdit {
    return this.current;
  }

  /** The file as its editor shows it, saved or not; for a file to be created, an empty one. */
  get beforeUri(): vscode.Uri {
    if (this.current.before === null) return this.uri.with({ query: 'before' });
    return findDocument(this.current.path)?.uri ?? vscode.Uri.file(this.current.path);
  }

  get progress(): ReviewProgress {
    const isBegun = this.settled !== (this.current.before ?? '');
    return { verdict: this.verdict, settled: isBegun ? this.settled : undefined };
  }

  takeUp({ verdict, settled }: ReviewProgress): void {
    this.verdict = verdict;
    this.settled = settled ?? this.settled;
  }

  item(text: string): ReviewItem {
    const { path, label, before } = this.current;
    return {
      id: this.id,
      path,
      label,
      style: 'proposed',
      isNew: before === null,
      ...hunkLineCounts(this.whole.hunksBetween(before ?? '', text)),
      ...(this.conflict !== undefined && { conflict: this.conflict }),
    };
  }

  /** Places without a verdict. */
  hunks(text: string): readonly Hunk[] {
    return this.open.hunksBetween(this.settled, text);
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

  /** The file has changed, and with it the proposal. */
  renew(next: ReviewedEdit): void {
    const before = this.current;
    this.current = next;
    this.conflict = undefined;
    const version = versionOf(next);
    // A verdict was on what was there then.
    if (version !== this.version) this.verdict = undefined;
    this.version = version;
    this.settled = rebased(before.before ?? '', this.settled, next.before ?? '') ?? next.before ?? '';
  }

  /** The proposal with what the user made of it, or of the one before it, as far as that fits. `text` is the document's. */
  carried(text: string): { readonly text: string; readonly keptChanges: boolean } {
    const { shown, current } = this;
    if (shown === current) return { text, keptChanges: true };
    if (withLf(text) === withLf(shown.after)) return { text: current.after, keptChanges: true };
    const kept = rebased(shown.after, text, current.after);
    return { text: kept ?? current.after, keptChanges: kept !== undefined };
  }

  /** The document has taken the text that was made from this proposal. */
  isShown(edit: ReviewedEdit): void {
    this.shown = edit;
  }
}

function versionOf({ before, after }: ReviewedEdit): string {
  return fingerprint(JSON.stringify([before, after]));
}
