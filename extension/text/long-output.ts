import { createHash } from 'node:crypto';
import { headEnd, tailStart } from '../safety/cut-places.ts';

/** The minimum that a model needs to understand an output, even if its context is nearly full. */
const MIN_THRESHOLD = 2000;
const HEAD_SHARE = 0.2;

/** Gemini CLI's limit: about 10,000 tokens for one output. */
const LONGEST_OUTPUT = 40_000;
/** For tools that limit their own output, such as those that read files: a tenth of the usual window. */
const LONGEST_BOUNDED = 400_000;
const CHARS_PER_TOKEN = 4;

export interface LongOutput {
  /** In characters: longer texts are cut to about this length. */
  readonly threshold: number;
  /** The file with the whole text; undefined if it could not be saved. */
  readonly file: string | undefined;
}

/** The limit for one output in characters: lower if few tokens are left, but never too low to be useful. */
export function longestOutput(tokensLeft = Number.POSITIVE_INFINITY, isBounded = false): number {
  const most = isBounded ? LONGEST_BOUNDED : LONGEST_OUTPUT;
  return Math.max(MIN_THRESHOLD, Math.min(most, Math.floor(tokensLeft * CHARS_PER_TOKEN)));
}

/** The name of the file for the output of a call. With `text`, the name is specific to that text. */
export function outputFileName(tool: string, callId: string, text?: string): string {
  const name = `${tool}_${callId}`.replace(/[^\w-]/g, '_').slice(0, 120);
  if (text === undefined) return `${name}.txt`;
  return `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 8)}.txt`;
}

/**
 * Keeps the beginning and, mostly, the end of a long text, where errors and results are. Short texts stay unchanged.
 */
export function cutLongOutput(text: string, { threshold, file }: LongOutput): string {
  const kept = Math.max(MIN_THRESHOLD, Math.floor(threshold) || 0);
  if (text.length <= kept) return text;
  const headChars = Math.floor(kept * HEAD_SHARE);
  const [head, tail] = [firstChars(text, headChars), lastChars(text, kept - headChars)];
  const omitted = text.length - head.length - tail.length;
  const where = file === undefined ? 'The whole output could not be saved.' : `${WHOLE_OUTPUT}${file}`;
  return [
    `${TOO_LONG} here are its first ${number(head.length)} and last ${number(tail.length)} characters. ${where}]`,
    head,
    `\n[… ${number(omitted)} characters left out …]\n`,
    tail,
  ].join('\n');
}

/**
 * The file with the whole output, according to the first line of a cut text. The author of the text may have forged
 * that line.
 */
export function wholeOutputFile(text: string): string | undefined {
  if (!text.startsWith(TOO_LONG)) return undefined;
  const [line = ''] = text.split('\n', 1);
  const at = line.indexOf(WHOLE_OUTPUT);
  return at < 0 ? undefined : line.slice(at + WHOLE_OUTPUT.length, -1);
}

const TOO_LONG = '[The output was too long:';
const WHOLE_OUTPUT = 'The whole output is in ';

/**
 * The first characters of a text, at most `count`. The cut never splits a surrogate pair, which some APIs reject, or a
 * secret, whose half would no longer be recognized before it is sent.
 */
export function firstChars(text: string, count: number): string {
  const first = text.slice(0, headEnd(text, count));
  return /[\ud800-\udbff]$/.test(first) ? first.slice(0, -1) : first;
}

export function lastChars(text: string, count: number): string {
  const last = text.slice(tailStart(text, Math.max(0, text.length - count)));
  return /^[\udc00-\udfff]/.test(last) ? last.slice(1) : last;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
