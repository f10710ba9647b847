import { Lexer, Marked, type Token } from 'marked';
import { blockMaths, footnoteReferences, footnotes, inlineMaths } from './own-tokens.ts';

/**
 * The blocks of markdown. The lexer calls itself for every level, and 3000 `>` in a row are more than its stack has room
 * for: what it cannot read is one block of plain text, and what stands around it is read as ever.
 */
export function lexed(source: string): Token[] {
  return tried(source) ?? around(source) ?? [plain(source)];
}

const OPTIONS = new Marked({ extensions: [blockMaths, inlineMaths, footnotes, footnoteReferences] }).defaults;

/** What may begin or end something within a line. */
const SIGNS = '*_~`[]<$\\';

/**
 * For each sign the lexer looks through all that follows, so its work grows with both: 20,000 times "x_" takes 10 s. This
 * much takes a tenth of a second, and is ten times what a long paragraph of a person has.
 */
const MOST_WORK = 6_000_000;

/** Reads signs as signs only where it can be done in a moment; else they are what they are. */
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

/** Paragraph by paragraph, to find those that cannot be read. Undefined when it is none of them alone. */
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
