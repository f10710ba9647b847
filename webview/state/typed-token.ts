/** The token at the caret for which suggestions are shown. */
export interface TypedToken {
  readonly about: 'mention' | 'command';
  /** The range of the token in the text. Accepting a suggestion replaces it. */
  readonly start: number;
  readonly end: number;
  /** A mention without its @, or a command with its slash. */
  readonly query: string;
}

/** No name is longer than this. */
const LONGEST = 200;

/** A command is at the start of the text. A name with a second slash is a path. */
const COMMAND = /^\/[\w.:-]*(?:[ \t][^\n]*)?$/;

/** A mention follows whitespace or opening punctuation, so an address such as me@home is not one. */
const MENTION = /(?:^|[\s([{<"'`,;])@([^\s@]*)$/;

export function tokenAt(text: string, caret: number): TypedToken | undefined {
  const before = text.slice(0, caret);
  if (text.startsWith('!')) return undefined;
  if (COMMAND.test(before) && !text.includes('\n')) {
    return before.length > LONGEST ? undefined : { about: 'command', start: 0, end: text.length, query: before };
  }
  const query = MENTION.exec(before.slice(-LONGEST))?.[1];
  return query === undefined ? undefined : { about: 'mention', start: caret - query.length - 1, end: caret, query };
}

/** Replaces a token and returns the text and the caret. An existing space is not doubled. */
export function replaced(
  text: string,
  { start, end }: Pick<TypedToken, 'start' | 'end'>,
  insert: string,
): { readonly text: string; readonly caret: number } {
  const after = text.slice(end);
  const words = /^\s/.test(after) ? insert.trimEnd() : insert;
  const caret = start + words.length + (words === insert ? 0 : 1);
  return { text: text.slice(0, start) + words + after, caret };
}
