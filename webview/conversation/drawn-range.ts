import type { Heights } from './heights.ts';

/** Entries from `start` up to, and without, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export const NOTHING: Range = { start: 0, end: 0 };

/** Drawn above and below what is seen: five notches of a mouse wheel, so that scrolling never comes to bare ground. */
export const OVERSCAN = 500;
/** When the reader comes this near to the end of what is held, more is asked for. */
const NEAR_EDGE = 30;

/** What the reader sees of the list, in pixels. */
export interface Seen {
  readonly top: number;
  readonly height: number;
}

/** What to draw for a reader, with so much above and below; `drawn` as long as half of that is left. */
export function rangeToDraw(heights: Heights, seen: Seen, overscan: number, held: Range, drawn: Range): Range {
  const needed = within(held, rangeAround(heights, seen, overscan / 2));
  const wanted = within(held, rangeAround(heights, seen, overscan));
  const isEnough = drawn.start <= needed.start && drawn.end >= needed.end && within(held, drawn) === drawn;
  const most = within(held, rangeAround(heights, seen, OVERSCAN));
  const isLean = drawn.end - drawn.start <= 2 * (most.end - most.start);
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

export function visibleRange(heights: Heights, seen: Seen): Range {
  return rangeAround(heights, seen, 0);
}

function rangeAround(heights: Heights, { top, height }: Seen, margin: number): Range {
  return { start: heights.indexAt(top - margin), end: heights.indexAt(top + height + margin) + 1 };
}

/** The same object if it is inside already. */
function within(held: Range, range: Range): Range {
  const start = Math.min(Math.max(range.start, held.start), held.end);
  const end = Math.max(start, Math.min(range.end, held.end));
  return start === range.start && end === range.end ? range : { start, end };
}
