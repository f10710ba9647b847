import { RepeatedWindows, type Repetition } from './repeated-windows.ts';

/** A row of a table that is longer than this is none. */
const LONGEST_ROW = 2000;

/**
 * Reads an answer while it comes and finds words that come again and again. It looks at lines, so that how the answer is
 * cut into pieces makes no difference. Code and tables repeat themselves by nature and are passed over.
 */
export class RepeatedText {
  private readonly windows = new RepeatedWindows();
  /** The line of this moment, as far as it is needed: to tell what it is, and all of it while it could be a fence. */
  private line = '';
  private kind: ReturnType<typeof lineKind> = 'open';
  private passed = 0;
  private hasCells = false;
  /** The last two characters, for what the next piece could be the rest of. */
  private tail = '';
  /** The marks that opened the block of code we are in. */
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

  /** Another answer begins, or the conversation continues elsewhere. */
  clear(): void {
    this.windows.clear();
    this.block = undefined;
    this.beginLine();
  }

  /** The piece ends where the line does, or before. */
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

  /** What opens and ends a block of code is short, and a line of code may be as long as a file. */
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

/** Tables are also written without a bar at the beginning, or with tabs. */
const CELLS = / \| |\t/;

/**
 * What a line of Markdown is, as far as its beginning tells. A list, a table, a heading, a quotation or a rule begins
 * something new: what looks alike there is form and not repetition.
 */
type LineKind =
  /** Not enough of it is there. */
  | 'open'
  | 'words'
  /** A list item, a heading, a quotation or a rule: its words count, and nothing before it does. */
  | 'element'
  /** A row of a table, or a line of code that is only indented. */
  | 'form'
  /** Begins or ends a block of code. */
  | 'fence';

/** Longer than the beginning of any element: `999999999. `. */
const LONGEST_BEGINNING = 12;

const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const FORM = /^(?: {0,3}\t| {4}|\s*\||\s*\+[-=])/;
const ELEMENT = /^\s*(?:[-*+•]\s|\d{1,9}[.)]\s|#{1,6}\s|>|[-=_*~+\u2500-\u257f]{3})/;
/** What one of them could still become of. */
const BEGINNING = /^ *(?:`{0,2}|~{0,2}|[-=_*+•\u2500-\u257f]{0,2}|\d{1,9}[.)]?|#{1,6})$/;

function lineKind(line: string): LineKind {
  if (FENCE.test(line)) return 'fence';
  if (FORM.test(line)) return 'form';
  if (ELEMENT.test(line)) return 'element';
  return line.length <= LONGEST_BEGINNING && BEGINNING.test(line) ? 'open' : 'words';
}

/** Whether a whole line that begins as a fence does so, or only has code in it: ```` ```x``` ````. */
function opensBlock(line: string): string | undefined {
  const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  return mark === '' || (mark.startsWith('`') && info.includes('`')) ? undefined : mark;
}

function closesBlock(line: string, opened: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return mark !== undefined && mark[0] === opened[0] && mark.length >= opened.length;
}
