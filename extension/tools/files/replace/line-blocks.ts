import type { Region } from './region.ts';

/** A text as lines with their offsets, for strategies that compare line by line. */
export interface TextLines {
  readonly lines: readonly string[];
  /** The offset of each line, and of the end of the text after the last one. */
  readonly starts: readonly number[];
}

export function splitLines(text: string): TextLines {
  const lines = text.split('\n');
  let start = 0;
  const starts = lines.map((line) => {
    const here = start;
    start += line.length + 1;
    return here;
  });
  starts.push(start);
  return { lines, starts };
}

export function startOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The lines of a text from the model. A final line end is ignored. */
export function blockOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** Replaces whole lines. New lines get the indentation of the old ones. An empty replacement removes the lines. */
export function blockRegion(
  { lines, starts }: TextLines,
  first: number,
  wanted: readonly string[],
  replacement: string,
): Region {
  const [start = 0, afterEnd = 0] = [starts[first], starts[first + wanted.length]];
  const isLast = first + wanted.length >= lines.length;
  if (replacement === '') return { start, end: isLast ? afterEnd - 1 : afterEnd, text: '' };
  const text = reindent(blockOf(replacement), wanted, lines.slice(first, first + wanted.length));
  return { start, end: afterEnd - 1, text: text.join('\n') };
}

/**
 * Restores indentation that models lose or change when they quote lines. `quoted` are the lines from the model,
 * `actual` the same lines in the file. The pairs tell which indentation of the file each indentation of the model
 * means.
 */
export function reindent(lines: readonly string[], quoted: readonly string[], actual: readonly string[]): string[] {
  const meaning = new Map<string, string>();
  for (const index of quoted.keys()) {
    const pair = indentsAt(index, quoted, actual);
    if (pair && !meaning.has(pair.quoted)) meaning.set(pair.quoted, pair.actual);
  }
  const known = [...meaning.keys()].sort((left, right) => right.length - left.length);
  return lines.map((line, index) => {
    // If the quote has lost its indentation, the position of the line is more reliable.
    const here = indentsAt(index, quoted, actual);
    if (here) meaning.set(here.quoted, here.actual);
    const indent = indentOf(line);
    const base = line.trim() === '' ? undefined : known.find((each) => indent.startsWith(each));
    if (base === undefined) return line;
    return `${meaning.get(base)}${indent.slice(base.length)}${line.slice(indent.length)}`;
  });
}

function indentsAt(
  index: number,
  quoted: readonly string[],
  actual: readonly string[],
): { readonly quoted: string; readonly actual: string } | undefined {
  const [line = '', there = ''] = [quoted[index], actual[index]];
  if (line.trim() === '' || there.trim() === '') return undefined;
  return { quoted: indentOf(line), actual: indentOf(there) };
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
