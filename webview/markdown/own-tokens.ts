import type { TokenizerExtension, Tokens } from 'marked';

/** A formula in an answer, in one of the notations that models use. */
export interface MathsToken extends Tokens.Generic {
  readonly type: 'maths';
  readonly text: string;
  readonly isBlock: boolean;
}

/** A longer text is not a formula, and the search for its end must not take long. */
const LONGEST = 5000;

/** `$$…$$` or `\[…\]` on lines of their own. */
export const blockMaths: TokenizerExtension = {
  name: 'maths',
  level: 'block',
  start: (source) => nextBlock(source),
  tokenizer: (source) => blockAt(source),
};

function blockAt(source: string): MathsToken | undefined {
  const [opening, sign] = /^ {0,3}(\$\$|\\\[)/.exec(source) ?? [];
  if (opening === undefined) return undefined;
  const closing = sign === '$$' ? '$$' : '\\]';
  const end = source.slice(0, LONGEST).indexOf(closing, opening.length);
  const text = source.slice(opening.length, Math.max(end, 0)).trim();
  const rest = /^[ \t]*(?:\n|$)/.exec(source.slice(end + 2, end + 2 + LONGEST));
  if (end < 0 || text === '' || !rest) return undefined;
  return { type: 'maths', raw: source.slice(0, end + 2) + rest[0], text, isBlock: true };
}

/**
 * Searches the paragraph that begins here. The lexer ends the paragraph at the returned index, so it must be a formula.
 */
function nextBlock(source: string): number | undefined {
  const blank = source.indexOf('\n\n');
  const paragraph = source.slice(0, Math.min(blank < 0 ? LONGEST : blank, LONGEST));
  for (const { index } of paragraph.matchAll(/\n(?= {0,3}(?:\$\$|\\\[))/g)) {
    if (blockAt(source.slice(index + 1, index + 1 + 2 * LONGEST))) return index + 1;
  }
  return undefined;
}

/** `\\(…\\)`, `$$…$$` within a line, and `$…$` where it cannot be an amount or a shell variable. */
export const inlineMaths: TokenizerExtension = {
  name: 'inlineMaths',
  level: 'inline',
  start: (source) => nextFormula(source),
  tokenizer(source) {
    const match = formulaAt(source);
    if (!match) return undefined;
    return { type: 'maths', raw: match[0], text: (match[1] ?? '').trim(), isBlock: false };
  },
};

const PAREN = /^\\\(([^\n]{1,500}?)\\\)/;
const DOUBLE = /^\$\$([^$\n]{1,500})\$\$/;
const SINGLE = /^\$([^\s$](?:[^$\n]{0,300}[^\s$\\])?)\$(?![\w$])/;
const BEGINS = /\\\(|\$\$?[^\s$]/g;

/** "$5 and $10" and "$HOME/bin:$PATH" are not formulas. */
function single(source: string): RegExpExecArray | null {
  const match = SINGLE.exec(source);
  return match && /[\\^_=+<>{}]|^\p{L}$/u.test(match[1] ?? '') ? match : null;
}

function formulaAt(source: string): RegExpExecArray | null {
  return PAREN.exec(source) ?? DOUBLE.exec(source) ?? single(source);
}

/** The lexer stops at each returned index, which is slow, so only formulas are returned, within this distance. */
const AHEAD = 1000;

function nextFormula(source: string): number | undefined {
  const ahead = source.slice(0, AHEAD);
  for (const { index } of ahead.matchAll(BEGINS)) if (formulaAt(source.slice(index, index + AHEAD))) return index;
  return source.length > AHEAD ? AHEAD : undefined;
}

/** `[^id]` in a text, and `[^id]: words` on a line of its own. Both stay in place. */
export interface FootnoteToken extends Tokens.Generic {
  readonly type: 'footnote';
  readonly id: string;
}

const REFERENCE = /^\[\^([^\]\s[]{1,40})\](?!:)/;
const NOTE = /^ {0,3}\[\^([^\]\s[]{1,40})\]:[ \t]+([^\n]+)(?:\n|$)/;
const NEXT_NOTE = /\n {0,3}\[\^[^\]\s[]{1,40}\]:[ \t]/;
/** Paragraphs are rarely longer, and the search must not take long. */
const NOTES_AHEAD = 2000;

/** Without this, a note of one word would be parsed as a link definition and disappear. */
export const footnotes: TokenizerExtension = {
  name: 'footnote',
  level: 'block',
  start: (source) => {
    const index = source.slice(0, NOTES_AHEAD).search(NEXT_NOTE);
    return index < 0 ? undefined : index + 1;
  },
  tokenizer(source) {
    const [raw, id, text] = NOTE.exec(source) ?? [];
    if (raw === undefined || id === undefined || text === undefined) return undefined;
    return { type: 'footnote', raw, id, tokens: this.lexer.inline(text) };
  },
};

export const footnoteReferences: TokenizerExtension = {
  name: 'footnoteReference',
  level: 'inline',
  start: (source) => {
    const index = source.slice(0, NOTES_AHEAD).indexOf('[^');
    return index < 0 ? undefined : index;
  },
  tokenizer(source) {
    const [raw, id] = REFERENCE.exec(source) ?? [];
    return raw === undefined || id === undefined ? undefined : { type: 'footnote', raw, id };
  },
};
