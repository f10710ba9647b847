import { type StreamParser, StringStream } from '@codemirror/streamparser';
import type { TokenRole } from '../../extension/protocol/panel/token-roles.ts';

/** A token in the columns from `start` up to, but not including, `end`. */
export interface LineToken {
  readonly start: number;
  readonly end: number;
  readonly role: TokenRole;
}

/**
 * Longer lines get no colours. A parser may look at the rest of the line for each token, so the time grows with the
 * length of a line. Lines of readable code are much shorter.
 */
const LONGEST_LINE = 1000;

/** The tab width in characters, which parsers use to determine indentation. */
const TAB = 4;

/** Finds the tokens of code line by line. The cost of a line does not depend on the number of lines before it. */
export class LineTokens {
  private readonly state: unknown;

  constructor(private readonly parser: StreamParser<unknown>) {
    this.state = parser.startState?.(TAB);
  }

  /** Returns the tokens of the next line. */
  next(line: string): readonly LineToken[] {
    if (line.trim() === '') {
      this.parser.blankLine?.(this.state, TAB);
      return [];
    }
    return line.length > LONGEST_LINE ? [] : this.read(new StringStream(line, TAB, TAB));
  }

  private read(stream: StringStream): LineToken[] {
    const tokens: LineToken[] = [];
    while (!stream.eol()) {
      stream.start = stream.pos;
      const style = this.token(stream);
      if (!style) continue;
      const { string, start, pos } = stream;
      const around = { before: string.charAt(start - 1), next: string.slice(pos, pos + 2) };
      const role = roleOf(style, { text: stream.current(), ...around });
      if (!role) continue;
      const last = tokens.at(-1);
      if (last?.role === role && last.end === stream.start) tokens[tokens.length - 1] = { ...last, end: stream.pos };
      else tokens.push({ start: stream.start, end: stream.pos, role });
    }
    return tokens;
  }

  /** A parser may consume nothing in order to change its state, but not forever: then one character gets no colour. */
  private token(stream: StringStream): string | null {
    for (let attempt = 0; attempt < 10; attempt++) {
      const style = this.parser.token(stream, this.state);
      if (stream.pos > stream.start) return style;
    }
    stream.next();
    return null;
  }
}

/** By the first part of the token name that a stream parser returns. Other tokens keep the text colour. */
const BY_NAME: ReadonlyMap<string, TokenRole> = new Map([
  ['comment', 'comment'],
  ['lineComment', 'comment'],
  ['string', 'string'],
  ['url', 'string'],
  ['link', 'string'],
  ['escape', 'escape'],
  ['regexp', 'string'],
  ['number', 'number'],
  ['unit', 'number'],
  ['color', 'number'],
  ['atom', 'constant'],
  ['bool', 'constant'],
  ['null', 'constant'],
  ['self', 'constant'],
  ['keyword', 'keyword'],
  ['modifier', 'keyword'],
  ['operatorKeyword', 'keyword'],
  ['controlKeyword', 'control'],
  ['moduleKeyword', 'control'],
  ['definitionKeyword', 'keyword'],
  ['typeName', 'type'],
  ['type', 'type'],
  ['className', 'type'],
  ['namespace', 'type'],
  ['builtin', 'function'],
  ['macroName', 'function'],
  ['variableName', 'variable'],
  ['variable', 'variable'],
  ['def', 'variable'],
  ['labelName', 'variable'],
  ['propertyName', 'property'],
  ['property', 'property'],
  ['tagName', 'tag'],
  ['tag', 'tag'],
  ['qualifier', 'tag'],
  ['attributeName', 'attribute'],
  ['attribute', 'attribute'],
  ['meta', 'control'],
  ['annotation', 'function'],
  ['inserted', 'inserted'],
  ['deleted', 'deleted'],
  ['heading', 'heading'],
  ['header', 'heading'],
]);

/** Control flow keywords. Themes give them another colour than declaration keywords. */
const CONTROL = new Set(
  (
    'if else elif elsif unless switch case default match when for foreach while until do loop break continue return ' +
    'yield try catch except finally rescue ensure raise throw throws goto import export from package use require ' +
    'include await pass then fi esac done in with end begin defer'
  ).split(' '),
);

interface TokenPlace {
  readonly text: string;
  /** The context of the token on its line: the character before it, and the two after it. */
  readonly before: string;
  readonly next: string;
}

/** The role of a token that its parser calls `style`. */
function roleOf(style: string, place: TokenPlace): TokenRole | undefined {
  for (const name of style.split(' ')) {
    const role = BY_NAME.get(name.split('.', 1)[0] ?? '');
    if (role !== undefined) return refined(role, place);
  }
  return undefined;
}

const WORDLESS = /^[^\p{L}\p{N}]+$/u;
const TYPE_NAME = /^[A-Z](?:\w*[a-z]\w*)?$/;
const CALLED = /^\s?\(/;
const KEY = /^:(?:\s|$)/;

/** Stream parsers distinguish less than the grammars of editors, so the context of a token refines its role. */
function refined(role: TokenRole, { text, before, next }: TokenPlace): TokenRole | undefined {
  switch (role) {
    case 'string':
    case 'constant':
      return KEY.test(next) ? 'property' : role;
    case 'keyword':
      return CONTROL.has(text) ? 'control' : role;
    case 'variable':
    case 'property':
    case 'function':
      if (TYPE_NAME.test(text) && !(before === '.' && CALLED.test(next))) return 'type';
      return CALLED.test(next) ? 'function' : role;
    case 'control':
    case 'number':
      return WORDLESS.test(text) ? undefined : role;
    default:
      return role;
  }
}
