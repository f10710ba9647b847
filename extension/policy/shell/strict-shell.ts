import { type ShellToken, ShellTokens, type WordToken } from './shell-tokens.ts';
import { PartsReader, type RedirectionPlace, type StrictCommand, type StrictLine } from './strict-parts.ts';
import { argumentOf, assignedName, assignmentOf, patternOf, plainOf, type StrictWord } from './strict-words.ts';
import { NotUnderstood } from './word-pieces.ts';

/** Keywords of any shell. `time` is not included, because it precedes a command like a program. */
const RESERVED: ReadonlySet<string> = new Set(
  `! { } [[ ]] case coproc do done elif else end esac fi for foreach function if in repeat select then until while nocorrect
  noglob always -`.split(/\s+/),
);
/** Commands of the shell whose arguments may be assignments. */
const DECLARES: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
const NAME = /^[A-Za-z_]\w*$/;
/** Words before which a list of commands ends. */
const CLOSES = /^(?:\}|then|elif|else|fi|do|done|esac)$/;
/** Deeper than anything that people can follow. */
const MAX_DEPTH = 20;
const TESTS = /^-[defghknprstuwxzGLNOS]$/;
const COMPARISONS = /^(?:==|=|!=|-nt|-ot|-ef)$/;
const NUMBER_COMPARISONS = /^-(?:eq|ne|lt|le|gt|ge)$/;

/**
 * Parses the part of the shell language that can be rewritten reliably. It shares no code with the grammar, so that both
 * don't make the same mistakes. Undefined for everything else.
 */
