import { type StructuredPatchHunk, structuredPatch } from 'diff';

const CONTEXT = 3;
/** The cost of comparing is quadratic: texts that differ in more lines are shown as removed and added in full. */
const MAX_CHANGED_LINES = 1000;

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/**
 * The changed lines with a few lines of context, in the format of `diff -u` without file names. Empty if the texts are
 * equal.
 */
export function unifiedDiff(before: string, after: string): string {
  return changedHunks(before, after, CONTEXT).map(hunkText).join('\n');
}

/** Cuts a unified diff at a line break and adds a line that says so. */
export function cutPatch(patch: string, limit: number): string {
  if (patch.length <= limit) return patch;
  const end = patch.lastIndexOf('\n', limit);
  return `${patch.slice(0, end === -1 ? limit : end)}\n\\ The rest is not shown`;
}

export function countChanges(before: string, after: string): LineCounts {
  const lines = changedHunks(before, after, 0).flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count('+'), removed: count('-') };
}

/** The places where the texts differ, with `context` lines around them. */
export function changedHunks(before: string, after: string, context: number): readonly StructuredPatchHunk[] {
  if (before === after) return [];
  const options = { context, maxEditLength: MAX_CHANGED_LINES };
  return structuredPatch('', '', before, after, undefined, undefined, options)?.hunks ?? [wholeHunk(before, after)];
}

/** Omits the common lines at both ends. */
function wholeHunk(before: string, after: string): StructuredPatchHunk {
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const [removed, added] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  return {
    oldStart: head + 1,
    oldLines: removed.length,
    newStart: head + 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  };
}

function hunkText({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  return [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...lines].join('\n');
}

function range(line: number, lines: number): string {
  return lines === 0 ? `${line - 1},0` : `${line},${lines}`;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
