/** An editor's knowledge about code. Paths are absolute; lines and columns are one-based. */
export interface EditorPort {
  /** The problems of one file, or of all files. */
  problems(path?: string): readonly EditorProblem[];
  /** The file's problems once the editor has checked its current text, or what is known at the timeout. */
  problemsAfterChange(path: string, limitMs: number, signal: AbortSignal): Promise<readonly EditorProblem[]>;
  symbols(query: string, path: string | undefined, signal: AbortSignal): Promise<readonly EditorSymbol[]>;
  definitions(at: EditorPosition, signal: AbortSignal): Promise<readonly EditorLocation[]>;
  references(at: EditorPosition, signal: AbortSignal): Promise<readonly EditorLocation[]>;
  /** The changes of a rename by file, or why it isn't possible. */
  rename(at: EditorPosition, newName: string, signal: AbortSignal): Promise<RenameOutcome>;
  openEditors(): readonly OpenEditor[];
}

export interface EditorPosition {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export interface EditorLocation extends EditorPosition {
  readonly endLine: number;
  readonly endColumn: number;
}

export interface EditorProblem extends EditorLocation {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  /** The source of the problem, such as "ts". */
  readonly source?: string;
  readonly code?: string;
}

export interface EditorSymbol extends EditorLocation {
  readonly name: string;
  /** Such as "class" or "function". */
  readonly kind: string;
  readonly container?: string;
}

export type RenameOutcome =
  | { readonly files: readonly { readonly path: string; readonly before: string; readonly after: string }[] }
  | { readonly problem: string };

export interface OpenEditor {
  readonly path: string;
  readonly isActive: boolean;
  readonly isDirty: boolean;
  readonly isVisible: boolean;
  readonly cursor?: { readonly line: number; readonly column: number };
  readonly selection?: { readonly startLine: number; readonly endLine: number; readonly text: string };
}
