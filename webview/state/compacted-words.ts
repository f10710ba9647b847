import type { Entry } from '../../extension/protocol/transcript-entry.ts';
import { formatCount } from '../format.ts';

export type CompactedEntry = Extract<Entry, { kind: 'compacted' }>;

/** In one line, for readers and listeners. */
export function compactedWords({ tokensBefore, tokensAfter }: CompactedEntry): string {
  return `Compacted, ${formatCount(tokensBefore)} to ${formatCount(tokensAfter)} tokens`;
}
