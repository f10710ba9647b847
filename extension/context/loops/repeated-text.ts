import { RepeatedWindows, type Repetition } from './repeated-windows.ts';

/** Longer lines do not count as rows of a table. */
const LONGEST_ROW = 2000;

/**
 * Reads an answer while it arrives and detects text that is repeated over and over. It works on lines, so that the
 * split into chunks makes no difference. It skips code and tables, which are repetitive by nature.
 */
export class RepeatedText {
  private readonly windows = new RepeatedWindows();
  /** The beginning of the current line, to determine its kind. All of the line if it may be a fence. */
  private line = '';
  private kind: ReturnType<typeof lineKind> = 'open';
  private passed = 0;
  private hasCells = false;
  /** The last two characters, in case a separator is split between two pieces. */
  private tail = '';
  /** The fence that opened the current code block. */
  private block: string | undefined;

  add(text: string): Repetition | undefined {
    for (let at = 0; at < text.length; ) {
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline + 1;
      const repeated = this.addToLine(text.slice(at, end));
      if (repeated) return { ...repeated, length: repeated.length + text.length - end };
      at = end;
    }
    return undefined;
  }

  /** Called when another answer begins, or the conversation continues elsewhere. */
  clear(): void {
    this.windows.clear();
    this.block = undefined;
    this.beginLine();
  }

  /** The piece contains no line break except at its end. */
  private addToLine(piece: string): Repetition | undefined {
    const ends = piece.endsWith('\n');
    const repeated = this.block === undefined ? this.read(piece, ends) : this.keepLine(piece);
    if (ends) this.endLine();
    return repeated;
  }

  private read(piece: string, ends: boolean): Repetition | undefined {
    if (this.kind === 'open') {
      this.line += piece;
      this.kind = lineKind(this.line);
      if (this.kind === 'open' && ends) this.kind = 'words';
      if (this.kind === 'open') return undefined;
      if (this.kind !== 'words') this.windows.clear();
      if (this.kind === 'fence') return undefined;
      return this.take(this.line);
    }
    return this.kind === 'fence' ? this.keepLine(piece) : this.take(piece);
  }

  private take(piece: string): Repetition | undefined {
    if (this.kind === 'form') {
      this.passed += piece.length;
      if (this.passed <= LONGEST_ROW) return undefined;
    }
    this.hasCells ||= CELLS.test(this.tail + piece);
    this.tail = (this.tail + piece).slice(-2);
    return this.windows.add(piece);
  }

  /** Fences are short, but a line of code may be as long as a file, so only its beginning is kept. */
  private keepLine(piece: string): undefined {
    if (this.line.length < LONGEST_ROW) this.line += piece;
  }

  private endLine(): void {
    const { line, block, kind } = this;
    const whole = line.replace(/\r?\n$/, '');
    if (block !== undefined) {
      if (closesBlock(whole, block)) this.block = undefined;
    } else if (kind === 'fence') {
      this.block = opensBlock(whole);
    } else if (this.hasCells) {
      this.windows.clear();
    }
    this.beginLine();
  }

  private beginLine(): void {
    this.line = '';
    this.kind = 'open';
    this.passed = 0;
    this.hasCells = false;
    this.tail = '';
  }
}

/** Some tables have no bar at the beginning, or use tabs. */
const CELLS = / \| |\t/;

/**
 * The kind of a Markdown line, determined by its beginning. A list, a table, a heading, a quotation or a rule starts a
 * new element: similarities between elements are formatting, not repetition.
 */
type LineKind =
  /** Not enough characters to decide. */
  | 'open'
  | 'words'
  /** A list item, a heading, a quotation or a rule: its text counts, the text before it no longer does. */
  | 'element'
  /** A row of a table, or an indented line of code. */
  | 'form'
  /** Begins or ends a code block. */
  | 'fence';

/** Longer than the beginning of any element: `999999999. `. */
const LONGEST_BEGINNING = 12;

const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const FORM = /^(?: {0,3}\t| {4}|\s*\||\s*\+[-=])/;
const ELEMENT = /^\s*(?:[-*+•]\s|\d{1,9}[.)]\s|#{1,6}\s|>|[-=_*~+\u2500-\u257f]{3})/;
/** Text that may still become the beginning of one of these. */
const BEGINNING = /^ *(?:`{0,2}|~{0,2}|[-=_*+•\u2500-\u257f]{0,2}|\d{1,9}[.)]?|#{1,6})$/;

function lineKind(line: string): LineKind {
  if (FENCE.test(line)) return 'fence';
  if (FORM.test(line)) return 'form';
  if (ELEMENT.test(line)) return 'element';
  return line.length <= LONGEST_BEGINNING && BEGINNING.test(line) ? 'open' : 'words';
}

/** The fence if the line opens a code block; undefined if it only contains inline code: ```` ```x``` ````. */
function opensBlock(line: string): string | undefined {
  const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  return mark === '' || (mark.startsWith('`') && info.includes('`')) ? undefined : mark;
}

function closesBlock(line: string, opened: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return mark !== undefined && mark[0] === opened[0] && mark.length >= opened.length;
}
