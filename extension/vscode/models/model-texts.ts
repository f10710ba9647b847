import * as l10n from '@vscode/l10n';
import { modelFacts, type Prices, priceOf, type ThinkingKind } from '../../model/catalog/known-models.ts';
import { CURRENT } from '../../model/catalog/model-names.ts';
import type { Price } from '../../ports/settings.ts';

/** The models that `auto` currently chooses from. */
export function autoText(): string {
  return l10n.t('chooses for each message: {0}, or {1} for hard tasks and plans', CURRENT.flash, CURRENT.pro);
}

/** Describes the window, features and price of a model in one line. The user's own prices override Google's list. */
export function modelLine(model: string, prices: Prices, now: number): string {
  const { window, thinking, preview } = modelFacts(model);
  const own = priceOf(model, prices);
  const facts = [
    preview && l10n.t('preview'),
    l10n.t('{0} context window', inTokens(window)),
    thinkingText(thinking),
    own ? dollars(own) : listPrice(model, now),
  ];
  return facts.filter(Boolean).join(' · ');
}

function thinkingText(kind: ThinkingKind): string {
  if (kind === 'unknown') return '';
  return kind === 'none' ? l10n.t('no thinking') : l10n.t('with thinking');
}

/** Returns undefined after an introductory price has expired, because the next price is not known. */
function listPrice(model: string, now: number): string | undefined {
  const { price } = modelFacts(model);
  if (!price) return undefined;
  const { until, risesWithLength } = price;
  if (until !== undefined && new Date(now).toISOString().slice(0, 10) > until) return undefined;
  const more = [risesWithLength && l10n.t('more for long prompts'), until && l10n.t('until {0}', until)].filter(
    Boolean,
  );
  const list = l10n.t('list price {0}', dollars(price));
  return more.length > 0 ? `${list} (${more.join(', ')})` : list;
}

function dollars({ input, output }: Pick<Price, 'input' | 'output'>): string {
  return l10n.t('{0} in, {1} out per million tokens', `$${input}`, `$${output}`);
}

/** Rounds as people do: the two common window sizes are powers of two. */
function inTokens(count: number): string {
  return count >= 1_000_000 ? `${Math.floor(count / 1_000_000)}M` : `${Math.round(count / 1000)}k`;
}
