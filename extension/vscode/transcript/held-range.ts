import type { Entry } from '../../protocol/transcript/transcript-entry.ts';

/** Entries from `start` up to, and without, `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** On each side of the entry that is wanted: about ten screens of short entries. */
const AROUND = 100;

/** Entries may be long; a panel that holds this much text is still small. */
const MAX_TEXT = 1_000_000;

/** While entries come at the end the panel holds ever more of them, up to here. */
export const MOST_HELD = 400;

/** What the panel is to hold when it asks for what is around an entry. */
export function rangeAround(index: number, length: number, at: (index: number) => Entry | undefined): Range {
  if (length === 0) return { start: 0, end: 0 };
  const middle = Math.min(Math.max(index, 0), length - 1);
  let [start, end] = [middle, middle + 1];
  let text = sizeOf(at(middle));
  while (text < MAX_TEXT) {
    const before = start > 0 && middle - start < AROUND;
    const after = end < length && end - middle <= AROUND;
    if (!before && !after) break;
    if (before) text += sizeOf(at(--start));
    if (after) text += sizeOf(at(end++));
  }
  return { start, end };
}

/** What is left of a range when entries are taken out of the list. */
export function rangeAfterCut({ start, end }: Range, at: number, count: number): Range {
  const moved = (edge: number): number => (edge <= at ? edge : Math.max(at, edge - count));
  return { start: moved(start), end: moved(end) };
}

function sizeOf(entry: Entry | undefined): number {
  if (!entry) return 0;
  if (entry.kind === 'tool') return entry.detail.length + (entry.patch?.length ?? 0);
  return 'text' in entry ? entry.text.length : 0;
}
