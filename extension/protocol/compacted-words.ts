import { formatCount } from './format-count.ts';
import type { Entry } from './transcript-entry.ts';

export type CompactedEntry = Extract<Entry, { kind: 'compacted' }>;

/** In one line, for readers and listeners. */
export function compactedWords({ tokensBefore, tokensAfter }: CompactedEntry): string {
  return `Compacted, ${formatCount(tokensBefore)} to ${formatCount(tokensAfter)} tokens`;
}
