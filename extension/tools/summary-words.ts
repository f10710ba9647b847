import * as l10n from '@vscode/l10n';

/** What a call counts in the summary on its card. The text for the model is in English instead. */
export type Counted = 'definition' | 'entry' | 'file' | 'problem' | 'reference' | 'source' | 'symbol';

export function countText(count: number, what: Counted): string {
  return count === 1 ? oneText(what) : severalText(count, what);
}

function oneText(what: Counted): string {
  switch (what) {
    case 'definition':
      return l10n.t('1 definition');
    case 'entry':
      return l10n.t('1 entry');
    case 'file':
      return l10n.t('1 file');
    case 'problem':
      return l10n.t('1 problem');
    case 'reference':
      return l10n.t('1 reference');
    case 'source':
      return l10n.t('1 source');
    case 'symbol':
      return l10n.t('1 symbol');
  }
}

function severalText(count: number, what: Counted): string {
  switch (what) {
    case 'definition':
      return l10n.t('{0} definitions', count);
    case 'entry':
      return l10n.t('{0} entries', count);
    case 'file':
      return l10n.t('{0} files', count);
    case 'problem':
      return l10n.t('{0} problems', count);
    case 'reference':
      return l10n.t('{0} references', count);
    case 'source':
      return l10n.t('{0} sources', count);
    case 'symbol':
      return l10n.t('{0} symbols', count);
  }
}
