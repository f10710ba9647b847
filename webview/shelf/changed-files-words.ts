import * as l10n from '@vscode/l10n';
import type { ReviewEntry } from '../../extension/protocol/panel/panel-messages.ts';
import type { IconName } from '../base/icons.ts';

export function totals(items: readonly ReviewEntry[]): {
  readonly files: string;
  readonly added: number;
  readonly removed: number;
} {
  const sum = (of: (item: ReviewEntry) => number): number => items.reduce((total, item) => total + of(item), 0);
  // A file that was changed and has another change proposed has two entries.
  const files = new Set(items.map(({ label }) => label)).size;
  return {
    files: files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files),
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
  };
}

/** Empty for none, unless both are. */
export function countsOf(
  added: number,
  removed: number,
): { readonly plus: string; readonly minus: string; readonly spoken: string } {
  const minus = removed === 0 ? '' : `−${removed}`;
  const plus = added === 0 && minus !== '' ? '' : `+${added}`;
  return { plus, minus, spoken: l10n.t('{0} added, {1} removed', added, removed) };
}

/** What is not the usual thing about it, in one word. */
export function stateWord({ style, conflict }: ReviewEntry): string | undefined {
  if (conflict !== undefined) return l10n.t('conflict');
  return style === 'proposed' ? l10n.t('not written yet') : undefined;
}

export function iconOf({ isNew, conflict }: ReviewEntry): IconName {
  if (conflict !== undefined) return 'warning';
  return isNew ? 'new-file' : 'file-code';
}
