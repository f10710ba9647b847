import { looksRandom } from './randomness.ts';
import type { SecretSpan } from './secret-kinds.ts';

/** The range of lengths for random keys. Longer texts are data: images, fonts, certificates. */
export const SHORTEST_RANDOM = 32;
const LONGEST = 128;

/**
 * Contexts of text that is random but public: checksums, signatures, identifiers such as temporary folders, and encoded
 * data.
 */
const PUBLIC_BEFORE =
  /(?:sha(?:1|256|384|512)[-:=]?|h1:|base64,?|integrity|checksum|digest|hash|etag|nonce|fingerprint|signature|revision|cursor|mappings|(?:^|[^a-z])ids?)["']?[ \t]{0,4}[:=]?[ \t]{0,4}\(?["']?$|[/?&%#@.\\]$|https?:\S*$/i;
const PUBLIC = /^(?:sha\d|AAAA|MI[IG]|ssh-|\/{1,3}[A-Za-z]{2,}\/|[0-9a-f-]+$|[0-9A-F-]+$)/;
const LOOK_BACK = 60;

/** A separate run of letters, digits and base64 characters that looks like the output of a key generator. */
export function randomBetween(text: string, start: number, end: number): SecretSpan | undefined {
  if (end - start < SHORTEST_RANDOM || end - start > LONGEST) return undefined;
  const token = text.slice(start, end);
  if (PUBLIC.test(token) || isCode(token) || !looksRandom(token)) return undefined;
  if (isPublicBefore(text, start)) return undefined;
  if (/^=*[(.[/%\w]/.test(text.slice(end, end + 4)) || isLineOfData(text, start, end)) return undefined;
  return { start, end, kind: 'random-text' };
}

function isPublicBefore(text: string, start: number): boolean {
  // None of these contexts ends with a line break, and most random-looking text is on a line of its own.
  if (start === 0 || text.charCodeAt(start - 1) === LINE_BREAK) return false;
  return PUBLIC_BEFORE.test(text.slice(Math.max(0, start - LOOK_BACK), start));
}

const LINE_BREAK = 10;
const RETURN = 13;
const EQUALS = 61;

/** Whether there are many operators between short names, as in minified code; base64 has far fewer of them. */
function isCode(token: string): boolean {
  let operators = 0;
  for (let at = 0; at < token.length; at++) if (isOperator(token.charCodeAt(at))) operators++;
  return operators > token.length / 5;
}

/** `+`, `/` and `-`. */
function isOperator(code: number): boolean {
  return code === 43 || code === 47 || code === 45;
}

/**
 * Whether the text is part of a certificate or attachment: base64 in lines of equal length, except for the last one.
 */
function isLineOfData(text: string, start: number, end: number): boolean {
  const begins = start === 0 || /[\r\n]/.test(text[start - 1] ?? '');
  const ends = end === text.length || /[\r\n=]/.test(text[end] ?? '');
  if (!begins || !ends) return false;
  const [before, after] = [lineBefore(text, start), lineAfter(text, end)];
  return (before.length >= end - start && isData(before)) || (after.length <= end - start && isData(after));
}

/** The line before this position, up to the longest line of data. */
function lineBefore(text: string, start: number): string {
  if (text.charCodeAt(start - 1) !== LINE_BREAK) return '';
  const end = text.charCodeAt(start - 2) === RETURN ? start - 2 : start - 1;
  const first = Math.max(0, start - LONGEST_LINE);
  let from = end;
  while (from > first && !isBreak(text.charCodeAt(from - 1))) from--;
  return text.slice(from, end);
}

function lineAfter(text: string, end: number): string {
  const last = Math.min(text.length, end + LONGEST_LINE);
  let from = end;
  while (from < last && text.charCodeAt(from) === EQUALS) from++;
  if (text.charCodeAt(from) === RETURN) from++;
  if (text.charCodeAt(from) !== LINE_BREAK) return '';
  let to = from + 1;
  while (to < last && !isBreak(text.charCodeAt(to))) to++;
  return text.slice(from + 1, to);
}

function isBreak(code: number): boolean {
  return code === LINE_BREAK || code === RETURN;
}

const LONGEST_LINE = 84;

function isData(line: string): boolean {
  return line.length >= 40 && /^[A-Za-z0-9+/]{40,}={0,2}$/.test(line) && looksRandom(line);
}
