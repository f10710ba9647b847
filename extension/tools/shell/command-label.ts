import { spellOutInvisible } from './visible-text.ts';

const MAX_LABEL_CHARS = 200;

/** A command in one line, for people: nothing in it is invisible. */
export function commandLabel(command: string): string {
  const [first = '', ...rest] = command.trim().split(/\r?\n/);
  const line = spellOutInvisible(first);
  const isCut = rest.length > 0 || line.length > MAX_LABEL_CHARS;
  return isCut ? `${line.slice(0, MAX_LABEL_CHARS)} …` : line;
}
