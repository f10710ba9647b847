import type * as vscode from 'vscode';

/** A file whose change waits for a verdict. */
export interface ReviewItem {
  /** Of what is there now: with another text it has another one. */
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  /** For people: the path in its workspace folder. */
  readonly label: string;
  /** Nothing is on disk before the approval; or it is, and the user has not looked at it yet. */
  readonly style: 'proposed' | 'applied';
  readonly isNew: boolean;
  readonly added: number;
  readonly removed: number;
  /** Of a proposal: the question that it is a file of. */
  readonly requestId?: string;
  /** Of a proposal: its diff is open in an editor, where all of it can be read. */
  readonly isOpen?: boolean;
  /** Why it cannot simply be accepted, such as a file that is another one by now. */
  readonly conflict?: string;
}

/** One changed place, as it stands in the document that shows the new text. */
export interface ReviewHunk {
  /** Lines of the document, from 0, end excluded. Empty where lines were only taken away. */
  readonly start: number;
  readonly end: number;
  /** The lines that were there before, with their line ends. */
  readonly before: string;
}

/** Where changes that wait for a verdict come from. Both styles are reviewed with the same commands. */
export interface ReviewSource extends vscode.Disposable {
  readonly items: readonly ReviewItem[];
  readonly onDidChange: vscode.Event<void>;
  /** What the diff editor of the item compares: the text before, and the document with the new one. */
  sidesOf(id: string): { readonly before: vscode.Uri; readonly after: vscode.Uri };
  /** Shows the item in a diff editor. Focus stays where it is unless the user asked for the diff. */
  open(id: string, options: { readonly preserveFocus: boolean }): Promise<void>;
  accept(id: string): Promise<void>;
  reject(id: string): Promise<void>;
  /** The item that the document shows the new text of. */
  itemOf(document: vscode.TextDocument): ReviewItem | undefined;
  /** What became of the item that the document showed, as long as it is open. */
  outcomeOf?(document: vscode.TextDocument): string | undefined;
  /** Places that have no verdict yet. */
  hunksOf(document: vscode.TextDocument): readonly ReviewHunk[];
  acceptHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void>;
  rejectHunk(document: vscode.TextDocument, hunk: ReviewHunk): Promise<void>;
}
