import { createScanner, type JSONScanner } from 'jsonc-parser';
import type { Span } from './text-range.ts';

/** The names and indexes from the outermost value to an inner one. */
export type JsonPath = readonly (string | number)[];

export interface JsonNode extends Span {
  readonly kind: 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';
  readonly value: unknown;
  /** The keys of an object in their order. */
  readonly entries: readonly JsonEntry[];
  /** The values of a list. */
  readonly items: readonly JsonNode[];
  /** Whether its closing bracket is missing. */
  readonly isOpen: boolean;
}

/** A key with its value. Somebody may still be typing the value, or the colon before it. */
export interface JsonEntry {
  readonly name: string;
  /** The key with its quotes. */
  readonly key: Span;
  /** The offset after the colon. */
  readonly afterColon?: number;
  readonly node?: JsonNode;
}

export interface JsonMistake extends Span {
  /** A part of a sentence. */
  readonly reason: string;
}

export interface JsonTree {
  /** Undefined if there is no value. */
  readonly root?: JsonNode;
  /** The first mistake. The rest is read as well as possible, for people who are still typing. */
  readonly mistake?: JsonMistake;
}

/** Reads JSON as people write it in settings: with comments and trailing commas. */
export function readJsonTree(text: string): JsonTree {
  return new Parser(text).document();
}

/** The library declares its enums without values, so they have to be repeated. */
const Token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  blank: 15,
  unknown: 16,
  end: 17,
} as const;

const IGNORED: ReadonlySet<number> = new Set([Token.lineComment, Token.blockComment, Token.lineBreak, Token.blank]);
const SCAN_MISTAKES: Readonly<Record<number, string>> = { 1: 'a comment has no end', 2: 'a quote is missing' };

/** Deeper than any settings, and far below the limit of the stack. */
const MAX_DEPTH = 100;

type OpenEntry = { -readonly [Key in keyof JsonEntry]: JsonEntry[Key] };

/**
 * A parser that continues after mistakes. The library's own sets the prototype of an object with a `__proto__` key, and
 * after a missing quote or colon it skips to the next comma or brace, wherever that is.
 */
class Parser {
  private readonly scanner: JSONScanner;
  private token: number = Token.end;
  private written = '';
  private span: Span = { start: 0, end: 0 };
  /** The end of the token before this one. */
  private lastEnd = 0;
  private mistake: JsonMistake | undefined;
  /** The closing brackets of what is open, the innermost last. */
  private readonly closing: number[] = [];

  constructor(text: string) {
    // Without the mark at the start of a file, and with the same offsets.
    this.scanner = createScanner(text.replace(/^\uFEFF/, ' '));
  }

  document(): JsonTree {
    this.next();
    const root = this.token === Token.end ? undefined : this.value();
    if (this.token !== Token.end) this.fail(root ? 'there is more text after the end' : 'a value is missing');
    return { ...(root && { root }), ...(this.mistake && { mistake: this.mistake }) };
  }

  private next(): void {
    const { scanner } = this;
    this.lastEnd = this.span.end;
    for (;;) {
      this.token = scanner.scan();
      const start = scanner.getTokenOffset();
      this.span = { start, end: start + scanner.getTokenLength() };
      const error = scanner.getTokenError();
      if (error !== 0) this.fail(SCAN_MISTAKES[error] ?? 'a value is invalid');
      if (!IGNORED.has(this.token)) break;
    }
    this.written = scanner.getTokenValue();
    if (this.token === Token.unknown) this.fail('a name or a text is not in quotes');
  }

  private isFollowedByColon(): boolean {
    const { scanner } = this;
    const position = scanner.getPosition();
    let token: number = scanner.scan();
    while (IGNORED.has(token)) token = scanner.scan();
    scanner.setPosition(position);
    return token === Token.colon;
  }

  /** A text with a colon after it isn't the value of the key before it, which is still missing. */
  private isNextKey(): boolean {
    return this.token === Token.string && this.isFollowedByColon();
  }

