import type { Heights } from './heights.ts';

/** Entries from `start` up to, and without, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export const NOTHING: Range = { start: 0, end: 0 };

/** Drawn above and below what is seen: five notches of a mouse wheel, so that scrolling never comes to bare ground. */
const OVERSCAN = 500;
/** When less than this is left of it, more is drawn. */
const LEAST = 250;
/** When the reader comes this near to the end of what is held, more is asked for. */
const NEAR_EDGE = 30;

/** What to draw for a reader who sees `viewport` pixels from `top` on; `drawn` as long as that is enough. */
export function rangeToDraw(heights: Heights, top: number, viewport: number, held: Range, drawn: Range): Range {
  const needed = within(held, rangeOf(heights, top - LEAST, top + viewport + LEAST));
  const wanted = within(held, rangeOf(heights, top - OVERSCAN, top + viewport + OVERSCAN));
  const isEnough = drawn.start <= needed.start && drawn.end >= needed.end && within(held, drawn) === drawn;
  const isLean = drawn.end - drawn.start <= 2 * (wanted.end - wanted.start);
  return isEnough && isLean ? drawn : wanted;
}

/** The entry to ask for what is around it, or undefined if what is held will do for now. */
export function entryToAskFor(visible: Range, held: Range, total: number, mostHeld: number): number | undefined {
  if (total === 0) return undefined;
  const middle = Math.floor((visible.start + visible.end) / 2);
  const lacksBefore = held.start > 0 && visible.start - held.start < NEAR_EDGE;
  const lacksAfter = held.end < total && held.end - visible.end < NEAR_EDGE;
  const isTooMuch = held.end - held.start > mostHeld;
  return lacksBefore || lacksAfter || isTooMuch ? middle : undefined;
}

export function visibleRange(heights: Heights, top: number, viewport: number): Range {
  return rangeOf(heights, top, top + viewport);
}

function rangeOf(heights: Heights, top: number, bottom: number): Range {
  return { start: heights.indexAt(top), end: heights.indexAt(bottom) + 1 };
}

/** The same object if it is inside already. */
function within(held: Range, range: Range): Range {
  const start = Math.min(Math.max(range.start, held.start), held.end);
  const end = Math.max(start, Math.min(range.end, held.end));
  return start === range.start && end === range.end ? range : { start, end };
}
