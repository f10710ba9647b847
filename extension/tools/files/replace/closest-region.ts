import { diffArrays } from 'diff';
import { withLf } from '../line-ends.ts';
import { blockOf } from './line-blocks.ts';

/** With less in common, showing it would only mislead. */
const MIN_SHARED = 0.4;
const MAX_SHOWN_LINES = 40;
const MAX_SHOWN_CHARS = 200;

const WORDS = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;

/**
 * The part of a text that is most like what was sought and not found, as a comparison line by line for the model; or
 * undefined when nothing is like it. Where only white space differs, it is made visible.
 */
export function closestRegion(text: string, wanted: string): string | undefined {
  const lines = withLf(text).split('\n');
  const sought = blockOf(withLf(wanted));
  const first = mostAlike(lines, sought);
  if (first === undefined) return undefined;
  const actual = lines.slice(first, first + sought.length);
  const shown = compared(sought, actual, first + 1);
  const cut = shown.length - MAX_SHOWN_LINES;
  const rest = cut > 0 ? [`… ${cut} more lines`] : [];
  return [...shown.slice(0, MAX_SHOWN_LINES), ...rest].join('\n');
}

/** The window that shares most words with what is sought, counted while it slides. */
function mostAlike(lines: readonly string[], sought: readonly string[]): number | undefined {
  const missing = new Map<string, number>();
  const soughtWords = sought.flatMap(wordsOf);
  for (const word of soughtWords) missing.set(word, (missing.get(word) ?? 0) + 1);
  const words = lines.map(wordsOf);
  let [shared, best, bestFirst] = [0, 0, 0];
  const change = (line: number, by: 1 | -1): void => {
    for (const word of words[line] ?? []) {
      const left = missing.get(word);
      if (left === undefined) continue;
      missing.set(word, left - by);
      // One too many of a word in the window is not shared.
      if (by === 1 ? left > 0 : left >= 0) shared += by;
    }
  };
  for (let last = 0; last < lines.length; last++) {
    change(last, 1);
    const first = last - sought.length + 1;
    if (first > 0) change(first - 1, -1);
    if (shared > best) [best, bestFirst] = [shared, Math.max(0, first)];
  }
  return soughtWords.length > 0 && best / soughtWords.length >= MIN_SHARED ? bestFirst : undefined;
}

function compared(sought: readonly string[], actual: readonly string[], firstLine: number): string[] {
  const width = String(firstLine + actual.length).length;
  const output: string[] = [];
  let [line, soughtAt] = [firstLine, 0];
  for (const { count, added, removed } of diffArrays([...sought], [...actual])) {
    for (let offset = 0; offset < count; offset++) {
      const number = (removed ? '' : String(line)).padStart(width);
      const text = (removed ? sought[soughtAt] : actual[line - firstLine]) ?? '';
      const others = removed ? actual : sought;
      const visible = (added || removed) && others.some((other) => differsInSpace(text, other));
      output.push(`${removed ? '-' : added ? '+' : ' '} ${number} | ${short(visible ? withVisibleSpace(text) : text)}`);
      if (!added) soughtAt++;
      if (!removed) line++;
    }
  }
  return output;
}

function differsInSpace(left: string, right: string): boolean {
  return left !== right && left.replace(/\s+/g, '') === right.replace(/\s+/g, '');
}

function withVisibleSpace(text: string): string {
  return text.replaceAll(' ', '·').replaceAll('\t', '→').replaceAll('\r', '␍').replaceAll('\u00a0', '⍽');
}

function short(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}

function wordsOf(line: string): string[] {
  return line.match(WORDS) ?? [];
}
