import { closesBlock, lineKind, opensBlock } from './line-kind.ts';
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
