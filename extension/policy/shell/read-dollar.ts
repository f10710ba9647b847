import { decodeEscapes } from './decode-escapes.ts';
import type { ExactPiece } from './word-pieces.ts';

const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*|\d|[?#@*])\}|([?$!#@*\d]))/y;
/** An operand of plain characters. `\d` after a colon is an offset, and a lone `@` or a digit is an index. */
const PARAMETER =
  /\$\{(#(?:[A-Za-z_]\w*(?:\[[@*]\])?|[@*])|(?:[A-Za-z_]\w*(?:\[(?:\d+|[@*])\])?|\d)(?:(?::?[-+=?]([\w./,@%+:= -]*))|(?:##?|%%?)[\w./,@+:=*? -]+|\/\/?[\w.,@+:=*? -]+(?:\/[\w.,@+:= -]*)?|:\d+(?::\d+)?|\^\^?|,,?)?)\}/y;
/** Integers, names and operators that can't be read as anything else. */
const ARITHMETIC = /[\w+*/%() \t-]*/y;
/** What makes a dollar before it an ordinary character, in all shells. */
const NOT_EXPANDED = /^[ \t\n|)/.,;&\\'>\]:%]$/;

type Dollar =
  | { readonly kind: 'piece'; readonly piece: ExactPiece; readonly end: number }
  | { readonly kind: 'substitution' };

/** Reads what begins with a dollar. The commands of `$(…)` are up to the caller. Undefined if it isn't understood. */
export function readDollar(source: string, at: number, quoted: boolean): Dollar | undefined {
  const found = (piece: ExactPiece, length: number): Dollar => ({ kind: 'piece', piece, end: at + length });
  const [all, name, braced, special] = match(VARIABLE, source, at) ?? [];
  if (all !== undefined) {
    // `$10` is `$1` and a zero in bash, but not in every shell.
    // Bash takes the second dollar of `$${` for the beginning of an expansion while it looks for the closing quote.
    if (special === '$' && /[{(['"]/.test(source.charAt(at + 2))) return undefined;
    if (special !== undefined && /^\d/.test(special) && /\d/.test(source.charAt(at + all.length))) return undefined;
    const isNamed = name !== undefined && !quoted;
    return found({ kind: 'variable', name: name ?? braced ?? special ?? '', quoted, isNamed }, all.length);
  }
  if (source.startsWith('$((', at)) {
    const inner = arithmetic(match(ARITHMETIC, source, at + 3)?.[0] ?? '');
    return inner === undefined
      ? undefined
      : found({ kind: 'arithmetic', text: inner.trim(), names: namesIn(inner), quoted }, inner.length + 5);
  }
  if (source.startsWith('$(', at)) return { kind: 'substitution' };
  const parameter = match(PARAMETER, source, at);
  if (parameter) {
    const [text, inner = '', operand = ''] = parameter;
    // Without quotes, the shell splits the operand into words.
    if (!quoted && /[ *?]/.test(operand)) return undefined;
    return found({ kind: 'parameter', text: inner, quoted }, text.length);
  }
  if (!quoted && source.startsWith("$'", at)) {
    const decoded = decodeEscapes(source, at + 2);
    return decoded && found({ kind: 'text', text: decoded.text }, decoded.end - at);
  }
  const next = source.charAt(at + 1);
  const isLast = quoted ? next === '"' || NOT_EXPANDED.test(next) : /^(?:[ \t\n;&|)]|)$/.test(next);
  return isLast ? found({ kind: 'text', text: '$' }, 1) : undefined;
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** The beginning of a text, up to `))`. */
function arithmetic(text: string): string | undefined {
  let depth = 0;
  const end = [...text].findIndex((sign) => {
    if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    return depth < 0;
  });
  const inner = text.slice(0, end);
  const isComplete = end >= 0 && text.charAt(end + 1) === ')' && inner.trim() !== '';
  // Numbers with a base or a leading zero differ between shells, and `i++` changes a variable.
  const isPlain = !/\+\+|--|\*\*|\b0\d|\b\d+[A-Za-z_]/.test(inner);
  return isComplete && isPlain ? inner : undefined;
}

function namesIn(text: string): readonly string[] {
  return text.match(/[A-Za-z_]\w*/g) ?? [];
}
