/** A piece of a word that can be rewritten exactly. */
export type WordPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `*` or `?`, which the shell expands to file names. */
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean }
  /** A leading `~`, followed by a slash or nothing. */
  | { readonly kind: 'home' };

export interface WordToken {
  readonly kind: 'word';
  readonly start: number;
  readonly end: number;
  readonly source: string;
  readonly pieces: readonly WordPiece[];
  /** The word without quotes. Undefined if it is only known at run time. */
  readonly value: string | undefined;
  /** Nothing in the word is quoted, so it may be a keyword such as `if`. */
  readonly isBare: boolean;
}

export interface OperatorToken {
  readonly kind: 'operator';
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type ShellToken = WordToken | OperatorToken;

/** Longest first. Unsupported operators are listed too, so that they are not read as two others. */
const OPERATORS = '&>> <<< <<- ;;& && || ;; ;& &> |& >> >| >& <& <> << <( >( ; & | ( ) < > \n'.match(/[^ ]+/g) ?? [];
const UNDERSTOOD: ReadonlySet<string> = new Set([
  '&&',
  '||',
  ';',
  '&',
  '|',
  '(',
  ')',
  '\n',
  '<',
  '>',
  '>>',
  '>|',
  '>&',
  '<&',
  '&>',
  '&>>',
]);
const OPERATOR_START = /[;&|()<>\n]/;
const BLANK = /[ \t]/;
/** Characters that are invisible or that shells treat differently as word separators. */
const UNSEEN = /(?![ \t\n])[\p{C}\p{Z}]/u;
const VARIABLE = /(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*|\?)\}|(\?))/y;

/**
 * Splits a line into words and operators by the rules of POSIX, on which all shells agree, without a grammar. Undefined
 * for everything else, such as substitutions, arithmetic, brace lists and `$'…'`.
 */
export function shellTokens(source: string): readonly ShellToken[] | undefined {
  return UNSEEN.test(source) ? undefined : new TokenReader(source).tokens();
}

class TokenReader {
  private at = 0;

  constructor(private readonly source: string) {}

  tokens(): readonly ShellToken[] | undefined {
    const tokens: ShellToken[] = [];
    for (this.skipBlanks(); this.at < this.source.length; this.skipBlanks()) {
      const token = OPERATOR_START.test(this.source.charAt(this.at)) ? this.operator() : this.word();
      if (!token) return undefined;
      tokens.push(token);
    }
    return tokens;
  }

  /** Skips blanks, line continuations and comments between tokens. */
  private skipBlanks(): void {
    for (;;) {
      if (BLANK.test(this.source.charAt(this.at))) this.at += 1;
      else if (this.source.startsWith('\\\n', this.at)) this.at += 2;
      else if (this.source.charAt(this.at) === '#') this.at += this.upToLineEnd();
      else return;
    }
  }

  private upToLineEnd(): number {
    const end = this.source.indexOf('\n', this.at);
    return (end < 0 ? this.source.length : end) - this.at;
  }

  private operator(): OperatorToken | undefined {
    const text = OPERATORS.find((each) => this.source.startsWith(each, this.at)) ?? '';
    if (!UNDERSTOOD.has(text)) return undefined;
    const start = this.at;
    this.at += text.length;
    return { kind: 'operator', text, start, end: this.at };
  }

