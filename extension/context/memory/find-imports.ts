/** A place in a text that stands for another file: `@docs/style.md`. */
export interface ImportMark {
  readonly start: number;
  readonly end: number;
  /** As it is written. */
  readonly path: string;
}

/** As Gemini CLI finds them: behind white space, up to white space, beginning with a dot, a slash or a letter. */
const MARK = /(?<=^|[ \t\r\n])@([./A-Za-z][^ \t\r\n]*)/g;

/** The imports of a text, in order. What stands in code is none. */
export function findImports(text: string): ImportMark[] {
  const code = codeRegions(text);
  let region = 0;
  return [...text.matchAll(MARK)].flatMap(({ index, 0: whole, 1: path = '' }) => {
    while (region < code.length && (code[region]?.end ?? 0) <= index) region++;
    const isCode = (code[region]?.start ?? Number.POSITIVE_INFINITY) <= index;
    return isCode ? [] : [{ start: index, end: index + whole.length, path }];
  });
}

interface Region {
  readonly start: number;
  readonly end: number;
}

/** From so many back-ticks to the next so many, as Markdown has it. In one pass: a text may be nothing but back-ticks. */
function codeRegions(text: string): Region[] {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const byLength = new Map<number, number[]>();
  for (const { index, length } of runs) {
    const same = byLength.get(length);
    if (same) same.push(index);
    else byLength.set(length, [index]);
  }
  return regionsOf(runs, byLength);
}

function regionsOf(
  runs: readonly { readonly index: number; readonly length: number }[],
  byLength: ReadonlyMap<number, readonly number[]>,
): Region[] {
  const regions: Region[] = [];
  const passed = new Map<number, number>();
  let end = 0;
  for (const { index, length } of runs) {
    if (index < end) continue;
    const same = byLength.get(length) ?? [];
    let next = passed.get(length) ?? 0;
    while (next < same.length && (same[next] ?? 0) <= index) next++;
    passed.set(length, next);
    const close = same[next];
    if (close === undefined) continue;
    end = close + length;
    regions.push({ start: index, end });
  }
  return regions;
}
