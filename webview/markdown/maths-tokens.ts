import type { TokenizerExtension, Tokens } from 'marked';

/** A formula in an answer, in one of the ways that models write them. */
export interface MathsToken extends Tokens.Generic {
  readonly type: 'maths';
  readonly text: string;
  readonly isBlock: boolean;
}

/** More is not a formula, and looking for its end must not take long. */
const LONGEST = 5000;

/** `$$…$$` or `\\[…\\]` on lines of their own. */
export const blockMaths: TokenizerExtension = {
  name: 'maths',
  level: 'block',
  start: (source) => indexOfMatch(source, /(?:^|\n) {0,3}(?:\$\$|\\\[)/),
  tokenizer(source) {
    const [opening, sign] = /^ {0,3}(\$\$|\\\[)/.exec(source) ?? [];
    if (opening === undefined) return undefined;
    const closing = sign === '$$' ? '$$' : '\\]';
    const end = source.slice(0, LONGEST).indexOf(closing, opening.length);
    const text = source.slice(opening.length, Math.max(end, 0)).trim();
    const rest = /^[ \t]*(?:\n|$)/.exec(source.slice(end + 2));
    if (end < 0 || text === '' || !rest) return undefined;
    return { type: 'maths', raw: source.slice(0, end + 2) + rest[0], text, isBlock: true };
  },
};

/** `\\(…\\)`, `$$…$$` within a line, and `$…$` where it cannot be an amount or a variable of a shell. */
export const inlineMaths: TokenizerExtension = {
  name: 'inlineMaths',
  level: 'inline',
  start: (source) => indexOfMatch(source, /\$|\\\(/),
  tokenizer(source) {
    const match = PAREN.exec(source) ?? DOUBLE.exec(source) ?? single(source);
    if (!match) return undefined;
    return { type: 'maths', raw: match[0], text: (match[1] ?? '').trim(), isBlock: false };
  },
};

const PAREN = /^\\\(([^\n]{1,500}?)\\\)/;
const DOUBLE = /^\$\$([^$\n]{1,500})\$\$/;
const SINGLE = /^\$([^\s$](?:[^$\n]{0,300}[^\s$\\])?)\$(?![\w$])/;

/** "$5 and $10" and "$HOME/bin:$PATH" are none. */
function single(source: string): RegExpExecArray | null {
  const match = SINGLE.exec(source);
  return match && /[\\^_=+<>{}]|^\p{L}$/u.test(match[1] ?? '') ? match : null;
}

function indexOfMatch(source: string, pattern: RegExp): number | undefined {
  const at = source.search(pattern);
  return at < 0 ? undefined : at;
}
