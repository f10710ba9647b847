import type { Heights } from './heights.ts';

/** The entries from `start` up to, but not including, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export const NOTHING: Range = { start: 0, end: 0 };

/** The pixels drawn above and below the visible part: five notches of a mouse wheel, so scrolling shows no gaps. */
export const OVERSCAN = 500;
/** If the reader is this close to the end of the loaded entries, more are requested. */
const NEAR_EDGE = 30;

/** The visible part of the list, in pixels. */
export interface Seen {
  readonly top: number;
  readonly height: number;
}

/** The range to draw, with `overscan` above and below. `drawn` is kept as long as half of the overscan is left. */
export function rangeToDraw(heights: Heights, seen: Seen, overscan: number, held: Range, drawn: Range): Range {
  const needed = within(held, rangeAround(heights, seen, overscan / 2));
  const wanted = within(held, rangeAround(heights, seen, overscan));
  const isEnough = drawn.start <= needed.start && drawn.end >= needed.end && within(held, drawn) === drawn;
  const most = within(held, rangeAround(heights, seen, OVERSCAN));
  const isLean = drawn.end - drawn.start <= 2 * (most.end - most.start);
  return isEnough && isLean ? drawn : wanted;
}

/** The index around which to request entries, or undefined if the loaded ones are enough. */
export function entryToAskFor(visible: Range, held: Range, total: number, mostHeld: number): number | undefined {
  if (total === 0) return undefined;
  const middle = Math.floor((visible.start + visible.end) / 2);
  const lacksBefore = held.start > 0 && visible.start - held.start < NEAR_EDGE;
  const lacksAfter = held.end < total && held.end - visible.end < NEAR_EDGE;
  const isTooMuch = held.end - held.start > mostHeld;
  return lacksBefore || lacksAfter || isTooMuch ? middle : undefined;
}

export function visibleRange(heights: Heights, seen: Seen): Range {
  return rangeAround(heights, seen, 0);
}

function rangeAround(heights: Heights, { top, height }: Seen, margin: number): Range {
  return { start: heights.indexAt(top - margin), end: heights.indexAt(top + height + margin) + 1 };
}

/** Limits a range to `held`. Returns the same object if it is already inside. */
function within(held: Range, range: Range): Range {
  const start = Math.min(Math.max(range.start, held.start), held.end);
  const end = Math.max(start, Math.min(range.end, held.end));
  return start === range.start && end === range.end ? range : { start, end };
}
