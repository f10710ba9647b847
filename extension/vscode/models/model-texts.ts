import * as l10n from '@vscode/l10n';
import { modelFacts, type Prices, priceOf, type ThinkingKind } from '../../model/catalog/known-models.ts';
import { CURRENT } from '../../model/catalog/model-names.ts';
import type { Price } from '../../ports/settings.ts';

/** The two lines of a model in a list. VS Code cuts each of them after about 80 characters. */
export interface ModelTexts {
  /** Follows the name. */
  readonly description: string;
  readonly detail?: string;
}

/** The models that `auto` currently chooses from. */
export function autoTexts(): ModelTexts {
  return {
    description: l10n.t('chooses for each message'),
    detail: l10n.t('{0}, or {1} for hard tasks and plans', CURRENT.flash, CURRENT.pro),
  };
}

/** Describes the window, features and price of a model. The user's own prices override Google's list. */
export function modelTexts(model: string, prices: Prices, now: number): ModelTexts {
  const { window, thinking, preview } = modelFacts(model);
  const facts = [preview && l10n.t('preview'), l10n.t('{0} context window', inTokens(window)), thinkingText(thinking)];
  const own = priceOf(model, prices);
  const detail = own ? dollars(own) : listPrice(model, now);
  return { description: facts.filter(Boolean).join(' · '), ...(detail !== undefined && { detail }) };
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
  const list = l10n.t('List price: {0}', dollars(price));
  return more.length > 0 ? `${list} (${more.join(', ')})` : list;
}

function dollars({ input, output }: Pick<Price, 'input' | 'output'>): string {
  return l10n.t('{0} in, {1} out per million tokens', inDollars(input), inDollars(output));
}

function inDollars(amount: number): string {
  const cents = Number.isInteger(amount) ? 0 : 2;
  return `$${amount.toLocaleString('en', { minimumFractionDigits: cents, maximumFractionDigits: 6 })}`;
}

/** Rounds as people do: the two common window sizes are powers of two. */
function inTokens(count: number): string {
  return count >= 1_000_000 ? `${Math.floor(count / 1_000_000)}M` : `${Math.round(count / 1000)}k`;
}
