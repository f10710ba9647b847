import { parse } from 'smol-toml';
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
  /** Whether its brackets don't match, as in `[[rule]`. */
  readonly isBroken: boolean;
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

/** The entry of a key without dots. */
export function entryOf({ entries }: Pick<TomlBlock, 'entries'>, key: string): TomlEntry | undefined {
  return entries.find(({ names }) => names.length === 1 && names[0]?.text === key);
}

/**
 * Finds the keys and values of a TOML text and where they are. The parser gives no positions, and it gives up at the
 * first mistake; this continues with the next line, because people want help while the text is still broken. What a value
 * means is for the parser to decide.
 */
export function scanToml(text: string): readonly TomlBlock[] {
  return new Scanner(text, 0, () => true).part().blocks;
}

/** Some blocks in a row. Their places count from the beginning of the first. */
export interface TomlPart {
  readonly blocks: readonly TomlBlock[];
  /** The number of characters. */
  readonly length: number;
  /** Whether text after the next header could change what is found here. */
  readonly looksAhead: boolean;
}

/** Whether a part with this header, if it has one, also contains the table of the next header. */
type Contains = (first: TomlHeader | undefined, next: TomlHeader) => boolean;

/**
 * Finds the blocks of a part, which begins with a line. Text before that line changes nothing, and text after the part
 * only if it `looksAhead`.
 */
export function scanTomlPart(text: string, from: number, contains: Contains): TomlPart {
  return new Scanner(text, from, contains).part();
}

const HEADER =
  /(\[\[?)[ \t]*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)[ \t]*(\]\]?)/y;
