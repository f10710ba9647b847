import type { WordToken } from './shell-tokens.ts';
import { type ExactPiece, NotUnderstood, type RawPiece } from './word-pieces.ts';

/** A piece of a word that can be rewritten exactly. */
export type WordPiece =
  | ExactPiece
  /** `*`, `?` or `[a-z]`, which the shell expands to file names or compares with. */
  | { readonly kind: 'pattern'; readonly text: string }
  /** A leading `~`, followed by a slash or nothing. */
  | { readonly kind: 'home' };

/** A word in its place: as an argument, a value or a pattern. */
export interface StrictWord {
  readonly start: number;
  readonly end: number;
  readonly source: string;
  /** `NAME=` or `NAME+=` before the value of an assignment. It is written without quotes. */
  readonly prefix?: string;
  /** The word is in `[[ … ]]`, where it must not look like an operator. */
  readonly isOperand?: true;
  /** Braces make several words. */
  readonly forms: readonly (readonly WordPiece[])[];
  /** The word without quotes. Undefined if it is only known at run time. */
  readonly value: string | undefined;
}

/** More words than people write with braces. */
const MAX_FORMS = 100;
const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;
const BRACKETS = /^\[[!^]?(?:\[:[a-z]+:\]|[A-Za-z0-9]-[A-Za-z0-9]|[\w.,@%+])+\]/;

/** The name that an assignment sets. Undefined if the word doesn't begin like one. */
export function assignedName({ pieces: [first] }: WordToken): string | undefined {
  return first?.kind === 'bare' ? ASSIGNMENT.exec(first.text)?.[1] : undefined;
}

/** A word that the shell expands to arguments. */
export function argumentOf(token: WordToken): StrictWord {
  const forms = withoutBraces(token.pieces).map((pieces) => exactForm(pieces, token.source === '['));
  return strictWord(token, forms);
}

/** `NAME=value`. The shell expands no patterns and braces in it. */
export function assignmentOf(token: WordToken): StrictWord {
  const [first, ...others] = token.pieces;
  const prefix = first?.kind === 'bare' ? ASSIGNMENT.exec(first.text)?.[0] : undefined;
  if (first?.kind !== 'bare' || prefix === undefined) throw new NotUnderstood();
  const rest: readonly RawPiece[] = [{ kind: 'bare', text: first.text.slice(prefix.length) }, ...others];
  return { ...strictWord(token, [valueForm(rest)]), prefix };
}

/** A single word that the shell neither splits nor compares with file names. */
export function plainOf(token: WordToken): StrictWord {
  return strictWord(token, [valueForm(token.pieces)]);
}

/** A pattern of `case` or `[[ … == … ]]`. */
export function patternOf(token: WordToken): StrictWord {
  const [first] = token.pieces;
  if (first?.kind === 'bare' && first.text.startsWith('~')) throw new NotUnderstood();
  return strictWord(token, [token.pieces.flatMap((piece) => (piece.kind === 'bare' ? patternsIn(piece.text) : piece))]);
}

/** Text in which variables count, as in double quotes. */
export function literalText(pieces: readonly ExactPiece[], { start, end }: { start: number; end: number }): StrictWord {
  return { start, end, source: '', forms: [pieces], value: knownValue(pieces) };
}

function strictWord({ start, end, source }: WordToken, forms: readonly (readonly WordPiece[])[]): StrictWord {
  const [only = []] = forms;
  return { start, end, source, forms, value: forms.length === 1 ? knownValue(only) : undefined };
}

function knownValue(pieces: readonly WordPiece[]): string | undefined {
  let value = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') value += piece.text;
    else if (piece.kind === 'home') value += '~';
    else return undefined;
  }
  return value;
}

function exactForm(pieces: readonly RawPiece[], isTest: boolean): readonly WordPiece[] {
  const unquoted = pieces.map((piece) => (piece.kind === 'bare' ? piece.text : '\0')).join('');
  // Home folders other than a leading `~` or `~/`.
  if (/[=:]~/.test(unquoted) || /^~[^/]/.test(unquoted)) throw new NotUnderstood();
  const isHome = unquoted.startsWith('~');
  const found = pieces.flatMap((piece, index): readonly WordPiece[] => {
    if (piece.kind !== 'bare') return [piece];
    const text = isHome && index === 0 ? piece.text.slice(1) : piece.text;
    return isTest ? [{ kind: 'text', text }] : patternsIn(text);
  });
  if (mayVanish(found) || found.length + Number(isHome) === 0) throw new NotUnderstood();
  return isHome ? [{ kind: 'home' }, ...found] : found;
}

function valueForm(pieces: readonly RawPiece[]): readonly WordPiece[] {
  const unquoted = pieces.map((piece) => (piece.kind === 'bare' ? piece.text : '\0')).join('');
  if (/:~/.test(unquoted) || /^~[^/]/.test(unquoted)) throw new NotUnderstood();
  const isHome = unquoted.startsWith('~');
  const found = pieces.map((piece, index): WordPiece => {
    if (piece.kind !== 'bare') return piece;
    return { kind: 'text', text: isHome && index === 0 ? piece.text.slice(1) : piece.text };
  });
  return (isHome ? [{ kind: 'home' } as const, ...found] : found).filter(isSomething);
}

