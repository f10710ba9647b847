import { type ModelCalls, pauseOf } from '../../model/calls/model-calls.ts';
import { UtilityCalls, type UtilityCallsParts } from '../../model/calls/utility-calls.ts';
import { type Prices, priceOf } from '../../model/catalog/known-models.ts';
import type { AnswerChunk } from '../../model/content-generator.ts';
import type { UtilityModel } from '../../model/utility-model.ts';
import type { Host } from '../../ports/host.ts';
import type { Limits } from '../../ports/settings.ts';
import type { RecordBody } from '../../sessions/session-record.ts';
import { limitsCost } from './limits.ts';
import { costOf, noPrice } from './prices.ts';

export interface UtilityParts {
  readonly host: Host;
  readonly modelCalls: ModelCalls;
}

interface Owner extends Pick<UtilityCallsParts, 'used' | 'active'> {
  readonly limits: () => Limits;
}

/** Creates a model for requests outside of the conversation, within the limits of its owner. */
export function createUtilityModel({ host, modelCalls }: UtilityParts, { limits, ...owner }: Owner): UtilityModel {
  const { clock, settings } = host;
  return new UtilityCalls({
    calls: modelCalls,
    now: () => clock.now(),
    pause: pauseOf(host),
    random: () => clock.random?.() ?? Math.random(),
    allowed: (model) => {
      if (limitsCost(limits()) && !priceOf(model, settings.prices())) throw noPrice(model);
    },
    ...owner,
  });
}

/** The record of tokens that were used outside of the conversation. */
export function usageOf({ usageMetadata = {}, modelVersion }: AnswerChunk, asked: string, prices: Prices): RecordBody {
  const { promptTokenCount, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usageMetadata;
  const { cachedContentTokenCount } = usageMetadata;
  const amount = costOf({ usageMetadata, ...(modelVersion !== undefined && { modelVersion }) }, asked, prices);
  return {
    type: 'usage',
    model: modelVersion ?? asked,
    ...(promptTokenCount !== undefined && { inputTokens: promptTokenCount }),
    outputTokens: candidatesTokenCount + thoughtsTokenCount,
    ...(cachedContentTokenCount !== undefined && { cachedTokens: cachedContentTokenCount }),
    ...(amount !== undefined && { cost: { amount, currency: 'USD' } }),
  };
}
