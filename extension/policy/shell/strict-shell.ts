import { type ShellToken, shellTokens, type WordToken } from './shell-tokens.ts';

/** A simple command as the strict reader sees it. */
export interface StrictCommand {
  /** The command as it is written, without redirections. */
  readonly text: string;
  readonly words: readonly WordToken[];
}

export interface StrictLine {
  readonly commands: readonly StrictCommand[];
  /** Targets of redirections. */
  readonly writes: readonly WordToken[];
  /** The words, and the keywords and operators between them. Each is written after a space. */
  readonly parts: readonly (WordToken | string)[];
}

/** Keywords of any shell. `time` is not included, because it precedes a command like a program. */
const RESERVED: ReadonlySet<string> = new Set(
  `! { } [[ ]] case coproc do done elif else end esac fi for foreach function if in repeat select then until while nocorrect
  always`.split(/\s+/),
);
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[|\+?=)/;
const NAME = /^[A-Za-z_]\w*$/;
const REDIRECTIONS: ReadonlySet<string> = new Set(['<', '>', '>>', '>|', '>&', '<&', '&>', '&>>']);
/** Deeper than anything that people can follow. */
const MAX_DEPTH = 20;

class NotUnderstood extends Error {}

/**
 * Parses the part of the shell language that can be rewritten reliably: simple commands that are joined, grouped, or in
 * conditions and loops. It shares no code with the grammar, so that both don't make the same mistakes. Undefined for
 * everything else.
 */
