import type { TokenizerExtension, Tokens } from 'marked';

/** `[^id]` in a text, and `[^id]: words` on a line of its own. Both stay where they were written. */
export interface FootnoteToken extends Tokens.Generic {
  readonly type: 'footnote';
  readonly id: string;
}

const REFERENCE = /^\[\^([^\]\s[]{1,40})\](?!:)/;
const NOTE = /^ {0,3}\[\^([^\]\s[]{1,40})\]:[ \t]+([^\n]+)(?:\n|$)/;
const NEXT_NOTE = /\n {0,3}\[\^[^\]\s[]{1,40}\]:[ \t]/;
/** A paragraph is rarely longer, and looking must not take long. */
const AHEAD = 2000;

/** Without this a note of one word would be taken for the address of a link, and be gone. */
export const footnotes: TokenizerExtension = {
  name: 'footnote',
  level: 'block',
  start: (source) => {
    const index = source.slice(0, AHEAD).search(NEXT_NOTE);
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
    const index = source.slice(0, AHEAD).indexOf('[^');
    return index < 0 ? undefined : index;
  },
  tokenizer(source) {
    const [raw, id] = REFERENCE.exec(source) ?? [];
    return raw === undefined || id === undefined ? undefined : { type: 'footnote', raw, id };
  },
};
