/** Control, line-breaking and text-direction characters, and the invisible tag characters. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]+/gu;

/** Reduces text to one line without invisible characters, cut at `limit` characters if given. */
export function oneLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  const line = text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