export function readStrictly(source: string): StrictLine | undefined {
  const tokens = shellTokens(source);
  if (!tokens) return undefined;
  try {
    return new StrictReader(source, tokens).line();
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class StrictReader {
  private at = 0;
  private depth = 0;
  private readonly commands: StrictCommand[] = [];
  private readonly writes: WordToken[] = [];
  private readonly parts: (WordToken | string)[] = [];

  constructor(
    private readonly source: string,
    private readonly tokens: readonly ShellToken[],
  ) {}

  line(): StrictLine {
    this.list();
    if (this.at < this.tokens.length || this.commands.length === 0) throw new NotUnderstood();
    // No separator is needed at the end of the line.
    if (this.parts.at(-1) === ';') this.parts.pop();
    const { commands, writes, parts } = this;
    return { commands, writes, parts };
  }

  /** Reads commands up to a closing keyword or the end. Each is followed by `;` or `&`. */
  private list(): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new NotUnderstood();
    let isEmpty = true;
    for (this.newlines(); this.startsCommand(); this.newlines()) {
      this.pipelines();
      isEmpty = false;
      if (this.takes('&')) this.parts.push('&');
      else if (this.takes(';') || this.isOperator('\n')) this.parts.push(';');
      else {
        this.parts.push(';');
        break;
      }
    }
    if (isEmpty) throw new NotUnderstood();
    this.depth -= 1;
  }

  private pipelines(): void {
    this.pipeline();
    for (let joint = this.joint('&&', '||'); joint !== undefined; joint = this.joint('&&', '||')) {
      this.parts.push(joint);
      this.newlines();
      this.pipeline();
    }
  }

  private pipeline(): void {
    if (this.takesWord('!')) this.parts.push('!');
    this.command();
    while (this.joint('|') !== undefined) {
      this.parts.push('|');
      this.newlines();
      this.command();
    }
  }

  private command(): void {
    if (this.isOperator('(')) this.subshell();
    else if (this.takesWord('{')) this.block('{', '}');
    else if (this.takesWord('if')) this.condition('if');
    else if (this.takesWord('while')) this.loop('while');
    else if (this.takesWord('until')) this.loop('until');
    else if (this.takesWord('for')) this.forLoop();
    else this.simple();
    while (this.isRedirection()) this.redirection();
  }

  private subshell(): void {
    const [open, next] = this.tokens.slice(this.at, this.at + 2);
    // Two parentheses without a space between them begin arithmetic.
    if (next?.kind === 'operator' && next.text === '(' && next.start === open?.end) throw new NotUnderstood();
    this.at += 1;
    this.parts.push('(');
    this.list();
    this.require(this.takes(')'));
    if (this.parts.at(-1) === ';') this.parts.pop();
    this.parts.push(')');
  }

  private block(open: string, close: string): void {
    this.parts.push(open);
    this.list();
    this.require(this.takesWord(close));
    this.parts.push(close);
  }

  private condition(word: 'if' | 'elif'): void {
    this.parts.push(word);
    this.list();
    this.require(this.takesWord('then'));
    this.parts.push('then');
    this.list();
    if (this.takesWord('elif')) {
      this.condition('elif');
      return;
    }
    if (this.takesWord('else')) {
      this.parts.push('else');
      this.list();
    }
    this.require(this.takesWord('fi'));
    this.parts.push('fi');
  }

  private loop(kind: string): void {
    this.parts.push(kind);
    this.list();
    this.require(this.takesWord('do'));
    this.block('do', 'done');
  }

  private forLoop(): void {
    const variable = this.tokens[this.at];
    this.require(variable?.kind === 'word' && variable.isBare && NAME.test(variable.source));
    this.at += 1;
    this.require(this.takesWord('in'));
    this.parts.push('for', variable?.kind === 'word' ? variable : '', 'in');
    for (let word = this.takeWord(); word; word = this.takeWord()) this.parts.push(word);
    this.require(this.takes(';') || this.isOperator('\n'));
    this.parts.push(';');
    this.newlines();
    this.require(this.takesWord('do'));
    this.block('do', 'done');
  }

  private simple(): void {
    const name = this.takeWord();
    if (name?.value === undefined || RESERVED.has(name.value) || ASSIGNMENT.test(name.source))
      throw new NotUnderstood();
    const words = [name];
    for (let word = this.takeWord(); word; word = this.takeWord()) words.push(word);
    // A function definition, or a pattern of another shell.
    if (this.isOperator('(')) throw new NotUnderstood();
    this.parts.push(...words);
    this.commands.push({ text: this.source.slice(name.start, words.at(-1)?.end), words });
    while (this.isRedirection()) this.redirection();
    // The shell reads words after a redirection as arguments; the grammar doesn't always.
    if (this.tokens[this.at]?.kind === 'word') throw new NotUnderstood();
  }

  private redirection(): void {
    const descriptor = this.isDescriptor() ? this.takeAny() : '';
    const token = this.tokens[this.at];
    const operator = token?.kind === 'operator' ? token.text : '';
    this.at += 1;
    const target = this.takeWord();
    if (!target || !REDIRECTIONS.has(operator)) throw new NotUnderstood();
    if (operator === '>&' || operator === '<&') {
      this.require(target.isBare && /^(?:\d|-)$/.test(target.source));
      this.parts.push(`${descriptor}${operator}${target.source}`);
      return;
    }
    const both = operator.startsWith('&');
    this.require(!both || descriptor === '');
    // Only bash has a single operator for both streams; in other shells, it has another meaning.
    this.parts.push(both ? operator.slice(1) : `${descriptor}${operator}`, target);
    if (both) this.parts.push('2>&1');
    if (operator !== '<') this.writes.push(target);
  }

  private isRedirection(): boolean {
    const token = this.tokens[this.at];
    return this.isDescriptor() || (token?.kind === 'operator' && REDIRECTIONS.has(token.text));
  }

  /** Whether digits directly before a redirection operator follow. */
  private isDescriptor(): boolean {
    const [token, next] = this.tokens.slice(this.at, this.at + 2);
    const touches = next?.kind === 'operator' && /^[<>]/.test(next.text) && next.start === token?.end;
    if (!touches || token?.kind !== 'word') return false;
    // With `{name}>file`, the shell chooses a number.
    if (/^\{.*\}$/s.test(token.source)) throw new NotUnderstood();
    if (!token.isBare || !/^\d+$/.test(token.source)) return false;
    // Dash and other shells read more than one digit as a word.
    this.require(token.source.length === 1);
    return true;
  }

  private takeAny(): string {
    const token = this.tokens[this.at];
    this.at += 1;
    return token?.kind === 'word' ? token.source : '';
  }

  private takeWord(): WordToken | undefined {
    const token = this.tokens[this.at];
    if (token?.kind !== 'word' || this.isDescriptor()) return undefined;
    this.at += 1;
    return token;
  }

  private startsCommand(): boolean {
    const token = this.tokens[this.at];
    if (token?.kind === 'operator') return token.text === '(';
    return token !== undefined && !(token.isBare && /^(?:\}|then|elif|else|fi|do|done)$/.test(token.source));
  }

  private newlines(): void {
    while (this.isOperator('\n')) this.at += 1;
  }

  private joint(...texts: readonly string[]): string | undefined {
    return texts.find((text) => this.takes(text));
  }

  private isOperator(text: string): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'operator' && token.text === text;
  }

  private takes(text: string): boolean {
    const found = this.isOperator(text);
    if (found) this.at += 1;
    return found;
  }

  private takesWord(text: string): boolean {
    const token = this.tokens[this.at];
    const found = token?.kind === 'word' && token.isBare && token.source === text;
    if (found) this.at += 1;
    return found;
  }

  private require(holds: boolean): void {
    if (!holds) throw new NotUnderstood();
  }
}
