/**
 * Characters that are invisible or change the order of others: directional marks and overrides, zero-width spaces,
 * tags, and variation selectors that text doesn't need. Joiners are kept, because emoji and several scripts need them.
 */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e01ef}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

export interface VisibleText {
  readonly text: string;
  readonly removed: number;
}

/** For the model: removes everything that a person couldn't see. */
export function withoutInvisible(text: string): VisibleText {
  let removed = 0;
  const visible = text.replace(INVISIBLE, () => {
    removed++;
    return '';
  });
  return { text: visible, removed };
}

/** For people who decide: spells out characters that they couldn't see. */
export function spellOutInvisible(text: string): string {
  return text.replace(INVISIBLE, spelledOut).replace(CONTROLS, spelledOut);
}

function spelledOut(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

const MAX_LABEL_CHARS = 200;

/** A command on one line, for people. Invisible characters are spelled out. */
export function commandLabel(command: string): string {
  const [first = '', ...rest] = command.trim().split(/\r?\n/);
  const line = spellOutInvisible(first);
  const isCut = rest.length > 0 || line.length > MAX_LABEL_CHARS;
  return isCut ? `${line.slice(0, MAX_LABEL_CHARS)} …` : line;
}
