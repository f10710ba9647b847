import { diffArrays } from 'diff';
import { withLf } from '../../files/line-ends.ts';
import type { ReviewHunk } from './review-source.ts';

/** A hunk with its lines in the earlier text, counted from 0, end excluded. */
export interface Hunk extends ReviewHunk {
  readonly oldStart: number;
  readonly oldEnd: number;
}

/** The cost of a comparison grows with the square of this. Texts with more changed lines differ in a single hunk. */
const MAX_CHANGED_LINES = 1000;

/** The hunks in which two texts differ. Different line endings do not count. */
export function hunksBetween(before: string, now: string): readonly Hunk[] {
  const [old, lines] = [linesOf(before), linesOf(now)];
  const head = commonStart(old, lines);
  const tail = commonStart(old.slice(head).reverse(), lines.slice(head).reverse());
  const [oldMiddle, middle] = [old.slice(head, old.length - tail), lines.slice(head, lines.length - tail)];
  if (oldMiddle.length === 0 && middle.length === 0) return [];
  const runs = diffArrays(oldMiddle, middle, { maxEditLength: MAX_CHANGED_LINES }) ?? [
    { removed: true, added: false, count: oldMiddle.length },
    { removed: false, added: true, count: middle.length },
  ];
  const hunks: Hunk[] = [];
  let [from, to] = [head, head];
  let begun: { readonly from: number; readonly to: number } | undefined;
  const end = (): void => {
    if (!begun) return;
    const before = old.slice(begun.from, from).join('');
    hunks.push({ start: begun.to, end: to, before, oldStart: begun.from, oldEnd: from });
    begun = undefined;
  };
  for (const { added, removed, count } of runs) {
    if (added || removed) begun ??= { from, to };
    else end();
    if (!added) from += count;
    if (!removed) to += count;
  }
  end();
  return hunks;
}

/** A cache, so that the same two texts are compared only once. */
export class LastComparison {
  private last: { readonly before: string; readonly now: string; readonly hunks: readonly Hunk[] } | undefined;

  hunksBetween(before: string, now: string): readonly Hunk[] {
    if (this.last?.before !== before || this.last.now !== now) {
      this.last = { before, now, hunks: hunksBetween(before, now) };
    }
    return this.last.hunks;
  }
}

/** Returns the text with the hunk's lines replaced by the earlier ones. */
export function withHunkRejected(now: string, { start, end, before }: ReviewHunk): string {
  const lines = linesOf(now);
  return [...lines.slice(0, start), before, ...lines.slice(end)].join('');
}

/** Returns the earlier text with the hunk's new lines, so that the hunk is no longer a difference. */
export function withHunkAccepted(before: string, now: string, { oldStart, oldEnd, start, end }: Hunk): string {
  const old = linesOf(before);
  return [...old.slice(0, oldStart), ...linesOf(now).slice(start, end), ...old.slice(oldEnd)].join('');
}

/** Applies the edits between two texts to another version of the first. Skips edits of lines that it also changed. */
export function carriedOver(
  from: string,
  to: string,
  onto: string,
): { readonly text: string; readonly isWhole: boolean } {
  const theirs = hunksBetween(from, onto);
  const result = linesOf(onto);
  const [made, there] = [linesOf(to), linesOf(onto)];
  let isWhole = true;
  for (const edit of [...hunksBetween(from, to)].reverse()) {
    const lines = made.slice(edit.start, edit.end);
    const touching = theirs.filter(({ oldStart, oldEnd }) => oldStart <= edit.oldEnd && edit.oldStart <= oldEnd);
    if (touching.length > 0) {
      isWhole &&= touching.every((other) => isSame(other, edit, there.slice(other.start, other.end), lines));
      continue;
    }
    const shift = theirs
      .filter(({ oldEnd }) => oldEnd < edit.oldStart)
      .reduce((sum, { start, end, oldStart, oldEnd }) => sum + end - start - (oldEnd - oldStart), 0);
    result.splice(edit.oldStart + shift, edit.oldEnd - edit.oldStart, ...lines);
  }
  return { text: result.join(''), isWhole };
}

/** Whether two hunks make the same change to the same lines. */
function isSame(one: Hunk, other: Hunk, left: readonly string[], right: readonly string[]): boolean {
  const samePlace = one.oldStart === other.oldStart && one.oldEnd === other.oldEnd;
  return samePlace && left.join('') === right.join('');
}

/**
 * Applies the edits between two texts to a newer version of the first text. Returns undefined if that version changed
 * the same or neighboring lines differently.
 */
export function rebased(from: string, mine: string, onto: string): string | undefined {
  const { text, isWhole } = carriedOver(from, mine, onto);
  return isWhole ? text : undefined;
}

export function hunkLineCounts(hunks: readonly Hunk[]): { readonly added: number; readonly removed: number } {
  return {
    added: hunks.reduce((sum, { start, end }) => sum + end - start, 0),
    removed: hunks.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
  };
}

/** The hunk at a line, or the nearest one after it, or else the last one. */
export function hunkAt<Some extends ReviewHunk>(hunks: readonly Some[], line: number): Some | undefined {
  return hunks.find(({ start, end }) => line < Math.max(end, start + 1)) ?? hunks.at(-1);
}

/** The next or previous hunk from a line. Wraps around at the end of the text. */
export function hunkBeside<Some extends ReviewHunk>(
  hunks: readonly Some[],
  line: number,
  direction: 'next' | 'previous',
): Some | undefined {
  if (direction === 'next') return hunks.find(({ start }) => start > line) ?? hunks[0];
  return hunks.findLast(({ start }) => start < line) ?? hunks.at(-1);
}

/** Splits a text into lines that include their line ends. */
function linesOf(text: string): string[] {
  return withLf(text).match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  const shorter = Math.min(left.length, right.length);
  let count = 0;
  while (count < shorter && left[count] === right[count]) count++;
  return count;
}
