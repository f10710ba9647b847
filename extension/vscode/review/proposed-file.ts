import * as vscode from 'vscode';
import { withLf } from '../../files/line-ends.ts';
import type { WaitingEdit } from '../../runtime/calls/edit-review.ts';
import { findDocument } from '../editor/open-documents.ts';
import { type Hunk, hunkLineCounts, LastComparison, rebased, withHunkAccepted } from './hunks.ts';
import { itemId, textVersion } from './item-version.ts';
import type { ReviewHunk, ReviewItem } from './review-source.ts';

export type ReviewedEdit = WaitingEdit['edits'][number];
export type EditVerdict = 'accepted' | 'rejected';

/** The progress of a file's review. */
export interface ReviewProgress {
  readonly verdict?: EditVerdict | undefined;
  /** The earlier text with the hunks that the user accepted. */
  readonly settled?: string | undefined;
}

/** A file of a question and the progress of its review. Its text is in the document that shows it. */
export class ProposedFile {
  /** Identifies the file, regardless of the proposed text. */
  readonly key: string;
  /** The URI of the document with the proposal. */
  readonly uri: vscode.Uri;
  verdict: EditVerdict | undefined;
  conflict: string | undefined;
  /** Whether VS Code has started or finished moving the file. Nothing must be written to the old path then. */
  move: 'begun' | 'done' | undefined;
  /** The earlier text with accepted hunks. Every difference from it is undecided. */
  private settled: string;
  private version: string;
  /** The proposal that the document's text is based on. It is an older one until the document shows the new text. */
  private shown: ReviewedEdit;
  private readonly whole = new LastComparison();
  private readonly open = new LastComparison();

  constructor(
    callId: string,
    private current: ReviewedEdit,
    scheme: string,
  ) {
    this.key = `${callId}:${current.path}`;
    // Keeps the file's name and folders, so that VS Code detects the language and the user sees where the file is.
    const authority = Buffer.from(textVersion(this.key), 'base64url').toString('hex').slice(0, 16);
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

  /** The URI of the file as its editor shows it, saved or not. For a file to be created, an empty document. */
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

  /** The hunks without a verdict. */
  hunks(text: string): readonly Hunk[] {
    return this.open.hunksBetween(this.settled, text);
  }

  acceptHunk(text: string, { start, end }: ReviewHunk): void {
    const hunk = this.hunks(text).find((other) => other.start === start && other.end === end);
    if (hunk) this.settled = withHunkAccepted(this.settled, text, hunk);
  }

  /** Whether the user changed the proposed text. */
  isChangedIn(text: string): boolean {
    return withLf(text) !== withLf(this.current.after);
  }

  /** Whether nothing of the proposal is left in the text. */
  isUndoneIn(text: string): boolean {
    return withLf(text) === withLf(this.current.before ?? '');
  }

  /** Updates the proposal after the file has changed. */
  renew(next: ReviewedEdit): void {
    const before = this.current;
    this.current = next;
    this.conflict = undefined;
    const version = versionOf(next);
    // A verdict applies only to the version that the user saw.
    if (version !== this.version) this.verdict = undefined;
    this.version = version;
    this.settled = rebased(before.before ?? '', this.settled, next.before ?? '') ?? next.before ?? '';
  }

  /**
   * Returns the proposal with the user's edits, which may have been made on the previous proposal, if they still apply.
   * `text` is the text of the document.
   */
  carried(text: string): { readonly text: string; readonly keptChanges: boolean } {
    const { shown, current } = this;
    if (shown === current) return { text, keptChanges: true };
    if (withLf(text) === withLf(shown.after)) return { text: current.after, keptChanges: true };
    const kept = rebased(shown.after, text, current.after);
    return { text: kept ?? current.after, keptChanges: kept !== undefined };
  }

  /** Records that the document shows the text of this proposal. */
  isShown(edit: ReviewedEdit): void {
    this.shown = edit;
  }
}

function versionOf({ before, after }: ReviewedEdit): string {
  return textVersion(JSON.stringify([before, after]));
}
