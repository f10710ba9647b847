export interface ChangedSpan {
  /** Offsets in the original text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The span between the common start and the common end of two texts. Editing only it keeps cursors and folds. */
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

/** While VS Code reloads a document it rejects edits, and it does not report when it is done. */
const WAIT_MS = 50;

/** Ten seconds: no document takes that long to reload, so the edit will never be accepted. */
const ATTEMPTS = 200;

/** Repeats an edit while it returns undefined, because VS Code is busy. Returns undefined if all attempts fail. */
export async function whileBusy(
  edit: () => Promise<boolean | undefined>,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<boolean | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const outcome = await edit();
    if (outcome !== undefined) return outcome;
    await wait(WAIT_MS);
  }
  return undefined;
}