/** No key or value looks like this either, so it was meant as a header. */
const ALMOST_HEADER = /\[\[?[ \t]*([A-Za-z_][\w-]*(?:[ \t]*\.[ \t]*[\w-]+)*)[ \t\]]*(?=#|[\r\n]|$)/y;
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
  private at: number;
  private block: OpenBlock;
  private first: TomlHeader | undefined;
  private looksAhead = false;
  private readonly done: TomlBlock[] = [];

  constructor(
    private readonly text: string,
    private readonly from: number,
    private readonly contains: Contains,
  ) {
    this.at = from === 0 && text.startsWith('\uFEFF') ? 1 : from;
    this.block = openBlock(0);
  }

  part(): TomlPart {
    let length: number | undefined;
    for (this.skip(true); this.at < this.text.length; this.skip(true)) {
      length = this.statement();
      if (length !== undefined) break;
    }
    length ??= this.text.length - this.from;
    this.done.push({ ...this.block, end: length });
    return { blocks: this.done, length, looksAhead: this.looksAhead };
  }

  /** Returns where its line begins, if it is the header that ends the part. */
  private statement(): number | undefined {
    const start = this.at;
    const header = this.header();
    if (header) {
      // The block begins with its line, so that the indentation belongs to it.
      const line = this.text.lastIndexOf('\n', start) + 1 - this.from;
      const begins = Math.max(line, this.block.start);
      if (begins === 0) this.first = header;
      else if (!this.contains(this.first, header)) return begins;
      this.done.push({ ...this.block, end: begins });
      this.block = openBlock(begins, header);
    } else {
      const entry = this.entry(0, false);
      if (entry) this.block.entries.push(entry);
    }
    this.restOfLine();
    return undefined;
  }

  private header(): TomlHeader | undefined {
    const start = this.at;
    if (this.text[start] !== '[') return undefined;
    const [whole = '', open = '', path = '', close = ''] = this.match(HEADER) ?? [];
    if (open !== '' && close.length === open.length) {
      const names = namesIn(path, start + whole.indexOf(path, open.length) - this.from);
      return { names, isList: open.length === 2, isBroken: false, ...this.span(start) };
    }
    this.at = start;
    const [almost = '', names = ''] = this.match(ALMOST_HEADER) ?? [];
    if (almost === '') return undefined;
    this.at = start + almost.trimEnd().length;
    return {
      names: namesIn(names, start + almost.indexOf(names) - this.from),
      isList: almost.startsWith('[[') || almost.includes(']]'),
      isBroken: true,
      ...this.span(start),
    };
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
    const begins = start - this.from;
    if (names.length === 0) return undefined;
    if (this.text[this.at] !== '=') return { names, start: begins, end: names.at(-1)?.end ?? begins };
    this.at++;
    const afterEquals = this.at - this.from;
    this.blanks();
    const value = this.value(depth, isInline);
    const end = value?.end ?? afterEquals;
    return { names, afterEquals, ...(value && { value }), start: begins, end };
  }

  private name(): TomlName | undefined {
    const start = this.at;
    const [whole] = this.match(NAME) ?? [];
    return whole === undefined ? undefined : { text: unquoted(whole), ...this.span(start) };
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
    return this.leaf(kindOf(written), start);
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
        return this.leaf('string', start);
      }
    }
    if (isLong) this.looksAhead = true;
    this.at = isLong ? this.endOfLine(start) : Math.min(at, text.length);
    return { ...this.leaf('string', start), isOpen: true };
  }

  private list(depth: number): TomlValue {
    const start = this.at++;
    const items: TomlValue[] = [];
    const isOpen = this.inside(']', () => {
      const item = this.value(depth + 1, true);
      if (item) items.push(item);
    });
    return { kind: 'list', items, entries: NONE, isOpen, ...this.span(start) };
  }

  private table(depth: number): TomlValue {
    const start = this.at++;
    const entries: TomlEntry[] = [];
    const isOpen = this.inside('}', () => {
      const entry = this.entry(depth + 1, true);
      if (entry) entries.push(entry);
    });
    return { kind: 'table', items: NONE, entries, isOpen, ...this.span(start) };
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
    const { broken } = this.block;
    const before = broken.at(-1);
    const isSame = before?.end === start - this.from;
    broken.splice(isSame ? -1 : broken.length, 1, {
      start: isSame ? before.start : start - this.from,
      end: end - this.from,
    });
  }

  private blanks(): void {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\t') this.at++;
  }

  /** Skips blanks, line ends and comments. A comment before a header belongs to the header's block. */
  private skip(isBetweenStatements: boolean): void {
    for (;;) {
      const character = this.text[this.at];
      if (character === '#') {
        const start = this.at;
        this.at = this.endOfLine(start);
        this.block.comments.push(this.span(start));
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

  private leaf(kind: TomlValueKind, start: number): TomlValue {
    return { kind, items: NONE, entries: NONE, isOpen: false, start: start - this.from, end: this.at - this.from };
  }

  private span(start: number): Span {
    return { start: start - this.from, end: this.at - this.from };
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at = pattern.lastIndex;
    return found;
  }
}

const NONE: readonly never[] = [];

function openBlock(start: number, header?: TomlHeader): OpenBlock {
  return { start, ...(header && { header }), entries: [], comments: [], broken: [] };
}

function kindOf(written: string): TomlValueKind {
  if (written === 'true' || written === 'false') return 'boolean';
  if (DATE.test(written)) return 'date';
  return NUMBER.test(written) ? 'number' : 'broken';
}

function namesIn(path: string, offset: number): TomlName[] {
  // Most headers have one plain name, and a long file has many headers.
  if (/^[\w-]+$/.test(path)) return [{ text: path, start: offset, end: offset + path.length }];
  return [...path.matchAll(/[\w-]+|"[^"]*"|'[^']*'/g)].map(({ 0: whole, index }) => ({
    text: unquoted(whole),
    start: offset + index,
    end: offset + index + whole.length,
  }));
}

function unquoted(name: string): string {
  if (name.startsWith('"') && name.includes('\\')) return meaningOf(name);
  return name.startsWith('"') || name.startsWith("'") ? name.slice(1, -1) : name;
}

/** A name with escapes is for the parser to read. */
function meaningOf(name: string): string {
  try {
    return Object.keys(parse(`${name} = 0`))[0] ?? name;
  } catch {
    return name;
  }
}
