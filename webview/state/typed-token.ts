/** What is being typed that suggestions are for. */
export interface TypedToken {
  readonly about: 'mention' | 'command';
  /** Where it lies in the text. Taking a suggestion replaces it. */
  readonly start: number;
  readonly end: number;
  /** A mention without its sign, a command from its slash on. */
  readonly query: string;
}

/** More is no name of anything. */
const LONGEST = 200;

/** A command stands at the beginning; a name with another slash in it is a path. */
const COMMAND = /^\/[\w.:-]*(?:[ \t][^\n]*)?$/;

/** Behind a space or an opening sign: an address such as me@home is none. */
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

/** The text with a token replaced, and where the caret is then. A space that is there already is not doubled. */
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
