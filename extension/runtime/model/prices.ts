import type { Event } from '@google/adk';
import * as l10n from '@vscode/l10n';
import { type Prices, priceOf } from '../../model/catalog/known-models.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';

/** The cost of a request, if its price is known. Gateways may report another name for the model than was requested. */
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

export function noPrice(model: string): ProblemError {
  return new ProblemError({
    kind: 'bad-configuration',
    title: l10n.t('The price of {0} is unknown', model),
    detail: l10n.t(
      'You set a cost limit, so nothing was sent. Add the model to gantry.model.prices, or remove the limit.',
    ),
    actions: ['open-settings', 'retry'],
  });
}
