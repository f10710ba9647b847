import { modelFacts } from '../../extension/model/catalog/known-models.ts';
import type { Tokens } from './transcript.ts';

/** Google charges a tenth for tokens that come from its cache (https://ai.google.dev/gemini-api/docs/pricing, October 2026). */
const CACHED_SHARE = 0.1;

/** The list price in US dollars. Prompts above 200,000 tokens, which cost more, do not occur in these tasks. */
export function costOf(model: string, { input, output, cached }: Tokens): number | undefined {
  const { price } = modelFacts(model);
  if (!price) return undefined;
  return ((input - cached * (1 - CACHED_SHARE)) * price.input + output * price.output) / 1_000_000;
}
