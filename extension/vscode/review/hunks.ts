import { diffArrays } from 'diff';
import { withLf } from '../../files/line-ends.ts';
import type { ReviewHunk } from './review-source.ts';

/** Where the lines of a hunk are in the text before. From 0, end excluded. */
export interface Hunk extends ReviewHunk {
  readonly oldStart: number;
  readonly oldEnd: number;
}

/** Comparing costs the square of it: texts that differ in more lines differ in one place. */
const MAX_CHANGED_LINES = 1000;

/** The places in which two texts differ. Kinds of line ends do not count. */
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

/** Looking again at the same two texts costs nothing. */
export class LastComparison {
  private last: { readonly before: string; readonly now: string; readonly hunks: readonly Hunk[] } | undefined;

  hunksBetween(before: string, now: string): readonly Hunk[] {
    if (this.last?.before !== before || this.last.now !== now) {
      this.last = { before, now, hunks: hunksBetween(before, now) };
    }
    return this.last.hunks;
  }
}

/** The text with the lines that were there before the hunk. */
export function withHunkRejected(now: string, { start, end, before }: ReviewHunk): string {
  const lines = linesOf(now);
  return [...lines.slice(0, start), before, ...lines.slice(end)].join('');
}

/** The text before, with the lines of the hunk: from then on there is no difference in this place. */
export function withHunkAccepted(before: string, now: string, { oldStart, oldEnd, start, end }: Hunk): string {
  const old = linesOf(before);
  return [...old.slice(0, oldStart), ...linesOf(now).slice(start, end), ...old.slice(oldEnd)].join('');
}

/** The edits from one text to the next, made on another version of the first, as far as that version left their places alone. */
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

/** Both made the same of the same lines. */
function isSame(one: Hunk, other: Hunk, left: readonly string[], right: readonly string[]): boolean {
  const samePlace = one.oldStart === other.oldStart && one.oldEnd === other.oldEnd;
  return samePlace && left.join('') === right.join('');
}

/**
 * What somebody made of a text, made of a newer version of that text. Undefined where that made something else of the
 * same or neighbouring lines.
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

/** The hunk to go to from a line; around the end of the text. */
export function hunkBeside<Some extends ReviewHunk>(
  hunks: readonly Some[],
  line: number,
  direction: 'next' | 'previous',
): Some | undefined {
  if (direction === 'next') return hunks.find(({ start }) => start > line) ?? hunks[0];
  return hunks.findLast(({ start }) => start < line) ?? hunks.at(-1);
}

/** With their line ends. */
function linesOf(text: string): string[] {
  return withLf(text).match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  const shorter = Math.min(left.length, right.length);
  let count = 0;
  while (count < shorter && left[count] === right[count]) count++;
  return count;
}
