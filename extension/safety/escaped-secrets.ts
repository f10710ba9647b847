import type { SecretSpan } from './secret-kinds.ts';

/** Escaped characters in URLs and JSON: `%2F`, `\u002f`, `\/`. */
const ESCAPE = /%[2-7][0-9A-Fa-f]|\\u00[2-7][0-9A-Fa-f]|(?<=[\w+]{4})\\\/(?=[\w+]{4})/g;
const LONGEST_LINE = 4096;

/** Finds secrets that are visible only after unescaping. Only lines with escapes are searched again. */
export function escapedSecrets(text: string, find: (text: string) => SecretSpan[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let done = 0;
  for (let index = nextEscape(text, 0); index < text.length; index = nextEscape(text, done)) {
    const [before, after] = [
      text.slice(Math.max(done, index - LONGEST_LINE), index),
      text.slice(index, index + LONGEST_LINE),
    ];
    const [left = ''] = before.split('\n').slice(-1);
    const [right = ''] = after.split('\n', 1);
    const start = index - left.length;
    done = index + right.length;
    const { plain, places } = unescaped(left + right);
    for (const span of find(plain)) {
      spans.push({ ...span, start: start + (places[span.start] ?? 0), end: start + (places[span.end] ?? 0) });
    }
  }
  return spans;
}

/** Searches for the first character of an escape, which is much faster than trying the whole pattern everywhere. */
function nextEscape(text: string, from: number): number {
  let [percent, slash] = [indexOf(text, '%', from), indexOf(text, '\\', from)];
  for (;;) {
    const at = Math.min(percent, slash);
    if (at >= text.length) return text.length;
    AT.lastIndex = at;
    if (AT.test(text)) return at;
    if (at === percent) percent = indexOf(text, '%', at + 1);
    else slash = indexOf(text, '\\', at + 1);
  }
}

const AT = new RegExp(ESCAPE.source, 'y');

function indexOf(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}

/** The unescaped line, and the position of each of its characters in the original. */
function unescaped(line: string): { readonly plain: string; readonly places: Uint32Array } {
  const places = new Uint32Array(line.length + 1);
  let [length, at] = [0, 0];
  const takeUntil = (end: number): void => {
    while (at < end) places[length++] = at++;
  };
  const plain = line.replace(ESCAPE, (written, index: number) => {
    takeUntil(index);
    places[length++] = index;
    at += written.length;
    return written === '\\/' ? '/' : String.fromCharCode(Number.parseInt(written.slice(-2), 16));
  });
  takeUntil(line.length);
  places[length] = line.length;
  return { plain, places };
}
