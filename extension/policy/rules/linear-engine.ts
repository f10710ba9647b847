/**
 * Tests a regular expression by tracking all possible matches in parallel (Thompson), so the time is at most
 * proportional to the length of the text times the length of the pattern. JavaScript decides which characters a piece
 * of the pattern matches, so both engines agree. Lookarounds and backreferences are not supported.
 */
export class LinearEngine {
  private readonly steps: Step[] = [];
  /** The round in which each step was last added. A step is added only once per round. */
  private readonly added: Uint32Array;
  private round = 0;

  private constructor(piece: Piece) {
    this.compile(piece);
    this.steps.push({ kind: 'match' });
    this.added = new Uint32Array(this.steps.length);
  }

  /** Undefined if the pattern is not supported or too large. */
  static of(tokens: readonly string[]): LinearEngine | undefined {
    const piece = new PieceReader(tokens).read();
    return piece && sizeOf(piece) <= MAX_STEPS ? new LinearEngine(piece) : undefined;
  }

  test(text: string): boolean {
    let current: CharacterStep[] = [];
    for (let at = 0; at <= text.length; at++) {
      this.round++;
      const ways: CharacterStep[] = [];
      const code = text.charCodeAt(at - 1);
      for (const step of current) if (step.accepts(code) && this.follow(step.next, text, at, ways)) return true;
      if (this.follow(0, text, at, ways)) return true;
      current = ways;
    }
    return false;
  }

  /** Adds the characters that can follow this step. Returns true if the pattern has matched. */
  private follow(first: number, text: string, at: number, ways: CharacterStep[]): boolean {
    const open = [first];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const step = this.steps[index];
      if (!step || this.added[index] === this.round) continue;
      this.added[index] = this.round;
      if (step.kind === 'match') return true;
      if (step.kind === 'character') ways.push(step);
      else if (step.kind === 'either') open.push(step.second, step.first);
      else if (holds(step.assertion, text, at)) open.push(step.next);
    }
    return false;
  }

  private compile(piece: Piece): void {
    const here = this.steps.length;
    switch (piece.kind) {
      case 'character':
        this.steps.push({ kind: 'character', accepts: piece.accepts, next: here + 1 });
        return;
      case 'assertion':
        this.steps.push({ kind: 'assertion', assertion: piece.assertion, next: here + 1 });
        return;
      case 'all':
        for (const each of piece.pieces) this.compile(each);
        return;
      case 'any':
        this.compileAny(piece.pieces);
        return;
      case 'repeated':
        for (let count = 0; count < piece.least; count++) this.compile(piece.piece);
        if (piece.most === undefined) this.compileLoop(piece.piece);
        else for (let count = piece.least; count < piece.most; count++) this.compileOptional(piece.piece);
    }
  }

  private compileAny([first, ...others]: readonly Piece[]): void {
    if (first === undefined) return;
    if (others.length === 0) {
      this.compile(first);
      return;
    }
    const here = this.steps.length;
    this.steps.push({ kind: 'either', first: here + 1, second: 0 });
    this.compile(first);
    const end = this.steps.length;
    this.steps.push({ kind: 'either', first: 0, second: 0 });
    this.steps[here] = { kind: 'either', first: here + 1, second: end + 1 };
    this.compileAny(others);
    this.steps[end] = { kind: 'either', first: this.steps.length, second: this.steps.length };
  }

  private compileLoop(piece: Piece): void {
    const here = this.steps.length;
    this.compileOptional(piece);
    const step = this.steps[here];
    this.steps.push({ kind: 'either', first: here, second: here });
    if (step?.kind === 'either') this.steps[here] = { ...step, second: this.steps.length };
  }

  private compileOptional(piece: Piece): void {
    const here = this.steps.length;
    this.steps.push({ kind: 'either', first: here + 1, second: 0 });
    this.compile(piece);
    this.steps[here] = { kind: 'either', first: here + 1, second: this.steps.length };
  }
}

