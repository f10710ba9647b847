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

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
