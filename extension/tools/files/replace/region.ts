import { dominantLineEnd, type LineEnd, withLf, withLineEndsOf } from '../../../files/line-ends.ts';

/** A part of a text with LF line ends, and its replacement. */
export interface Region {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly text: string;
}

/**
 * Applies the regions, which are sorted and don't overlap, to a text with any line ends. Nothing outside of them
 * changes, and the text ends with a line end only if it did before.
 */
export function applyRegions(raw: string, regions: readonly Region[]): string {
  const lf = withLf(raw);
  const rawOffset = offsetsIn(raw);
  const usual = dominantLineEnd(raw);
  let result = '';
  let done = 0;
  for (const region of regions) {
    const [start, end] = [rawOffset(region.start), rawOffset(region.end)];
    const text = keepLastLineEnd(lf, region);
    result += raw.slice(done, start) + withEnds(raw.slice(start, end), text, usual);
    done = end;
  }
  return result + raw.slice(done);
}

/** The line numbers of sorted offsets. */
export function lineNumbersOf(text: string, offsets: readonly number[]): number[] {
  let [line, next] = [1, text.indexOf('\n')];
  return offsets.map((offset) => {
    for (; next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) line++;
    return line;
  });
}

function withEnds(before: string, after: string, usual: LineEnd | undefined): string {
  return usual === undefined ? after : withLineEndsOf(before, after, usual);
}

function keepLastLineEnd(lf: string, { start, end, text }: Region): string {
  if (end < lf.length) return text;
  const before = text === '' ? lf.slice(0, start) : text;
  if (lf.endsWith('\n')) return before === '' || before.endsWith('\n') ? text : `${text}\n`;
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Maps an offset in the text with LF to the offset in the original text. */
function offsetsIn(raw: string): (offset: number) => number {
  if (!raw.includes('\r\n')) return (offset) => offset;
  const wide: number[] = [];
  for (let at = raw.indexOf('\r\n'); at !== -1; at = raw.indexOf('\r\n', at + 2)) wide.push(at - wide.length);
  return (offset) => offset + countBelow(wide, offset);
}

function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Limited, because each search may pass over the whole text. */
const MAX_LOOKED_FOR = 8;

/** A quick test: most texts lack one of the longest pieces, and checking that is faster than finding all pieces. */
export function lacksOneOf(text: string, pieces: readonly string[]): boolean {
  const longest = [...new Set(pieces)].sort((left, right) => right.length - left.length);
  return longest.slice(0, MAX_LOOKED_FOR).some((piece) => !text.includes(piece));
}
