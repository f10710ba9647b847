import * as l10n from '@vscode/l10n';

/** 410 → "410", 6200 → "6.2k", 62000 → "62k", 1200000 → "1.2M" */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${shortened(count / 1000)}k`;
  return `${shortened(count / 1_000_000)}M`;
}

function shortened(value: number): string {
  return value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}

interface Cost {
  readonly amount: number;
  /** US dollars by default. */
  readonly currency?: string | undefined;
}

/**
 * 0.0312 → "$0.03". Small amounts are not rounded to zero: 0.0004 → "under $0.01". Other currencies show their code.
 */
export function formatCost({ amount, currency = 'USD' }: Cost): string {
  const sign = currency === 'USD' ? '$' : `${currency} `;
  return amount > 0 && amount < 0.01 ? l10n.t('under {0}', `${sign}0.01`) : `${sign}${amount.toFixed(2)}`;
}

/**
 * The locale of dates and numbers within texts. It follows the language of the texts, which may differ from VS Code's.
 */
export function textLocale(): string {
  return l10n.t({ message: 'en', comment: 'The code of the language that this file translates to, such as de' });
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 3600_000],
  ['month', 30 * 24 * 3600_000],
  ['week', 7 * 24 * 3600_000],
  ['day', 24 * 3600_000],
  ['hour', 3600_000],
  ['minute', 60_000],
];

/** Formats a time such as "3 hours ago". */
export function timeAgo(then: number, now: number): string {
  const passed = now - then;
  const [unit, length] = UNITS.find(([, each]) => passed >= each) ?? [];
  if (unit === undefined || length === undefined) return l10n.t('just now');
  return new Intl.RelativeTimeFormat(textLocale(), { numeric: 'auto' }).format(-Math.floor(passed / length), unit);
}
