const CONTEXT = 3;
/** Above this many comparisons a changed region is shown as removed and added in full. */
const MAX_COMPARISONS = 4_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** The lines that changed with a few around them, as `diff -u` prints them but without file names. Empty when equal. */
export function unifiedDiff(before: string, after: string): string {
  const lines = compared(linesOf(before), linesOf(after));
  const isNear = nearChanges(lines);
  const output: string[] = [];
  let [oldLine, newLine] = [1, 1];
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length && isNear[end] === isNear[start]) end++;
    const part = lines.slice(start, end);
    const [oldCount, newCount] = [count(part, '+'), count(part, '-')];
    if (isNear[start]) {
      output.push(`@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@`);
      output.push(...part.map(({ sign, text }) => sign + text));
    }
    [oldLine, newLine, start] = [oldLine + oldCount, newLine + newCount, end];
  }
  return output.join('\n');
}

function range(line: number, lines: number): string {
  return lines === 0 ? `${line - 1},0` : `${line},${lines}`;
}

function count(lines: readonly Line[], except: Line['sign']): number {
  return lines.filter(({ sign }) => sign !== except).length;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function nearChanges(lines: readonly Line[]): boolean[] {
  const near = new Array<boolean>(lines.length).fill(false);
  for (const [index, { sign }] of lines.entries()) {
    if (sign !== ' ') near.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  }
  return near;
}

function compared(before: readonly string[], after: readonly string[]): Line[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const same = (text: string): Line => ({ sign: ' ', text });
  return [
    ...before.slice(0, head).map(same),
    ...changed(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ];
}

/** The longest common subsequence, by the table of its lengths from the end. */
function changed(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  if (before.length * after.length > MAX_COMPARISONS) return [...signed('-', before), ...signed('+', after)];
  const lengths = new Uint32Array((before.length + 1) * width);
  const length = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const isSame = before[row] === after[column];
      const best = isSame
        ? length(row + 1, column + 1) + 1
        : Math.max(length(row + 1, column), length(row, column + 1));
      lengths[row * width + column] = best;
    }
  }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      lines.push(...signed(' ', before.slice(row++, row)));
      column++;
    } else if (length(row + 1, column) >= length(row, column + 1)) lines.push(...signed('-', before.slice(row++, row)));
    else lines.push(...signed('+', after.slice(column++, column)));
  }
  return [...lines, ...signed('-', before.slice(row)), ...signed('+', after.slice(column))];
}

function signed(sign: Line['sign'], texts: readonly string[]): Line[] {
  return texts.map((text) => ({ sign, text }));
}
