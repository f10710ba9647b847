import * as l10n from '@vscode/l10n';
import { formatCount } from '../words/numbers.ts';
import type { Entry } from './transcript-entry.ts';

export type CompactedEntry = Extract<Entry, { kind: 'compacted' }>;

/** In one line, for readers and listeners. */
export function compactedWords({ tokensBefore, tokensAfter }: CompactedEntry): string {
  return l10n.t('Compacted, {0} to {1} tokens', formatCount(tokensBefore), formatCount(tokensAfter));
}
