import { once } from '../../base/once.ts';
import { readDollar } from './read-dollar.ts';
import { type ExactPiece, NotUnderstood, type RawPiece, type SubstitutedLine } from './word-pieces.ts';

export interface WordToken {
  readonly kind: 'word';
  readonly start: number;
  readonly end: number;
  readonly source: string;
  readonly pieces: readonly RawPiece[];
  /** Nothing in the word is quoted, so it may be a keyword such as `if`. */
  readonly isBare: boolean;
}

/** The contents of a here-document. */
export interface HereDocument {
  pieces: readonly ExactPiece[];
}

export interface OperatorToken {
  readonly kind: 'operator';
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Filled in when the end of the line is read. */
  readonly document?: HereDocument;
}

export type ShellToken = WordToken | OperatorToken;

/** Reads the commands of a substitution from its beginning up to its end, and says where that is. */
export type ReadSubstitution = (tokens: ShellTokens) => SubstitutedLine;

/** Longest first. Unsupported operators are listed too, so that they are not read as two others. */
const OPERATORS = '&>> <<< <<- ;;& && || ;; ;& &> |& << >> >| >& <& <> <( >( ; & | ( ) < > \n'.match(/[^ ]+/g) ?? [];
const UNSUPPORTED: ReadonlySet<string> = new Set([';;&', ';&', '|&', '<>', '<(', '>(']);
const OPERATOR_START = /[;&|()<>\n]/;
const BLANK = /[ \t]/;
const BARE = /[^\s;&|()<>'"`$\\]+/y;
/** Characters that are invisible or that shells treat differently as word separators. */
const unseenCharacter = once(() => /(?![ \t\n])[\p{C}\p{Z}]/u);
const MAX_DEPTH = 10;

/**
 * Splits a line into words and operators by the rules of bash, without a grammar, one token at a time. It throws
 * `NotUnderstood` for what it can't read with certainty.
 */
export class ShellTokens {
  private at: number;
  private current: ShellToken | undefined;
  /** Here-documents whose text follows the end of this line. */
  private readonly pending: Pending[] = [];
  /** Whether the text of a here-document was read. */
  private hasDocument = false;

  constructor(
    readonly source: string,
    private readonly readSubstitution: ReadSubstitution,
    start = 0,
    private readonly limit = source.length,
    private readonly depth = 0,
    private readonly isOneLine = false,
  ) {
    if (depth > MAX_DEPTH || (depth === 0 && unseenCharacter().test(source))) throw new NotUnderstood();
    this.at = start;
  }

  /** The next token. Undefined at the end. */
  peek(): ShellToken | undefined {
    this.current ??= this.read();
    return this.current;
  }

  advance(): void {
    this.current = undefined;
  }

  /** The position after the last token that was read. */
  get position(): number {
    return this.at;
  }

  /** Whether a here-document has no text so far. */
  get isWaiting(): boolean {
    return this.pending.length > 0;
  }

  isAt(text: string, position: number): boolean {
    return this.source.startsWith(text, position) && position + text.length <= this.limit;
  }

  private charAt(position: number): string {
    return position < this.limit ? this.source.charAt(position) : '';
  }

  private read(): ShellToken | undefined {
    this.skipBlanks();
    if (this.at >= this.limit) return undefined;
    return OPERATOR_START.test(this.charAt(this.at)) ? this.operator() : this.word();
  }

  /** Skips blanks, line continuations and comments between tokens. */
  private skipBlanks(): void {
    for (;;) {
      if (BLANK.test(this.charAt(this.at))) this.at += 1;
      else if (this.isAt('\\\n', this.at)) this.at += 2;
      else if (this.charAt(this.at) === '#') {
        const end = this.source.indexOf('\n', this.at);
        this.at = end < 0 || end > this.limit ? this.limit : end;
      } else return;
    }
  }

  private operator(): OperatorToken {
    const text = OPERATORS.find((each) => this.isAt(each, this.at)) ?? '';
    if (text === '' || UNSUPPORTED.has(text)) throw new NotUnderstood();
    const start = this.at;
    this.at += text.length;
    if (text === '\n') this.documents();
    // In a substitution, bash 5.2 joins `a; b` after a here-document to one command.
    if (this.depth > 0 && this.hasDocument && /^[;&]$/.test(text)) throw new NotUnderstood();
    if (text !== '<<' && text !== '<<-') return { kind: 'operator', text, start, end: this.at };
    const end = this.at;
    const document: HereDocument = { pieces: [] };
    this.skipBlanks();
    if (OPERATOR_START.test(this.charAt(this.at))) throw new NotUnderstood();
    const { pieces, isBare } = this.word();
    const delimiter = pieces
      .map((piece) => ('text' in piece && piece.kind !== 'parameter' ? piece.text : '\0'))
      .join('');
    if (!/^[\w.-]+$/.test(delimiter)) throw new NotUnderstood();
    this.pending.push({ document, delimiter, isLiteral: !isBare, isIndented: text === '<<-' });
    return { kind: 'operator', text, start, end, document };
  }

  /** Reads the here-documents after the end of a line. */
  private documents(): void {
    if (this.isOneLine) throw new NotUnderstood();
    for (const { document, delimiter, isLiteral, isIndented } of this.pending.splice(0)) {
      let text = '';
      let joined = '';
      for (;;) {
        const end = this.source.indexOf('\n', this.at);
        const isLast = end < 0 || end >= this.limit;
        if (this.at >= this.limit) throw new NotUnderstood();
        const full = this.source.slice(this.at, isLast ? this.limit : end);
        const line = isIndented ? full.replace(/^\t+/, '') : full;
        this.at = isLast ? this.limit : end + 1;
        if (line === delimiter && joined === '') break;
        // In a substitution, bash ends a here-document at `EOF)`, too.
        if (isLast || (this.depth > 0 && line.startsWith(delimiter))) throw new NotUnderstood();
        // There, bash 5.2 also joins a line that ends with an escaped backslash with the next.
        if (this.depth > 0 && !isLiteral && line.endsWith('\\')) throw new NotUnderstood();
        text += `${line}\n`;
        joined = !isLiteral && /(?<!\\)(?:\\\\)*\\$/.test(line) ? joined + line.slice(0, -1) : '';
        if (joined !== '' && (delimiter.startsWith(joined) || isIndented)) throw new NotUnderstood();
      }
      document.pieces = isLiteral ? literal(text) : this.expanded(text);
      this.hasDocument = true;
    }
  }

  private expanded(text: string): readonly ExactPiece[] {
    if (!/[$`\\]/.test(text)) return literal(text);
    const inner = new ShellTokens(text, this.readSubstitution, 0, text.length, this.depth + 1, true);
    const pieces: ExactPiece[] = [];
    inner.quoted('', (piece) => void pieces.push(piece));
    return pieces;
  }

  private word(): WordToken {
    const start = this.at;
    const pieces: RawPiece[] = [];
    let isBare = true;
    const add = (piece: RawPiece): void => void pieces.push(piece);
    while (this.at < this.limit) {
      const sign = this.charAt(this.at);
      if (BLANK.test(sign) || OPERATOR_START.test(sign)) break;
      BARE.lastIndex = this.at;
      const [bare] = BARE.exec(this.source.slice(0, this.limit)) ?? [];
      if (bare !== undefined) {
        this.at += bare.length;
        add({ kind: 'bare', text: bare });
        continue;
      }
      isBare = false;
      if (sign === '\\') this.escaped(add);
      else if (sign === "'") {
        const end = this.source.indexOf("'", this.at + 1);
        if (end < 0 || end >= this.limit) throw new NotUnderstood();
        add({ kind: 'text', text: this.source.slice(this.at + 1, end) });
        this.at = end + 1;
      } else if (sign === '"') {
        const from = this.at;
        this.at += 1;
        this.quoted('"', add);
        this.at += 1;
        if (this.at === from + 2) add({ kind: 'text', text: '' });
      } else this.expansion(add, false);
    }
    // Where the text of a here-document begins would be unclear.
    if (this.isWaiting && this.source.slice(start, this.at).includes('\n')) throw new NotUnderstood();
    return { kind: 'word', start, end: this.at, source: this.source.slice(start, this.at), pieces, isBare };
  }

  private escaped(add: (piece: ExactPiece) => void): void {
    if (this.isAt('\\\n', this.at)) {
      this.at += 2;
      return;
    }
    const [text] = this.source.slice(this.at + 1, this.limit);
    if (text === undefined) throw new NotUnderstood();
    add({ kind: 'text', text });
    this.at += 1 + text.length;
  }

  /** Reads text in double quotes up to its end, or all text of a here-document. */
  private quoted(end: '"' | '', add: (piece: ExactPiece) => void): void {
    const special = end === '"' ? /[$`"\\]/ : /[$`\\]/;
    for (;;) {
      const sign = this.charAt(this.at);
      if (sign === end) return;
      if (sign === '') throw new NotUnderstood();
      if (sign === '\\') {
        const next = this.charAt(this.at + 1);
        if (next === '') throw new NotUnderstood();
        if (next !== '\n') add({ kind: 'text', text: special.test(next) ? next : sign });
        this.at += next === '\n' || special.test(next) ? 2 : 1;
      } else if (sign === '$' || sign === '`') this.expansion(add, true);
      else {
        let until = this.at + 1;
        while (until < this.limit && !/["$`\\]/.test(this.charAt(until))) until += 1;
        add({ kind: 'text', text: this.source.slice(this.at, until) });
        this.at = until;
      }
    }
  }

  /** Reads what begins with a dollar or a backtick. */
  private expansion(add: (piece: ExactPiece) => void, quoted: boolean): void {
    if (this.charAt(this.at) === '`') {
      add({ kind: 'substitution', line: this.backticks(), quoted });
      return;
    }
    const read = readDollar(this.source.slice(0, this.limit), this.at, quoted);
    if (!read) throw new NotUnderstood();
    if (read.kind === 'substitution') {
      add({ kind: 'substitution', line: this.substitution(this.at + 2), quoted });
      return;
    }
    add(read.piece);
    this.at = read.end;
  }

  private substitution(start: number): SubstitutedLine {
    const tokens = this.within(start, this.limit);
    const line = this.readSubstitution(tokens);
    const close = tokens.peek();
    if (close?.kind !== 'operator' || close.text !== ')' || tokens.isWaiting) throw new NotUnderstood();
    this.at = close.end;
    return line;
  }

  private backticks(): SubstitutedLine {
    const end = this.source.indexOf('`', this.at + 1);
    // A backslash would escape something twice.
    if (end < 0 || end >= this.limit || this.source.slice(this.at, end).includes('\\')) throw new NotUnderstood();
    const tokens = this.within(this.at + 1, end);
    const line = this.readSubstitution(tokens);
    if (tokens.peek() || tokens.isWaiting) throw new NotUnderstood();
    this.at = end + 1;
    return line;
  }

  private within(start: number, end: number): ShellTokens {
    const isOneLine = this.isOneLine || this.isWaiting;
    return new ShellTokens(this.source, this.readSubstitution, start, end, this.depth + 1, isOneLine);
  }
}

interface Pending {
  readonly document: HereDocument;
  readonly delimiter: string;
  readonly isLiteral: boolean;
  readonly isIndented: boolean;
}

function literal(text: string): readonly ExactPiece[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}
