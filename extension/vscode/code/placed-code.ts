/** A range of lines, counted from 0, end excluded. */
export interface LineSlice {
  readonly start: number;
  readonly end: number;
}

/** Lines such as a closing bracket occur in many places, so they do not show where code belongs. */
const TELLING = /[\p{L}\p{N}]{2}/u;

/**
 * Returns a file with the code of an answer applied. The answer may contain the whole file or a part of it. A part
 * replaces the lines of the file that begin and end in the same way, or else the selection. The user reviews the result
 * as a diff.
 */
export function placed(code: string, file: string, selected: LineSlice | undefined): string {
  if (file.trim() === '') return ended(code);
  const lineEnd = file.includes('\r\n') ? '\r\n' : '\n';
  const lines = file.split(/\r?\n/);
  const part = code.replace(/\r?\n$/, '').split(/\r?\n/);
  const span = sameEnds(part, lines) ?? (selected && selected.end > selected.start ? selected : undefined);
  if (!span) return ended(part.join(lineEnd), lineEnd);
  const shifted = indented(part, lines[span.start] ?? '');
  return [...lines.slice(0, span.start), ...shifted, ...lines.slice(span.end)].join(lineEnd);
}

function ended(code: string, lineEnd = '\n'): string {
  return code.endsWith('\n') ? code : `${code}${lineEnd}`;
}

/** Finds the lines of the file from the part's first line to its last, if each occurs exactly once and in order. */
function sameEnds(part: readonly string[], lines: readonly string[]): LineSlice | undefined {
  const start = onlyPlace(
    part.find((line) => TELLING.test(line)),
    lines,
  );
  if (start === undefined) return undefined;
  const before = part.findIndex((line) => TELLING.test(line));
  const lastTelling = part.findLastIndex((line) => TELLING.test(line));
  const end = onlyPlace(part[lastTelling], lines);
  if (end === undefined || end < start || start < before) return undefined;
  // Only brackets and blank lines follow the last telling line. They replace the same lines in the file.
  const rest = part.slice(lastTelling + 1);
  const same = rest.findIndex((line, index) => lines[end + 1 + index]?.trim() !== line.trim());
  return { start: start - before, end: end + 1 + (same < 0 ? rest.length : same) };
}

function onlyPlace(line: string | undefined, lines: readonly string[]): number | undefined {
  if (line === undefined) return undefined;
  const wanted = line.trim();
  const at = lines.findIndex((other) => other.trim() === wanted);
  return at >= 0 && lines.findLastIndex((other) => other.trim() === wanted) === at ? at : undefined;
}

/** Models write a part without its indentation. This indents it like the code that it replaces. */
function indented(part: readonly string[], first: string): readonly string[] {
  const [there = ''] = /^[ \t]*/.exec(first) ?? [];
  const [here = ''] = /^[ \t]*/.exec(part[0] ?? '') ?? [];
  if (here !== '' || there === '') return part;
  return part.map((line) => (line.trim() === '' ? line : there + line));
}
