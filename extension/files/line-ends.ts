import { diffArrays } from 'diff';

export type LineEnd = '\n' | '\r\n' | '\r';

/** The same limit as in the unified diff: beyond it, comparing takes too long. */
const MAX_CHANGED_LINES = 1000;

const LINE_WITH_END = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g;

/** Converts all line ends to LF, which is how the model sees text. */
export function withLf(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** The most frequent line end; undefined for a text of one line. */
export function dominantLineEnd(text: string): LineEnd | undefined {
  const counts = new Map<string, number>();
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) counts.set(end, (counts.get(end) ?? 0) + 1);
  const [most] = [...counts].sort(([, left], [, right]) => right - left);
  return most?.[0] as LineEnd | undefined;
}

/** For a text that does not replace an existing file. */
export function withSystemLineEnds(text: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? withLf(text).replaceAll('\n', '\r\n') : text;
}

/**
 * Gives a new text the line ends of the text that it replaces: common lines keep their own, the others get `usual`. A
 * file with mixed line ends therefore changes only where the text does.
 */
export function withLineEndsOf(before: string, after: string, usual: LineEnd): string {
  const lines = linesOf(withLf(after));
  const old = linesOf(before);
  const ends = old.map(lineEnd);
  if (ends.every((end) => end === usual || end === '')) return lines.join('').replaceAll('\n', usual);
  const kept = alignment(old.map(bare), lines.map(bare));
  let result = '';
  for (const [index, line] of lines.entries()) {
    const end = line.endsWith('\n') ? ends[kept.get(index) ?? -1] || usual : '';
    // After a lone CR, the LF of an empty line would turn it into CRLF.
    const wouldJoin = end === '\n' && line === '\n' && result.endsWith('\r');
    result += `${bare(line)}${wouldJoin ? '\r\n' : end}`;
  }
  return result;
}

/** Maps each line of `after` to the same line of `before`, by index. */
function alignment(before: readonly string[], after: readonly string[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_CHANGED_LINES });
  let [from, to] = [0, 0];
  for (const { count, added, removed } of changes ?? commonEnds(before, after)) {
    if (!added && !removed) for (let offset = 0; offset < count; offset++) found.set(to + offset, from + offset);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return found;
}

interface Run {
  readonly count: number;
  readonly added: boolean;
  readonly removed: boolean;
}

function commonEnds(before: readonly string[], after: readonly string[]): Run[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    { count: head, added: false, removed: false },
    { count: before.length - head - tail, added: false, removed: true },
    { count: after.length - head - tail, added: true, removed: false },
    { count: tail, added: false, removed: false },
  ];
}

function linesOf(text: string): string[] {
  return text.match(LINE_WITH_END) ?? [];
}

function bare(line: string): string {
  return line.replace(/[\r\n]+$/, '');
}

function lineEnd(line: string): string {
  return line.slice(bare(line).length);
}
