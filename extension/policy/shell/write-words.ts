import type { StrictLine } from './strict-parts.ts';
import type { StrictWord, WordPiece } from './strict-words.ts';

/** Characters that have no special meaning in any shell, wherever the word is. */
const PLAIN = /^[\w./,@%+:-][\w./,@%+:=-]*$/;
/** What no shell takes for an operator of `[[ … ]]`. */
const PLAIN_OPERAND = /^[\w./][\w./-]*$/;

/** The text of a line, with some of its words replaced. */
export function lineText({ parts }: Pick<StrictLine, 'parts'>, replaced?: ReadonlyMap<StrictWord, string>): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part === ';' || text === '' ? part : ` ${part}`;
    else {
      const script = replaced?.get(part);
      const word = script === undefined ? wordText(part, replaced) : quote(script);
      text += `${text === '' ? '' : ' '}${word}`;
    }
  }
  return text;
}

function wordText({ forms, prefix, isOperand }: StrictWord, replaced?: ReadonlyMap<StrictWord, string>): string {
  const plain = isOperand ? PLAIN_OPERAND : PLAIN;
  if (prefix !== undefined) return `${prefix}${forms.map((form) => formText(form, plain, replaced)).join('')}`;
  return forms.map((form) => formText(form, plain, replaced) || "''").join(' ');
}

function formText(
  pieces: readonly WordPiece[],
  plain: RegExp,
  replaced: ReadonlyMap<StrictWord, string> | undefined,
): string {
  let text = '';
  let literal: string | undefined;
  let last: WordPiece | undefined;
  const isWhole = pieces.every(({ kind }) => kind === 'text');
  const flush = (): void => {
    if (literal === undefined) return;
    // Some shells read a letter after `$#` as part of it.
    const isPlain = plain.test(literal) && (isWhole || (!literal.includes('=') && !isSpecial(last)));
    // The slash after `~` must stay unquoted.
    if (last?.kind === 'home') text += isPlain ? literal : literal.replace(/^(\/?)(.*)$/s, rest);
    else if (literal !== '' || isWhole) text += isPlain ? literal : quote(literal);
    literal = undefined;
  };
  for (const piece of pieces) {
    if (piece.kind === 'text') literal = (literal ?? '') + piece.text;
    else {
      flush();
      text += expansionText(piece, replaced);
      last = piece;
    }
  }
  flush();
  return text;
}

function rest(_: string, slash: string, after: string): string {
  return after === '' ? slash : `${slash}${quote(after)}`;
}

function isSpecial(piece: WordPiece | undefined): boolean {
  return piece?.kind === 'variable' && /^[?$!#@*\d]$/.test(piece.name);
}

function expansionText(
  piece: Exclude<WordPiece, { kind: 'text' }>,
  replaced: ReadonlyMap<StrictWord, string> | undefined,
): string {
  if (piece.kind === 'home') return '~';
  if (piece.kind === 'pattern') return piece.text;
  const text = dollarText(piece, replaced);
  return piece.quoted ? `"${text}"` : text;
}

function dollarText(
  piece: Extract<WordPiece, { quoted: boolean }>,
  replaced: ReadonlyMap<StrictWord, string> | undefined,
): string {
  switch (piece.kind) {
    case 'variable':
      return isSpecial(piece) ? `$${piece.name}` : `\${${piece.name}}`;
    case 'parameter':
      return `\${${piece.text}}`;
    case 'arithmetic':
      return `$(( ${piece.text} ))`;
    case 'substitution': {
      const text = lineText(piece.line as StrictLine, replaced);
      // Two parentheses would begin arithmetic.
      return text.startsWith('(') ? `$( ${text} )` : `$(${text})`;
    }
  }
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
