import { type StreamParser, StringStream } from '@codemirror/streamparser';
import type { TokenRole } from '../../extension/protocol/panel/token-roles.ts';

/** Columns of a line, end excluded. */
export interface LineToken {
  readonly start: number;
  readonly end: number;
  readonly role: TokenRole;
}

/**
 * Longer ones are left as they are. What a parser does for each token may look at the rest of the line, so the length of
 * a line is what time can grow with; no line that is read as code comes near this.
 */
const LONGEST_LINE = 1000;

/** In characters; code uses it to guess what is indented. */
const TAB = 4;

/** Finds the tokens of code, one line after the other: what a line costs does not depend on how many came before it. */
export class LineTokens {
  private readonly state: unknown;

  constructor(private readonly parser: StreamParser<unknown>) {
    this.state = parser.startState?.(TAB);
  }

  /** Of the next line. */
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

  /** A parser may take nothing to change its mind, but not for ever; then a character goes without colour. */
  private token(stream: StringStream): string | null {
    for (let attempt = 0; attempt < 10; attempt++) {
      const style = this.parser.token(stream, this.state);
      if (stream.pos > stream.start) return style;
    }
    stream.next();
    return null;
  }
}

/** By the first part of the name that a stream parser gives a token. What is not here keeps the colour of the text. */
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

/** Themes give words that lead the way another colour than words that declare. */
const CONTROL = new Set(
  (
    'if else elif elsif unless switch case default match when for foreach while until do loop break continue return ' +
    'yield try catch except finally rescue ensure raise throw throws goto import export from package use require ' +
    'include await pass then fi esac done in with end begin defer'
  ).split(' '),
);

interface TokenPlace {
  readonly text: string;
  /** What stands around it on its line: the character before, and the two that follow. */
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

/** Parsers of this kind tell less apart than grammars of editors do; what stands around a word tells the rest. */
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
