import * as l10n from '@vscode/l10n';

interface Cost {
  readonly amount: number;
  /** US dollars unless it says something else. */
  readonly currency?: string | undefined;
}

/** 0.0312 → "$0.03"; small sums are not nothing: 0.0004 → "under $0.01". Other currencies by their code. */
export function formatCost({ amount, currency = 'USD' }: Cost): string {
  const sign = currency === 'USD' ? '$' : `${currency} `;
  return amount > 0 && amount < 0.01 ? l10n.t('under {0}', `${sign}0.01`) : `${sign}${amount.toFixed(2)}`;
}