  private fail(reason: string, span: Span = this.span): void {
    this.mistake ??= { reason, ...span };
  }

  /** Reads a value. Undefined if none begins here. */
  private value(): JsonNode | undefined {
    switch (this.token) {
      case Token.openBrace:
        return this.object();
      case Token.openBracket:
        return this.list();
      case Token.string:
        return this.leaf('string', this.written);
      case Token.number:
        return this.number();
      case Token.true:
      case Token.false:
        return this.leaf('boolean', this.token === Token.true);
      case Token.null:
        return this.leaf('null', null);
      default:
        return undefined;
    }
  }

  private leaf(kind: JsonNode['kind'], value: unknown): JsonNode {
    const { span } = this;
    this.next();
    return { kind, value, entries: [], items: [], isOpen: false, ...span };
  }

  private number(): JsonNode {
    const value = Number(this.written);
    if (Number.isNaN(value)) this.fail('a value is invalid');
    return this.leaf('number', Number.isNaN(value) ? 0 : value);
  }

  private object(): JsonNode {
    const { start } = this.span;
    const entries: OpenEntry[] = [];
    const isOpen = this.members(Token.closeBrace, 'a name in quotes is missing', () => {
      const isBare = this.token === Token.unknown && this.isFollowedByColon();
      if (this.token !== Token.string && !isBare) return false;
      entries.push(this.entry());
      return true;
    });
    const filled = entries.flatMap(({ name, node }) => (node ? [[name, node.value] as const] : []));
    const value = Object.fromEntries(filled);
    return { kind: 'object', value, entries, items: [], isOpen, start, end: this.lastEnd };
  }

  private list(): JsonNode {
    const { start } = this.span;
    const items: JsonNode[] = [];
    const isOpen = this.members(Token.closeBracket, 'a value is missing', () => {
      const item = this.value();
      if (item) items.push(item);
      return item !== undefined;
    });
    const value = items.map((item) => item.value);
    return { kind: 'list', value, entries: [], items, isOpen, start, end: this.lastEnd };
  }

  /** Reads what is between brackets. Returns whether the closing one is missing. `read` returns false if nothing begins. */
  private members(close: number, missing: string, read: () => boolean): boolean {
    if (this.closing.length >= MAX_DEPTH) return this.giveUp();
    this.closing.push(close);
    this.next();
    for (let needsComma = false; this.token !== close && this.token !== Token.end; needsComma = true) {
      if (this.token === Token.comma) {
        if (!needsComma) this.fail('a value is missing');
        this.next();
        if (this.token === close) break;
      } else if (needsComma) this.fail('a comma is missing');
      if (read()) continue;
      this.fail(missing);
      if (this.closesOuter()) break;
      this.skip(close);
    }
    this.closing.pop();
    const isOpen = this.token !== close;
    if (isOpen) this.fail(close === Token.closeBrace ? 'a } is missing' : 'a ] is missing');
    else this.next();
    return isOpen;
  }

  /** What is nested too deeply is not read at all. */
  private giveUp(): true {
    this.fail('it is nested too deeply');
    while (this.token !== Token.end) this.next();
    return true;
  }

  /** The bracket of what is around closes what is inside, too. */
  private closesOuter(): boolean {
    return this.closing.slice(0, -1).includes(this.token);
  }

  private skip(close: number): void {
    if (this.token === Token.comma || this.token === close || this.token === Token.end) return;
    if (!this.value()) this.next();
  }

  private entry(): OpenEntry {
    const entry: OpenEntry = { name: this.written, key: this.span };
    this.next();
    if (this.token !== Token.colon) {
      this.fail('a colon is missing');
      return entry;
    }
    entry.afterColon = this.span.end;
    this.next();
    const node = this.isNextKey() ? undefined : this.value();
    if (node) entry.node = node;
    else this.fail('a value is missing');
    return entry;
  }
}
