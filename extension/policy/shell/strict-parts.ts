import type { OperatorToken, ShellToken, ShellTokens, WordToken } from './shell-tokens.ts';
import { argumentOf, literalText, plainOf, type StrictWord, type WordPiece } from './strict-words.ts';
import { NotUnderstood } from './word-pieces.ts';

/** A simple command as the strict reader sees it. */
export interface StrictCommand {
  /** The command as it is written, without redirections. */
  readonly text: string;
  readonly words: readonly StrictWord[];
  /** A command of the shell that sets variables, such as `export`. */
  readonly isDeclaration?: true;
  /** The same with the here-strings after it, which the grammar includes. */
  withStrings?: string;
}

/** A variable that a line sets. Without a word, to something that is only known at run time. */
export interface StrictAssignment {
  readonly name: string;
  readonly word?: StrictWord;
}

export interface StrictLine {
  /** Includes the commands in substitutions. */
  readonly commands: readonly StrictCommand[];
  /** Targets of redirections. */
  readonly writes: readonly StrictWord[];
  readonly assignments: readonly StrictAssignment[];
  /** Names of variables whose values the shell evaluates as arithmetic. */
  readonly evaluated: readonly string[];
  /** There are only words, quotes, `$x`, `*`, `?` and `~` in lists, pipes, groups, conditions and loops. */
  readonly isPlain: boolean;
  /** The words, and the keywords and operators between them. Each is written after a space. */
  readonly parts: readonly (StrictWord | string)[];
}

const REDIRECTIONS: ReadonlySet<string> = new Set(['<', '>', '>>', '>|', '>&', '<&', '&>', '&>>', '<<', '<<-', '<<<']);

/** Where the redirections of a command begin among the parts, and whether one of them is its input. */
export interface RedirectionPlace {
  readonly start: number;
  input?: 'string' | 'file';
}

/** A here-document or a here-string, with its place among the parts. */
interface HereString {
  readonly token: OperatorToken;
  readonly at: number;
  /** It follows other redirections in the source, but not in the rewritten line. */
  readonly isMoved: boolean;
}

/** Collects the parts of a line, and what its words and redirections contain. */
export class PartsReader {
  protected readonly commands: StrictCommand[] = [];
  protected readonly writes: StrictWord[] = [];
  protected readonly assignments: StrictAssignment[] = [];
  protected readonly evaluated: string[] = [];
  protected isPlain = true;
  protected readonly parts: (StrictWord | string)[] = [];
  /** Here-documents, with their places in the parts. Their text follows later. */
  private readonly documents: HereString[] = [];

  constructor(protected readonly tokens: ShellTokens) {}

  /** What was read, up to the end of the text or of the substitution. */
  protected read(): StrictLine {
    this.withoutSeparator();
    for (const string of this.documents) this.parts.splice(string.at, 2, ...this.document(string));
    const { commands, writes, assignments, evaluated, isPlain, parts } = this;
    return { commands, writes, assignments, evaluated, isPlain, parts };
  }

  /** Returns where its target ends. */
  protected redirection(place: RedirectionPlace): number {
    const descriptor = this.takeDescriptor();
    const token = this.tokens.peek();
    const operator = token?.kind === 'operator' ? token.text : '';
    this.tokens.advance();
    const isString = operator.startsWith('<<');
    // Of several inputs, the last counts.
    if (operator.startsWith('<')) this.require(place.input !== 'string' && !(isString && place.input));
    if (operator.startsWith('<')) place.input = isString ? 'string' : 'file';
    if (token?.kind === 'operator' && isString) {
      this.require(descriptor === '');
      this.isPlain = false;
      // The grammar reads it only before other redirections.
      const string = { token, at: place.start, isMoved: place.start < this.parts.length };
      if (token.document) {
        this.documents.push(string);
        this.parts.splice(place.start, 0, '', '');
        return token.end;
      }
      const word = this.word((target) => quotedOf(plainOf(target)));
      this.require(!(string.isMoved && mayRead(word)));
      this.parts.splice(place.start, 0, '<<<', word);
      return word.end;
    }
    const target = this.takeWord();
    if (!target || !REDIRECTIONS.has(operator)) throw new NotUnderstood();
    if (operator === '>&' || operator === '<&') {
      this.require(target.isBare && /^(?:\d|-)$/.test(target.source));
      this.parts.push(`${descriptor}${operator}${target.source}`);
      return target.end;
    }
    const both = operator.startsWith('&');
    this.require(!both || descriptor === '');
    const word = this.seen(argumentOf(target));
    this.require(word.forms.length === 1);
    // Only bash has a single operator for both streams; in other shells, it has another meaning.
    this.parts.push(both ? operator.slice(1) : `${descriptor}${operator}`, word);
    if (both) this.parts.push('2>&1');
    if (operator !== '<') this.writes.push(word);
    return target.end;
  }

