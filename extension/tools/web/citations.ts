/** A passage of an answer that is based on sources. */
export interface Citation {
  /** The end of the passage, in UTF-8 bytes from the beginning of the answer. */
  readonly end: number;
  /** Indexes into the sources. */
  readonly sources: readonly number[];
}

/**
 * Inserts `[n]` after each passage with sources. Offsets count bytes, so the text is split as bytes. Offsets outside of
 * the text and unknown sources are ignored, and a mark is never inside a character.
 */
export function insertCitations(text: string, citations: readonly Citation[], sourceCount: number): string {
  const bytes = Buffer.from(text);
  const marks = new Map<number, Set<number>>();
  for (const { end, sources } of citations) {
    if (!Number.isInteger(end) || end < 0 || end > bytes.length) continue;
    const known = sources.filter((index) => Number.isInteger(index) && index >= 0 && index < sourceCount);
    const at = characterEnd(bytes, end);
    marks.set(at, new Set([...(marks.get(at) ?? []), ...known]));
  }
  const fromTheEnd = [...marks].sort(([a], [b]) => b - a);
  const pieces: string[] = [];
  let end = bytes.length;
  for (const [at, sources] of fromTheEnd) {
    const numbers = [...sources].sort((a, b) => a - b).map((index) => `[${index + 1}]`);
    pieces.unshift(numbers.join(''), bytes.toString('utf8', at, end));
    end = at;
  }
  return [bytes.toString('utf8', 0, end), ...pieces].join('');
}

/** Bytes of a character after its first byte start with the bits 10. */
function characterEnd(bytes: Buffer, offset: number): number {
  let end = offset;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
  return end;
}