  private word(): WordToken | undefined {
    const start = this.at;
    const pieces: WordPiece[] = [];
    /** The unquoted text. Each quoted part is replaced with a NUL. */
    let bare = '';
    let isBare = true;
    const add = (piece: WordPiece): void => void pieces.push(piece);
    while (this.at < this.source.length) {
      const sign = this.source.charAt(this.at);
      if (BLANK.test(sign) || OPERATOR_START.test(sign)) break;
      if (sign === '`') return undefined;
      if (sign === '\\') {
        isBare = false;
        if (this.source.startsWith('\\\n', this.at)) {
          this.at += 2;
          continue;
        }
        if (this.at + 1 >= this.source.length) return undefined;
        const [escaped = ''] = this.source.slice(this.at + 1);
        add({ kind: 'text', text: escaped });
        bare += '\0';
        this.at += 1 + escaped.length;
      } else if (sign === "'") {
        isBare = false;
        const end = this.source.indexOf("'", this.at + 1);
        if (end < 0) return undefined;
        add({ kind: 'text', text: this.source.slice(this.at + 1, end) });
        bare += '\0';
        this.at = end + 1;
      } else if (sign === '"') {
        isBare = false;
        if (!this.quoted(add)) return undefined;
        bare += '\0';
      } else if (sign === '$') {
        isBare = false;
        if (!this.dollar(add, false)) return undefined;
        bare += '\0';
      } else {
        this.at += 1;
        bare += sign;
        if (sign === '~' && bare === '~') add({ kind: 'home' });
        else add(sign === '*' || sign === '?' ? { kind: 'pattern', text: sign } : { kind: 'text', text: sign });
      }
    }
    const source = this.source.slice(start, this.at);
    if ((isExpanded(bare) && source !== '[') || mayVanish(pieces)) return undefined;
    return { kind: 'word', start, end: this.at, source, pieces, value: knownValue(pieces), isBare };
  }

  /** Reads a string in double quotes. Returns false if it contains anything unsupported. */
  private quoted(add: (piece: WordPiece) => void): boolean {
    const start = this.at;
    this.at += 1;
    for (;;) {
      const sign = this.source.charAt(this.at);
      if (sign === '' || sign === '`') return false;
      if (sign === '"') {
        this.at += 1;
        if (this.at === start + 2) add({ kind: 'text', text: '' });
        return true;
      }
      if (sign === '\\') {
        const escaped = this.source.charAt(this.at + 1);
        if (escaped === '') return false;
        if (escaped !== '\n') add({ kind: 'text', text: /[$`"\\]/.test(escaped) ? escaped : sign });
        this.at += /[$`"\\\n]/.test(escaped) ? 2 : 1;
      } else if (sign === '$') {
        if (!this.dollar(add, true)) return false;
      } else {
        add({ kind: 'text', text: sign });
        this.at += 1;
      }
    }
  }

  /** Reads a simple variable, or a literal dollar at the end of a word. */
  private dollar(add: (piece: WordPiece) => void, quoted: boolean): boolean {
    VARIABLE.lastIndex = this.at + 1;
    const [all, name, braced, special] = VARIABLE.exec(this.source) ?? [];
    if (all !== undefined) {
      add({ kind: 'variable', name: name ?? braced ?? special ?? '', quoted });
      this.at += 1 + all.length;
      return true;
    }
    const next = this.source.charAt(this.at + 1);
    if (quoted ? next !== '"' : !/^(?:[ \t\n;&|)]|)$/.test(next)) return false;
    add({ kind: 'text', text: '$' });
    this.at += 1;
    return true;
  }
}

/** Character classes, brace lists, and home folders other than a leading `~` or `~/`. */
function isExpanded(bare: string): boolean {
  return bare.includes('[') || (bare.includes('{') && /,|\.\./.test(bare)) || /[=:]~/.test(bare) || /^~[^/]/.test(bare);
}

/** `''$x` is a word even if the variable is empty; `$x` isn't. */
function mayVanish(pieces: readonly WordPiece[]): boolean {
  const isEmpty = pieces.some((piece) => piece.kind === 'text' && piece.text === '');
  return isEmpty && pieces.some((piece) => piece.kind === 'variable' && !piece.quoted);
}

function knownValue(pieces: readonly WordPiece[]): string | undefined {
  let value = '';
  for (const piece of pieces) {
    if (piece.kind === 'variable' || piece.kind === 'pattern') return undefined;
    value += piece.kind === 'home' ? '~' : piece.text;
  }
  return value;
}
