import { Lexer, Marked, type Token } from 'marked';
import { blockMaths, footnoteReferences, footnotes, inlineMaths } from './own-tokens.ts';

/**
 * Splits Markdown into blocks. The lexer is recursive, and 3000 `>` in a row overflow its stack: a part that it cannot
 * parse becomes a block of plain text, and the rest is parsed normally.
 */
export function lexed(source: string): Token[] {
  return tried(source) ?? around(source) ?? [plain(source)];
}

const OPTIONS = new Marked({ extensions: [blockMaths, inlineMaths, footnotes, footnoteReferences] }).defaults;

/** Characters that may start or end an inline element. */
const SIGNS = '*_~`[]<$\\';

/**
 * For each marker, the lexer searches all following text, so its work grows with both: 20,000 times "x_" takes 10 s.
 * This limit takes a tenth of a second, and is ten times the work for a long paragraph written by a person.
 */
const MOST_WORK = 6_000_000;

/** Parses inline markers only if that is fast. Otherwise, they are plain text. */
class QuickLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (!isTooMuch(source)) return super.inlineTokens(source, tokens);
    tokens.push({ type: 'text', raw: source, text: source, escaped: false });
    return tokens;
  }
}

function isTooMuch(source: string): boolean {
  const most = MOST_WORK / source.length;
  if (source.length <= most) return false;
  let signs = 0;
  for (const sign of source) if (SIGNS.includes(sign) && ++signs > most) return true;
  return false;
}

/** Parses each paragraph separately to find those that fail. Undefined if no single paragraph fails. */
function around(source: string): Token[] | undefined {
  const blocks: Token[] = [];
  let readable = '';
  for (const paragraph of source.split(/(?<=\n\n)/)) {
    if (tried(paragraph)) {
      readable += paragraph;
    } else {
      blocks.push(...(tried(readable) ?? [plain(readable)]), plain(paragraph));
      readable = '';
    }
  }
  return blocks.length === 0 ? undefined : [...blocks, ...(tried(readable) ?? [plain(readable)])];
}

function tried(source: string): Token[] | undefined {
  try {
    return new QuickLexer(OPTIONS).lex(source);
  } catch {
    return undefined;
  }
}

function plain(raw: string): Token {
  return { type: 'paragraph', raw, text: raw, tokens: [{ type: 'text', raw, text: raw, escaped: false }] };
}
