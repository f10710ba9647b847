/** A part of a text. Both ends are offsets in UTF-16 units; the end is after the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A part of a text that begins at an offset of the file, as a part of the file. */
export function inFile({ offset }: { readonly offset: number }, { start, end }: Span): Span {
  return { start: offset + start, end: offset + end };
}

/** A part of a text, as people name it. Lines and columns count from 1, and columns count UTF-16 units. */
export interface TextRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** For problems with a file whose text is unknown. */
export const FILE_START: TextRange = { line: 1, column: 1, endLine: 1, endColumn: 1 };

/** The first line of a file, for problems with the whole of it. */
export function firstLine(file: string): TextRange {
  const [line = ''] = file.split(/[\r\n]/, 1);
  return { line: 1, column: 1, endLine: 1, endColumn: line.length + 1 };
}

/** A part of a file. */
export interface FileRange {
  /** An absolute path. */
  readonly file: string;
  readonly range: TextRange;
}

/** The lines of a text. A line ends with LF, CR LF or CR. */
export class LineIndex {
  private readonly starts: number[] = [0];

  constructor(
    text: string,
    /** The number of the first line, if the text is a part of another. */
    private readonly first = 1,
  ) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) this.starts.push(at + 1);
    }
  }

  get count(): number {
    return this.starts.length;
  }

  rangeOf({ start, end }: Span): TextRange {
    const first = this.lineAt(start);
    const last = this.lineAt(Math.max(start, end));
    return {
      line: first + this.first,
      column: start - this.startOf(first) + 1,
      endLine: last + this.first,
      endColumn: Math.max(start, end) - this.startOf(last) + 1,
    };
  }

  private startOf(line: number): number {
    return this.starts[line] ?? 0;
  }

  /** Counted from 0. */
  private lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const LF = 10;
const CR = 13;
