import type { Event } from '@google/adk';
import type { Price } from './host.ts';

export type Prices = Readonly<Record<string, Price>>;

/** The price whose name is the longest beginning of the model's id. */
export function priceOf(model: string, prices: Prices): Price | undefined {
  const names = Object.keys(prices).filter((name) => model.startsWith(name));
  const [longest] = names.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : prices[longest];
}

/** What a model request cost, when its price is known. Gateways may name the model otherwise than it was asked for. */
export function costOf(
  { usageMetadata, modelVersion = '' }: Pick<Event, 'usageMetadata' | 'modelVersion'>,
  askedModel: string,
  prices: Prices,
): number | undefined {
  const price = priceOf(modelVersion, prices) ?? priceOf(askedModel, prices);
  if (!usageMetadata || !price) return undefined;
  const { promptTokenCount = 0, cachedContentTokenCount = 0 } = usageMetadata;
  const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usageMetadata;
  const fresh = (promptTokenCount - cachedContentTokenCount) * price.input;
  const cached = cachedContentTokenCount * (price.cached ?? price.input);
  return (fresh + cached + (candidatesTokenCount + thoughtsTokenCount) * price.output) / 1_000_000;
}
