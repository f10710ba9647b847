import type { Event } from '@google/adk';
import { type Prices, priceOf } from '../../model/catalog/price-of.ts';

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