type Assertion = '^' | '$' | '\\b' | '\\B';

type Piece =
  | { readonly kind: 'character'; readonly accepts: (code: number) => boolean }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'all' | 'any'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'repeated'; readonly piece: Piece; readonly least: number; readonly most: number | undefined };

interface CharacterStep {
  readonly kind: 'character';
  readonly accepts: (code: number) => boolean;
  readonly next: number;
}

type Step =
  | CharacterStep
  | { readonly kind: 'assertion'; readonly assertion: Assertion; readonly next: number }
  | { readonly kind: 'either'; readonly first: number; readonly second: number }
  | { readonly kind: 'match' };

/** Longer patterns (with counts written out) are refused, because every step can be tested for every character. */
const MAX_STEPS = 150;

function sizeOf(piece: Piece): number {
  if (piece.kind === 'repeated') return Math.max(1, piece.least, piece.most ?? 0) * (2 + sizeOf(piece.piece));
  if (piece.kind !== 'all' && piece.kind !== 'any') return 1;
  const between = piece.kind === 'any' ? 2 * (piece.pieces.length - 1) : 0;
  return piece.pieces.reduce((sum, each) => sum + sizeOf(each), between);
}

/** Reads the tokens of an expression that JavaScript has compiled, so brackets and counts are known to be valid. */
class PieceReader {
  private at = 0;
  private isUnknown = false;

  constructor(private readonly tokens: readonly string[]) {}

  read(): Piece | undefined {
    const piece = this.alternatives();
    return this.isUnknown || this.at < this.tokens.length ? undefined : piece;
  }

  private alternatives(): Piece {
    const pieces = [this.sequence()];
    while (this.tokens[this.at] === '|') {
      this.at++;
      pieces.push(this.sequence());
    }
    return { kind: 'any', pieces };
  }

  private sequence(): Piece {
    const pieces: Piece[] = [];
    for (let token = this.tokens[this.at]; token !== undefined && !/^[|)]$/.test(token); token = this.tokens[this.at]) {
      this.at++;
      pieces.push(this.repeated(this.piece(token)));
    }
    return { kind: 'all', pieces };
  }

  private piece(token: string): Piece {
    if (token === '^' || token === '$' || token === '\\b' || token === '\\B')
      return { kind: 'assertion', assertion: token };
    if (/^\((?:\?:|\?<[^=!].*)?$/s.test(token)) {
      const inside = this.alternatives();
      this.at++;
      return inside;
    }
    if (token.startsWith('(') || /^\\(?:[1-9]|k)/.test(token)) this.isUnknown = true;
    return { kind: 'character', accepts: this.isUnknown ? () => false : accepting(token) };
  }

  private repeated(piece: Piece): Piece {
    const [, sign, least = '0', comma, most] =
      /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??$/.exec(this.tokens[this.at] ?? '') ?? [];
    if (sign === undefined && !/^\{\d/.test(this.tokens[this.at] ?? '')) return piece;
    this.at++;
    if (sign !== undefined) {
      return { kind: 'repeated', piece, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : undefined };
    }
    const upTo = comma === undefined ? Number(least) : most ? Number(most) : undefined;
    return { kind: 'repeated', piece, least: Number(least), most: upTo };
  }
}

/** Tests whether a piece of the pattern matches a character. The first 256 characters are computed in advance. */
function accepting(token: string): (code: number) => boolean {
  const pattern = new RegExp(`^${/^[{}\]]$/.test(token) ? `\\${token}` : token}$`);
  const known = Uint8Array.from({ length: 256 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
  return (code) => (code < 256 ? known[code] === 1 : pattern.test(String.fromCharCode(code)));
}

function holds(assertion: Assertion, text: string, at: number): boolean {
  if (assertion === '^') return at === 0;
  if (assertion === '$') return at === text.length;
  return (isWord(text[at - 1]) !== isWord(text[at])) === (assertion === '\\b');
}

function isWord(character = ''): boolean {
  return /\w/.test(character);
}