  /** A here-document is written as a here-string, which needs no delimiter and no lines of its own. */
  private document({ token, isMoved }: HereString): readonly [string, StrictWord] {
    const pieces = token.document?.pieces ?? [];
    this.require(!pieces.some((piece) => piece.kind === 'variable' && /^[@*]$/.test(piece.name)));
    const last = pieces.at(-1);
    if (last === undefined) return ['<', literalText([{ kind: 'text', text: '/dev/null' }], token)];
    if (last.kind !== 'text' || !last.text.endsWith('\n')) throw new NotUnderstood();
    // A here-string adds the end of the line.
    const shortened = [...pieces.slice(0, -1), { ...last, text: last.text.slice(0, -1) }];
    const word = this.seen(literalText(shortened, token));
    this.require(!(isMoved && mayRead(word)));
    return ['<<<', word];
  }

  protected isRedirection(): boolean {
    const token = this.tokens.peek();
    return this.isDescriptor(token) || (token?.kind === 'operator' && REDIRECTIONS.has(token.text));
  }

  /** Whether digits directly before a redirection operator follow. */
  private isDescriptor(token: ShellToken | undefined): boolean {
    if (token?.kind !== 'word') return false;
    if (!this.tokens.isAt('<', token.end) && !this.tokens.isAt('>', token.end)) return false;
    // With `{name}>file`, the shell chooses a number.
    this.require(!/^\{.*\}$/s.test(token.source));
    if (!token.isBare || !/^\d+$/.test(token.source)) return false;
    // Dash and other shells read more than one digit as a word.
    this.require(token.source.length === 1);
    return true;
  }

  private takeDescriptor(): string {
    const token = this.tokens.peek();
    if (token?.kind !== 'word') return '';
    this.tokens.advance();
    return token.source;
  }

  protected takeWord(): WordToken | undefined {
    const token = this.tokens.peek();
    if (token?.kind !== 'word' || this.isDescriptor(token)) return undefined;
    this.tokens.advance();
    return token;
  }

  protected word(read: (token: WordToken) => StrictWord): StrictWord {
    const token = this.takeWord();
    if (!token) throw new NotUnderstood();
    return this.seen(read(token));
  }

  /** Adds what a word contains to the line. */
  protected seen(word: StrictWord): StrictWord {
    this.isPlain &&= isPlainWord(word);
    for (const piece of word.forms.flat()) {
      if (piece.kind === 'arithmetic') this.evaluated.push(...piece.names);
      const assigned = piece.kind === 'parameter' ? /^(\w+):?=/.exec(piece.text)?.[1] : undefined;
      if (assigned !== undefined) this.assignments.push({ name: assigned });
      if (piece.kind !== 'substitution') continue;
      // Braces would repeat the commands.
      this.require(word.forms.length === 1);
      const line = piece.line as StrictLine;
      this.commands.push(...line.commands);
      this.writes.push(...line.writes);
      this.assignments.push(...line.assignments);
      this.evaluated.push(...line.evaluated);
    }
    return word;
  }

  protected withoutSeparator(): void {
    if (this.parts.at(-1) === ';') this.parts.pop();
  }

  protected newlines(): void {
    while (this.isOperator('\n')) this.tokens.advance();
  }

  protected joint(...texts: readonly string[]): string | undefined {
    return texts.find((text) => this.takes(text));
  }

  protected isOperator(text: string): boolean {
    const token = this.tokens.peek();
    return token?.kind === 'operator' && token.text === text;
  }

  protected takes(text: string): boolean {
    const found = this.isOperator(text);
    if (found) this.tokens.advance();
    return found;
  }

  protected isWord(text: string): boolean {
    const token = this.tokens.peek();
    return token?.kind === 'word' && token.isBare && token.source === text;
  }

  protected takesWord(text: string): boolean {
    const found = this.isWord(text);
    if (found) this.tokens.advance();
    return found;
  }

  protected require(holds: boolean): void {
    if (!holds) throw new NotUnderstood();
  }
}

function isPlainWord({ forms, prefix, source }: StrictWord): boolean {
  if (forms.length > 1 || prefix !== undefined || source.includes("$'")) return false;
  return forms.flat().every((piece) => {
    if (piece.kind === 'variable') return /^(?:[A-Za-z_]\w*|\?)$/.test(piece.name);
    return /^(?:text|home)$/.test(piece.kind) || (piece.kind === 'pattern' && !piece.text.startsWith('['));
  });
}

/** Whether a word may read a file that a redirection before it changes. */
function mayRead({ forms }: StrictWord): boolean {
  return forms.flat().some(({ kind }) => kind === 'substitution');
}

function quotedOf(word: StrictWord): StrictWord {
  const quoted = (piece: WordPiece): WordPiece => {
    if (piece.kind === 'variable' && !piece.quoted && /^[@*]$/.test(piece.name)) throw new NotUnderstood();
    return 'quoted' in piece ? { ...piece, quoted: true } : piece;
  };
  return { ...word, forms: word.forms.map((form) => form.map(quoted)) };
}
