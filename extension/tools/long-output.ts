/** A model needs this much of an output to see what it is about, even when its context is nearly full. */
const MIN_THRESHOLD = 2000;
const HEAD_SHARE = 0.2;

export interface LongOutput {
  /** In characters: longer texts are cut to about as many. */
  readonly threshold: number;
  /** Where the whole text is; undefined when it could not be saved. */
  readonly file: string | undefined;
}

/** The beginning and, mostly, the end of a long text, where errors and results are. Short ones come back as they are. */
export function cutLongOutput(text: string, { threshold, file }: LongOutput): string {
  const kept = Math.max(MIN_THRESHOLD, Math.floor(threshold) || 0);
  if (text.length <= kept) return text;
  const headChars = Math.floor(kept * HEAD_SHARE);
  const head = withoutLastHalf(text.slice(0, headChars));
  const tail = withoutFirstHalf(text.slice(text.length - (kept - headChars)));
  const omitted = text.length - head.length - tail.length;
  const where = file === undefined ? 'The whole output could not be saved.' : `The whole output is in ${file}`;
  return [
    `[The output was too long: here are its first ${number(head.length)} and last ${number(tail.length)} characters. ${where}]`,
    head,
    `\n[… ${number(omitted)} characters left out …]\n`,
    tail,
  ].join('\n');
}

/** Half of a surrogate pair is not a character, and some APIs refuse it. */
function withoutLastHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function withoutFirstHalf(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
