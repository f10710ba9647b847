import { Lexer, Marked, type Token } from 'marked';
import { blockMaths, inlineMaths } from './maths-tokens.ts';

/**
 * The blocks of markdown. The lexer calls itself for every level, and 3000 `>` in a row are more than its stack has room
 * for: what it cannot read is one block of plain text, and what stands around it is read as ever.
 */
export function lexed(source: string): Token[] {
  return tried(source) ?? around(source) ?? [plain(source)];
}

const OPTIONS = new Marked({ extensions: [blockMaths, inlineMaths] }).defaults;

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
    return new Lexer(OPTIONS).lex(source);
  } catch {
    return undefined;
  }
}

function plain(raw: string): Token {
  return { type: 'paragraph', raw, text: raw, tokens: [{ type: 'text', raw, text: raw, escaped: false }] };
}
