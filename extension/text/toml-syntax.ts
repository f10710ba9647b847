import type { Span } from './text-range.ts';

/** A bare or quoted name in a key or header. */
export interface TomlName extends Span {
  /** Without quotes. */
  readonly text: string;
}

/** The header of a table, such as `[[rule]]` or `[safety_checker.checker]`. */
export interface TomlHeader extends Span {
  readonly names: readonly TomlName[];
  readonly isList: boolean;
}

export type TomlValueKind = 'string' | 'number' | 'boolean' | 'date' | 'list' | 'table' | 'broken';

export interface TomlValue extends Span {
  readonly kind: TomlValueKind;
  /** The values of a list. */
  readonly items: readonly TomlValue[];
  /** The keys of an inline table. */
  readonly entries: readonly TomlEntry[];
  /** Whether its end is missing. */
  readonly isOpen: boolean;
}

/** A key with its value. Somebody may still be typing the value, or the `=` before it. */
export interface TomlEntry extends Span {
  readonly names: readonly TomlName[];
  /** The offset after the `=`. */
  readonly afterEquals?: number;
  readonly value?: TomlValue;
}

/** The part of a text from one header to the next. Only the first block has no header. */
export interface TomlBlock extends Span {
  readonly header?: TomlHeader;
  readonly entries: readonly TomlEntry[];
  readonly comments: readonly Span[];
  /** Text that is neither a header, a key, a value nor a comment. */
  readonly broken: readonly Span[];
}

/**
 * Finds the keys and values of a TOML text and where they are. The parser gives no positions, and it gives up at the
 * first mistake; this continues with the next line, because people want help while the text is still broken. What a value
 * means is for the parser to decide.
 */
export function scanToml(text: string): readonly TomlBlock[] {
  return new Scanner(text).blocks();
}

const HEADER =
  /(\[\[?)[ \t]*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)[ \t]*(\]\]?)/y;
const NAME = /[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
/** No value looks like this, so it is a header, even if a list above it was never closed. */
const UNMISTAKABLE = /[ \t]*\[\[[ \t]*(?!(?:true|false|inf|nan)\b)[A-Za-z_][\w-]*[ \t]*\]\]/y;
/** Nor like this: it is the next key. */
const NEXT_KEY = /[ \t]*[A-Za-z_][\w-]*[ \t]*=/y;
const BARE = /[^,\]}#\r\n]*/y;
/** No file needs more, and each level takes space on the stack. */
const MAX_DEPTH = 64;

const NUMBER = /^[+-]?(?:\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?\d[\d_]*)?|0x[\da-fA-F_]+|0o[0-7_]+|0b[01_]+|inf|nan)$/;
const DATE = /^\d{4}-\d\d-\d\d|^\d\d:\d\d/;

interface OpenBlock {
  readonly start: number;
  readonly header?: TomlHeader;
  readonly entries: TomlEntry[];
  readonly comments: Span[];
  readonly broken: Span[];
}

class Scanner {
  private at = 0;
  private block: OpenBlock;
  private readonly done: TomlBlock[] = [];

  constructor(private readonly text: string) {
    if (text.startsWith('\uFEFF')) this.at = 1;
    this.block = { start: 0, entries: [], comments: [], broken: [] };
  }

  blocks(): readonly TomlBlock[] {
    for (this.skip(true); this.at < this.text.length; this.skip(true)) this.statement();
    this.done.push({ ...this.block, end: this.text.length });
    return this.done;
  }

  private statement(): void {
    const start = this.at;
    const header = this.header();
    if (header) {
      // The block begins with its line, so that the indentation belongs to it.
      const line = this.text.lastIndexOf('\n', start) + 1;
      const begins = Math.max(line, this.block.start);
      this.done.push({ ...this.block, end: begins });
      this.block = { start: begins, header, entries: [], comments: [], broken: [] };
    } else {
      const entry = this.entry(0, false);
      if (entry) this.block.entries.push(entry);
    }
    this.restOfLine();
  }

  private header(): TomlHeader | undefined {
    const start = this.at;
    const [whole = '', open = '', path = '', close = ''] = this.match(HEADER) ?? [];
    if (open === '' || close.length !== open.length) {
      this.at = start;
      return undefined;
    }
    const names = namesIn(path, start + whole.indexOf(path, open.length));
    return { names, isList: open.length === 2, start, end: this.at };
  }

  private entry(depth: number, isInline: boolean): TomlEntry | undefined {
    const start = this.at;
    const names: TomlName[] = [];
    for (;;) {
      const name = this.name();
      if (!name) break;
      names.push(name);
      this.blanks();
      if (this.text[this.at] !== '.') break;
      this.at++;
      this.blanks();
    }
    if (names.length === 0) return undefined;
    if (this.text[this.at] !== '=') return { names, start, end: names.at(-1)?.end ?? start };
    this.at++;
    const afterEquals = this.at;
    this.blanks();
    const value = this.value(depth, isInline);
    const end = value?.end ?? afterEquals;
    return { names, afterEquals, ...(value && { value }), start, end };
  }

  private name(): TomlName | undefined {
    const start = this.at;
    const [whole] = this.match(NAME) ?? [];
    return whole === undefined ? undefined : { text: unquoted(whole), start, end: this.at };
  }

