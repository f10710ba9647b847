import type { Entry } from './transcript-entry.ts';

/** What was answered in the turn that ends with this entry, as Markdown. */
export function turnAnswer(entries: readonly Entry[], usageId: string): string {
  const end = entries.findIndex(({ id }) => id === usageId);
  const start = entries.findLastIndex(({ kind }, index) => index < end && (kind === 'user' || kind === 'usage'));
  const turn = entries.slice(start + 1, Math.max(end, 0));
  return turn.flatMap((entry) => (entry.kind === 'answer' ? entry.text.trim() : [])).join('\n\n');
}
