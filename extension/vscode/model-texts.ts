import { modelFacts, type ThinkingKind } from '../model/catalog/known-models.ts';
import { CURRENT } from '../model/catalog/model-names.ts';
import { type Prices, priceOf } from '../model/catalog/price-of.ts';
import type { Price } from '../runtime/host.ts';

/** What `auto` means today. */
export const AUTO_TEXT = `chooses for each message: ${CURRENT.flash}, or ${CURRENT.pro} for hard tasks and plans`;

/** What a model takes, can and costs, in one line. Prices of the user's win over Google's list. */
export function modelLine(model: string, prices: Prices, now: number): string {
  const { window, thinking, preview } = modelFacts(model);
  const own = priceOf(model, prices);
  const facts = [
    preview && 'preview',
    `${inTokens(window)} window`,
    THINKING[thinking],
    own ? dollars(own) : listPrice(model, now),
  ];
  return facts.filter(Boolean).join(' · ');
}

const THINKING: Readonly<Record<ThinkingKind, string>> = {
  level: 'thinks',
  budget: 'thinks',
  none: 'does not think',
  unknown: '',
};

/** Nothing once an introductory price is over: the next one is not known. */
function listPrice(model: string, now: number): string | undefined {
  const { price } = modelFacts(model);
  if (!price) return undefined;
  const { until, risesWithLength } = price;
  if (until !== undefined && new Date(now).toISOString().slice(0, 10) > until) return undefined;
  const more = [risesWithLength && 'more for long prompts', until && `until ${until}`].filter(Boolean);
  return `list price ${dollars(price)}${more.length > 0 ? ` (${more.join(', ')})` : ''}`;
}

function dollars({ input, output }: Pick<Price, 'input' | 'output'>): string {
  return `$${input} in, $${output} out per million tokens`;
}

/** As people say it: the two common windows are powers of two. */
function inTokens(count: number): string {
  return count >= 1_000_000 ? `${Math.floor(count / 1_000_000)}M` : `${Math.round(count / 1000)}k`;
}
