import type { Position, Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Span, TextRange } from '../text/text-range.ts';

/** A document as the client shows it, which is not always as it is on the disk. */
export class ConfigDocument {
  readonly text: string;
  readonly version: number;
  readonly uri: string;

  constructor(
    /** The same object for all versions. */
    readonly document: TextDocument,
    /** Absolute. */
    readonly path: string,
  ) {
    // The document changes when the user types, and a file is what it was when it was asked for.
    this.text = document.getText();
    this.version = document.version;
    this.uri = document.uri;
  }

  /** Whether the user has typed since. */
  get isStale(): boolean {
    return this.document.version !== this.version;
  }

  offsetAt(position: Position): number {
    return this.document.offsetAt(position);
  }

  positionAt(offset: number): Position {
    return this.document.positionAt(offset);
  }

  rangeOf({ start, end }: Span): Range {
    return { start: this.document.positionAt(start), end: this.document.positionAt(end) };
  }
}

/** LSP counts lines and characters from 0, people and our readers from 1. */
export function toLspRange({ line, column, endLine, endColumn }: TextRange): Range {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}