function isSomething(piece: WordPiece): boolean {
  return piece.kind !== 'text' || piece.text !== '';
}

function patternsIn(text: string): readonly WordPiece[] {
  if (!/[*?[]/.test(text)) return text === '' ? [] : [{ kind: 'text', text }];
  const found: WordPiece[] = [];
  for (let at = 0; at < text.length; ) {
    const sign = text.charAt(at);
    const [brackets] = BRACKETS.exec(text.slice(at)) ?? [];
    if (brackets === undefined && sign === '[') throw new NotUnderstood();
    const isPattern = brackets !== undefined || sign === '*' || sign === '?';
    const piece = brackets ?? sign;
    found.push({ kind: isPattern ? 'pattern' : 'text', text: piece });
    at += piece.length;
  }
  return found;
}

/** `''$x` is a word even if the variable is empty; `$x` isn't. */
function mayVanish(pieces: readonly WordPiece[]): boolean {
  const isEmpty = pieces.some((piece) => piece.kind === 'text' && piece.text === '');
  return isEmpty && pieces.some((piece) => 'quoted' in piece && !piece.quoted);
}

/** Replaces braces with the words that they make. */
function withoutBraces(pieces: readonly RawPiece[]): readonly (readonly RawPiece[])[] {
  const unquoted = pieces.map((piece) => (piece.kind === 'bare' ? piece.text : '\0')).join('');
  if (!unquoted.includes('{') || !/,|\.\./.test(unquoted)) return [pieces];
  // Braces are expanded first, so that `$x{a,b}` becomes `$xa $xb`.
  if (pieces.some((piece) => piece.kind === 'variable' && piece.isNamed)) throw new NotUnderstood();
  const signs = pieces.flatMap((piece): readonly RawPiece[] =>
    piece.kind === 'bare' ? [...piece.text].map((text) => ({ kind: 'bare', text })) : [piece],
  );
  const reader = new BraceReader(signs);
  return reader.read().map(joined);
}

/** Adjacent characters as one piece again, so that brackets are found. */
function joined(pieces: readonly RawPiece[]): readonly RawPiece[] {
  const found: RawPiece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (piece.kind === 'bare' && last?.kind === 'bare')
      found.splice(-1, 1, { kind: 'bare', text: last.text + piece.text });
    else found.push(piece);
  }
  return found;
}

type Signs = readonly RawPiece[];

class BraceReader {
  private at = 0;

  constructor(private readonly signs: Signs) {}

  read(): readonly Signs[] {
    const words = this.sequence(false);
    if (this.at < this.signs.length) throw new NotUnderstood();
    return words;
  }

  private sequence(isInside: boolean): readonly Signs[] {
    let words: readonly Signs[] = [[]];
    for (; this.at < this.signs.length; this.at += 1) {
      const sign = this.signs[this.at] as RawPiece;
      const text = sign.kind === 'bare' ? sign.text : '';
      if (text === '}' || (isInside && text === ',')) break;
      const next = text === '{' ? this.group() : [[sign]];
      words = words.flatMap((word) => next.map((each) => [...word, ...each]));
      if (words.length > MAX_FORMS) throw new NotUnderstood();
    }
    return words;
  }

  private group(): readonly Signs[] {
    const start = this.at;
    const choices: Signs[] = [];
    let count = 0;
    do {
      this.at += 1;
      choices.push(...this.sequence(true));
      count += 1;
    } while (this.is(','));
    if (!this.is('}') || choices.length > MAX_FORMS) throw new NotUnderstood();
    if (count > 1) return choices;
    const [only = []] = choices;
    if (choices.length > 1 || only.length !== this.at - start - 1) throw new NotUnderstood();
    const text = only.map((sign) => (sign.kind === 'bare' ? sign.text : '\0')).join('');
    return text.includes('..') ? range(text) : [this.signs.slice(start, this.at + 1)];
  }

  private is(text: string): boolean {
    const sign = this.signs[this.at];
    return sign?.kind === 'bare' && sign.text === text;
  }
}

function range(text: string): readonly Signs[] {
  const [, start, end] = /^([a-z])\.\.([a-z])$/.exec(text) ?? [];
  if (start !== undefined && end !== undefined)
    return numbers(start.charCodeAt(0), end.charCodeAt(0)).map((code) => bare(String.fromCharCode(code)));
  const [, from, to] = /^(0|-?[1-9]\d{0,8})\.\.(0|-?[1-9]\d{0,8})$/.exec(text) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (from === undefined || Math.abs(last - first) >= MAX_FORMS) throw new NotUnderstood();
  return numbers(first, last).map((number) => bare(String(number)));
}

function numbers(first: number, last: number): readonly number[] {
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + step * index);
}

function bare(text: string): Signs {
  return [{ kind: 'bare', text }];
}
