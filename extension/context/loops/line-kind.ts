/**
 * What a line of Markdown is, as far as its beginning tells. A list, a table, a heading, a quotation or a rule begins
 * something new: what looks alike there is form and not repetition.
 */
export type LineKind =
  /** Not enough of it is there. */
  | 'open'
  | 'words'
  /** A list item, a heading, a quotation or a rule: its words count, and nothing before it does. */
  | 'element'
  /** A row of a table, or a line of code that is only indented. */
  | 'form'
  /** Begins or ends a block of code. */
  | 'fence';

/** Longer than the beginning of any element: `999999999. `. */
const LONGEST_BEGINNING = 12;

const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const FORM = /^(?: {0,3}\t| {4}|\s*\||\s*\+[-=])/;
const ELEMENT = /^\s*(?:[-*+•]\s|\d{1,9}[.)]\s|#{1,6}\s|>|[-=_*~+\u2500-\u257f]{3})/;
/** What one of them could still become of. */
const BEGINNING = /^ *(?:`{0,2}|~{0,2}|[-=_*+•\u2500-\u257f]{0,2}|\d{1,9}[.)]?|#{1,6})$/;

export function lineKind(line: string): LineKind {
  if (FENCE.test(line)) return 'fence';
  if (FORM.test(line)) return 'form';
  if (ELEMENT.test(line)) return 'element';
  return line.length <= LONGEST_BEGINNING && BEGINNING.test(line) ? 'open' : 'words';
}

/** Whether a whole line that begins as a fence does so, or only has code in it: ```` ```x``` ````. */
export function opensBlock(line: string): string | undefined {
  const [, mark = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  return mark === '' || (mark.startsWith('`') && info.includes('`')) ? undefined : mark;
}

export function closesBlock(line: string, opened: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return mark !== undefined && mark[0] === opened[0] && mark.length >= opened.length;
}
