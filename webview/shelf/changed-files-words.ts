import * as l10n from '@vscode/l10n';
import type { ReviewEntry } from '../../extension/protocol/panel/panel-messages.ts';
import type { IconName } from '../base/icons.ts';

export function totals(items: readonly ReviewEntry[]): {
  readonly files: string;
  readonly added: number;
  readonly removed: number;
} {
  const sum = (of: (item: ReviewEntry) => number): number => items.reduce((total, item) => total + of(item), 0);
  // A file with an applied and a proposed change has two entries.
  const files = new Set(items.map(({ label }) => label)).size;
  return {
    files: files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files),
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
  };
}

/** A count of zero is empty, unless both are zero. */
export function countsOf(
  added: number,
  removed: number,
): { readonly plus: string; readonly minus: string; readonly spoken: string } {
  const minus = removed === 0 ? '' : `−${removed}`;
  const plus = added === 0 && minus !== '' ? '' : `+${added}`;
  return { plus, minus, spoken: l10n.t('{0} added, {1} removed', added, removed) };
}

/** The unusual state of a change in a few words, if there is any. */
export function stateWord({ style, conflict }: ReviewEntry): string | undefined {
  if (conflict !== undefined) return l10n.t('conflict');
  return style === 'proposed' ? l10n.t('not written yet') : undefined;
}

export function iconOf({ isNew, conflict }: ReviewEntry): IconName {
  if (conflict !== undefined) return 'warning';
  return isNew ? 'new-file' : 'file-code';
}
