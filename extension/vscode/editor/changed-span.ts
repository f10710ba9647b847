export interface ChangedSpan {
  /** Offsets in the text before. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What two texts do not have in common at their ends: an edit of just this leaves cursors and folds alone. */
export function changedSpan(before: string, after: string): ChangedSpan {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  if (splitsPair(before, start) || splitsPair(after, start)) start--;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (splitsPair(before, before.length - tail) || splitsPair(after, after.length - tail)) tail--;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** Editors have no position inside a CRLF, and none inside a surrogate pair. */
function splitsPair(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const [left, right] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)];
  const isLineEnd = left === 0x0d && right === 0x0a;
  return isLineEnd || (left >= 0xd800 && left <= 0xdbff && right >= 0xdc00 && right <= 0xdfff);
}
