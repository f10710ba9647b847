import type * as vscode from 'vscode';

/** A file with a change that is pending review. */
export interface ReviewItem {
  /** Includes the version: another text has another id. */
  readonly id: string;
  /** The absolute path. */
  readonly path: string;
  /** The path in its workspace folder, for display. */
  readonly label: string;
  /** `proposed`: nothing is on disk before the approval. `applied`: the change is on disk and not reviewed yet. */
  readonly style: 'proposed' | 'applied';
  readonly isNew: boolean;
  readonly added: number;
  readonly removed: number;
  /** For a proposal, the id of its question. */
  readonly requestId?: string;
  /** For a proposal, whether its diff is open in an editor, where the user can read all of it. */
  readonly isOpen?: boolean;
  /** The reason why it cannot simply be accepted, for example because the file has changed. */
  readonly conflict?: string;
}

/** A changed place in the document that shows the new text. */
export interface ReviewHunk {
  /** Lines of the document, counted from 0, end excluded. The range is empty if lines were only removed. */
  readonly start: number;
  readonly end: number;
  /** The earlier lines, with their line ends. */
  readonly before: string;
}

/** A source of changes that are pending review. Proposed and applied changes are reviewed with the same commands. */
export interface ReviewSource extends vscode.Disposable {
  readonly items: readonly ReviewItem[];
  readonly onDidChange: vscode.Event<void>;
  /** The two sides of the item's diff editor: the earlier text, and the document with the new text. */
  sidesOf(id: string): { readonly before: vscode.Uri; readonly after: vscode.Uri };
  /** Shows the item in a diff editor. Focus stays where it is unless the user asked for the diff. */
  open(id: string, options: { readonly preserveFocus: boolean }): Promise<void>;
  accept(id: string): Promise<void>;
  reject(id: string): Promise<void>;
  /** The item whose new text the document shows. */
  itemOf(document: vscode.TextDocument): ReviewItem | undefined;
  /** The outcome of the item that the document showed, while the document is open. */
  outcomeOf?(document: vscode.TextDocument): string | undefined;
  /** The hunks without a verdict. */
  hunksOf(document: vscode.TextDocument): readonly ReviewHunk[];
  acceptHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void>;
  rejectHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void>;
}
