import { decodeText, looksBinary } from '../../files/text-codec.ts';

export interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

/** Counting stays unnoticeable up to here, and nobody reads the numbers of a larger file. */
const MAX_BYTES = 1024 * 1024;

/**
 * How many lines one content has that the other has not, in any order: a line that only moved does not count, so the
 * numbers can be smaller than those of a diff. Undefined unless both are text of a moderate size.
 */
export function changedLines(from: Uint8Array | undefined, to: Uint8Array | undefined): ChangedLines | undefined {
  const [before, after] = [linesOf(from), linesOf(to)];
  if (!before || !after) return undefined;
  const surplus = new Map<string, number>();
  for (const line of before) surplus.set(line, (surplus.get(line) ?? 0) + 1);
  let kept = 0;
  for (const line of after) {
    const left = surplus.get(line) ?? 0;
    if (left === 0) continue;
    surplus.set(line, left - 1);
    kept += 1;
  }
  return { added: after.length - kept, removed: before.length - kept };
}

function linesOf(content: Uint8Array | undefined): string[] | undefined {
  if (content === undefined || content.length === 0) return [];
  if (content.length > MAX_BYTES || looksBinary(content)) return undefined;
  // The line ends stay: a file that only got another kind of them has changed.
  return decodeText(content).text.split(/(?<=\n)/);
}