export function readStrictly(source: string): StrictLine | undefined {
  try {
    const tokens = new ShellTokens(source, (inner) => new StrictReader(inner).line());
    const line = new StrictReader(tokens).line();
    return tokens.peek() || tokens.isWaiting ? undefined : line;
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class StrictReader extends PartsReader {
  private depth = 0;

  /** Reads up to the end of the text, or of the substitution. */
  line(): StrictLine {
    this.list();
    return this.read();
  }

  /** Reads commands up to a closing keyword or the end. Each is followed by `;` or `&`. */
  private list(mayBeEmpty = false): void {
    this.depth += 1;
    this.require(this.depth <= MAX_DEPTH);
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
    this.require(mayBeEmpty || !isEmpty);
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
    else if (this.takesWord('case')) this.cases();
    else if (this.isWord('[[')) this.test();
    else {
      this.simple();
      return;
    }
    const place: RedirectionPlace = { start: this.parts.length };
    while (this.isRedirection()) this.redirection(place);
  }

  private subshell(): void {
    const open = this.tokens.peek();
    // Two parentheses without a space between them begin arithmetic.
    this.require(open !== undefined && !this.tokens.isAt('(', open.end));
    this.tokens.advance();
    this.parts.push('(');
    this.list();
    this.require(this.takes(')'));
    this.withoutSeparator();
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
    const name = this.takeWord();
    if (!name?.isBare || !NAME.test(name.source)) throw new NotUnderstood();
    this.require(this.takesWord('in'));
    const variable = argumentOf(name);
    this.parts.push('for', variable, 'in');
    for (let token = this.takeWord(); token; token = this.takeWord()) {
      const word = this.seen(argumentOf(token));
      this.parts.push(word);
      this.assignments.push({ name: name.source, word });
    }
    this.require(this.takes(';') || this.isOperator('\n'));
    this.parts.push(';');
    this.newlines();
    this.require(this.takesWord('do'));
    this.block('do', 'done');
  }

  private cases(): void {
    this.isPlain = false;
    this.parts.push('case', this.word(plainOf));
    this.newlines();
    this.require(this.takesWord('in'));
    this.parts.push('in');
    for (this.newlines(); !this.takesWord('esac'); this.newlines()) {
      this.takes('(');
      this.parts.push('(', this.word(patternOf));
      while (this.takes('|')) this.parts.push('|', this.word(patternOf));
      this.require(this.takes(')'));
      this.parts.push(')');
      this.list(true);
      this.withoutSeparator();
      const isLast = !this.takes(';;');
      this.parts.push(';;');
      this.newlines();
      this.require(!isLast || this.isWord('esac'));
    }
    this.parts.push('esac');
  }

  private test(): void {
    this.isPlain = false;
    const start = this.tokens.peek();
    this.takesWord('[[');
    this.parts.push('[[');
    this.alternatives();
    const end = this.tokens.peek();
    if (!start || !end || !this.takesWord(']]')) throw new NotUnderstood();
    this.parts.push(']]');
    const source = this.tokens.source;
    const open: StrictWord = { start: start.start, end: start.end, source: '[[', forms: [], value: '[[' };
    this.commands.push({ text: source.slice(start.start, end.end), words: [open] });
  }

  private alternatives(): void {
    this.comparison();
    for (let joint = this.joint('&&', '||'); joint !== undefined; joint = this.joint('&&', '||')) {
      this.parts.push(joint);
      this.comparison();
    }
  }

  private comparison(): void {
    if (this.takesWord('!')) this.parts.push('!');
    if (this.takes('(')) {
      this.parts.push('(');
      this.alternatives();
      this.require(this.takes(')'));
      this.parts.push(')');
      return;
    }
    const first = this.takeWord();
    if (!first) throw new NotUnderstood();
    if (first.isBare && TESTS.test(first.source)) {
      this.parts.push(first.source, this.word(operandOf));
      return;
    }
    const left = this.seen(operandOf(first));
    this.parts.push(left);
    const operator = this.tokens.peek();
    if (operator?.kind !== 'word' || !operator.isBare || operator.source === ']]') return;
    this.tokens.advance();
    const isNumber = NUMBER_COMPARISONS.test(operator.source);
    this.require(isNumber || COMPARISONS.test(operator.source));
    const right = this.word((token) => (/^[!=]/.test(operator.source) ? comparedOf(token) : operandOf(token)));
    this.parts.push(operator.source, right);
    if (isNumber) for (const word of [left, right]) this.evaluated.push(...evaluatedIn(word));
  }

  private simple(): void {
    const start = this.tokens.peek();
    let name = this.takeWord();
    let isAssigned = false;
    for (; name && assignedName(name) !== undefined; name = this.takeWord()) {
      this.parts.push(this.assigned(name));
      // An array, or a pattern of another shell.
      this.require(!this.isOperator('('));
      isAssigned = true;
    }
    if (!start || (!name && !isAssigned)) throw new NotUnderstood();
    const command = name && this.words(start, name);
    // A function definition, or a pattern of another shell.
    this.require(!this.isOperator('('));
    const place: RedirectionPlace = { start: this.parts.length };
    let isOnlyStrings = true;
    while (this.isRedirection()) {
      // Without a command, the shell only makes the file.
      if (!command) throw new NotUnderstood();
      isOnlyStrings &&= this.isOperator('<<<');
      const end = this.redirection(place);
      if (isOnlyStrings) command.withStrings = this.tokens.source.slice(start.start, end);
    }
    // The shell reads words after a redirection as arguments; the grammar doesn't always.
    this.require(this.tokens.peek()?.kind !== 'word');
  }

  /** The words of a command, from its name on. */
  private words(start: ShellToken, name: WordToken): StrictCommand {
    const program = this.seen(argumentOf(name));
    this.require(program.value !== undefined && !RESERVED.has(program.value));
    const isDeclaration = name.isBare && DECLARES.has(name.source);
    const words = [program];
    this.parts.push(program);
    for (let token = this.takeWord(); token; token = this.takeWord()) {
      const isAssignment = isDeclaration && assignedName(token) !== undefined;
      const word = isAssignment ? this.assigned(token) : this.seen(argumentOf(token));
      words.push(word);
      this.parts.push(word);
    }
    this.require(program.value !== 'time' || (name.isBare && isTimed(words)));
    const text = this.tokens.source.slice(start.start, words.at(-1)?.end ?? name.end);
    const command = { text, words, ...(isDeclaration && { isDeclaration }) };
    this.commands.push(command);
    return command;
  }

  private assigned(token: WordToken): StrictWord {
    const word = this.seen(assignmentOf(token));
    this.assignments.push({ name: assignedName(token) ?? '', word });
    return word;
  }

  private startsCommand(): boolean {
    const token = this.tokens.peek();
    if (token?.kind === 'operator') return token.text === '(';
    return token !== undefined && !(token.isBare && CLOSES.test(token.source));
  }
}

/** Whether a program follows `time`. Keywords and assignments still count there, and some shells need a command. */
function isTimed([, ...rest]: readonly StrictWord[]): boolean {
  const value = rest.find((word) => !word.value?.startsWith('-'))?.value;
  return value !== undefined && !RESERVED.has(value) && !/^\w+\+?=/.test(value);
}

/** A word of `[[ … ]]` that no shell takes for an operator. */
function operandOf(token: WordToken): StrictWord {
  if (token.isBare && /^(?:-.*|[!=~<>(){}[\]]+.*)$/.test(token.source)) throw new NotUnderstood();
  return { ...plainOf(token), isOperand: true };
}

function comparedOf(token: WordToken): StrictWord {
  operandOf(token);
  return { ...patternOf(token), isOperand: true };
}

/** The variables whose values a comparison of numbers evaluates. */
function evaluatedIn({ forms, value }: StrictWord): readonly string[] {
  if (value !== undefined) {
    if (!/^\d+$/.test(value)) throw new NotUnderstood();
    return [];
  }
  return forms.flat().flatMap((piece) => {
    if (piece.kind === 'variable') return /^[?#$!]$/.test(piece.name) ? [] : [piece.name];
    if (piece.kind === 'arithmetic' || (piece.kind === 'parameter' && piece.text.startsWith('#'))) return [];
    throw new NotUnderstood();
  });
}