  private value(depth: number, isInside: boolean): TomlValue | undefined {
    const start = this.at;
    const character = this.text[start];
    if (character === undefined || character === '\n' || character === '\r' || character === '#') return undefined;
    if (character === '"' || character === "'") return this.string(character);
    if (depth < MAX_DEPTH && character === '[') return this.list(depth);
    if (depth < MAX_DEPTH && character === '{') return this.table(depth);
    // A value at the top has no comma or bracket after it, so everything there belongs to what was meant.
    const [bare = ''] = this.match(isInside ? BARE : /[^#\r\n]*/y) ?? [];
    const written = bare.trimEnd();
    if (written === '') return undefined;
    this.at = start + written.length;
    return leaf(kindOf(written), start, this.at);
  }

  /** A text without an end stops with its line, so that the next lines still count. */
  private string(quote: string): TomlValue {
    const { text, at: start } = this;
    const isLong = text.startsWith(quote.repeat(3), start);
    const fence = isLong ? quote.repeat(3) : quote;
    let at = start + fence.length;
    for (; at < text.length; at++) {
      if (!isLong && (text[at] === '\n' || text[at] === '\r')) break;
      if (quote === '"' && text[at] === '\\') at++;
      else if (text.startsWith(fence, at)) {
        at += fence.length;
        // One or two quotes may stand right before the end: `""""" ends here`.
        for (let more = 0; isLong && more < 2 && text[at] === quote; more++) at++;
        this.at = at;
        return leaf('string', start, at);
      }
    }
    this.at = isLong ? this.endOfLine(start) : Math.min(at, text.length);
    return { ...leaf('string', start, this.at), isOpen: true };
  }

  private list(depth: number): TomlValue {
    const start = this.at++;
    const items: TomlValue[] = [];
    const isOpen = this.inside(']', () => {
      const item = this.value(depth + 1, true);
      if (item) items.push(item);
    });
    return { kind: 'list', items, entries: [], isOpen, start, end: this.at };
  }

  private table(depth: number): TomlValue {
    const start = this.at++;
    const entries: TomlEntry[] = [];
    const isOpen = this.inside('}', () => {
      const entry = this.entry(depth + 1, true);
      if (entry) entries.push(entry);
    });
    return { kind: 'table', items: [], entries, isOpen, start, end: this.at };
  }

  /** Reads what is between brackets. Returns whether the closing bracket is missing. */
  private inside(close: string, read: () => void): boolean {
    let end = this.at;
    for (;;) {
      const before = this.at;
      this.skip(false);
      const hasNewLine = this.text.slice(before, this.at).includes('\n');
      if (this.at >= this.text.length || (hasNewLine && this.isNextStatement(close))) {
        this.at = end;
        return true;
      }
      if (this.text[this.at] === close) {
        this.at++;
        return false;
      }
      const begins = this.at;
      if (this.text[begins] === ',') this.at++;
      else read();
      if (this.at === begins) this.broken(begins, ++this.at);
      end = this.at;
    }
  }

  private isNextStatement(close: string): boolean {
    return this.sees(UNMISTAKABLE) || (close === ']' && this.sees(NEXT_KEY));
  }

  private sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  /** Marks what follows a statement in its line, except a comment. */
  private restOfLine(): void {
    this.blanks();
    const end = this.endOfLine(this.at);
    if (this.text[this.at] === '#') return;
    const rest = this.text.slice(this.at, end).trimEnd();
    if (rest !== '') this.broken(this.at, this.at + rest.length);
    this.at = end;
  }

  private broken(start: number, end: number): void {
    this.block.broken.push({ start, end });
  }

  private blanks(): void {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at++;
  }

  /** Skips blanks, line ends and comments. A comment before a header belongs to the header's block. */
  private skip(isBetweenStatements: boolean): void {
    for (;;) {
      const character = this.text[this.at];
      if (character === '#') {
        const end = this.endOfLine(this.at);
        this.block.comments.push({ start: this.at, end });
        this.at = end;
      } else if (character === ' ' || character === '\t' || character === '\n' || character === '\r') {
        this.at++;
      } else {
        // Other white space is no TOML, but must not stop the scanner.
        if (!isBetweenStatements || character === undefined || character.trim() !== '') return;
        this.at++;
      }
    }
  }

  private endOfLine(from: number): number {
    const end = this.text.indexOf('\n', from);
    if (end === -1) return this.text.length;
    return this.text[end - 1] === '\r' && end > from ? end - 1 : end;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }
}

function leaf(kind: TomlValueKind, start: number, end: number): TomlValue {
  return { kind, items: [], entries: [], isOpen: false, start, end };
}

function kindOf(written: string): TomlValueKind {
  if (written === 'true' || written === 'false') return 'boolean';
  if (DATE.test(written)) return 'date';
  return NUMBER.test(written) ? 'number' : 'broken';
}

function namesIn(path: string, offset: number): TomlName[] {
  return [...path.matchAll(/[\w-]+|"[^"]*"|'[^']*'/g)].map(({ 0: whole, index }) => ({
    text: unquoted(whole),
    start: offset + index,
    end: offset + index + whole.length,
  }));
}

function unquoted(name: string): string {
  return name.replace(/^(["'])(.*)\1$/, '$2');
}
