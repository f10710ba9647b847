import { priceOf } from '../model/catalog/price-of.ts';
import { OFFLINE_MODEL } from '../model/describe-model.ts';
import { leastThinking } from '../model/least-thinking.ts';
import type { ModelSource } from '../model/model-source.ts';
import { textPart } from '../protocol/content-part.ts';
import { ProblemError } from '../protocol/problem.ts';
import type { Host } from './host.ts';
import { limitsCost } from './limits.ts';
import { checkMessageSize } from './message-limits.ts';
import { costOf } from './prices.ts';
import { noPrice } from './session-model.ts';

/** Something to be answered outside of any conversation, without tools. */
export interface OneQuestion {
  /** What the answer will be, such as "A commit message": for people, when there is none. */
  readonly what: string;
  readonly instruction: string;
  readonly text: string;
}

/** Long answers are not what this is for; thoughts of models that cannot do without count too. */
const MAX_TOKENS = 4096;
const TIMEOUT_MS = 60_000;

/** The model of the settings, its limits and prices. What it used is a line in the log. */
export async function oneAnswer(
  { host, models }: { readonly host: Pick<Host, 'settings' | 'log'>; readonly models: Pick<ModelSource, 'resolve'> },
  { what, instruction, text }: OneQuestion,
  signal: AbortSignal,
): Promise<string> {
  checkMessageSize([textPart(text)]);
  const { settings, log } = host;
  const { model, generator } = await models.resolve(settings.modelName());
  if (model === OFFLINE_MODEL) throw needsModel(what);
  if (limitsCost(settings.limits()) && !priceOf(model, settings.prices())) throw noPrice(model);
  const config = { systemInstruction: instruction, maxOutputTokens: MAX_TOKENS, ...leastThinking(model) };
  const contents = [{ role: 'user', parts: [{ text }] }];
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const answer = await generator.generateContent({ model, contents, config }, limited);
  const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = answer.usageMetadata ?? {};
  const { usageMetadata = {}, modelVersion = model } = answer;
  const cost = costOf({ usageMetadata, modelVersion }, model, settings.prices());
  const output = candidatesTokenCount + thoughtsTokenCount;
  const price = cost === undefined ? '' : `, $${cost.toFixed(4)}`;
  log.info(`${what}: ${modelVersion}, ${promptTokenCount} tokens in, ${output} out${price}`);
  const parts = answer.candidates?.[0]?.content?.parts ?? [];
  return parts.map(({ text: words, thought }) => (thought ? '' : (words ?? ''))).join('');
}

function needsModel(what: string): ProblemError {
  return new ProblemError({
    kind: 'no-credential',
    title: `${what} needs a model`,
    detail: 'The offline guide is a script and cannot write one. Connect a model with Gantry: Set API Key….',
    actions: ['set-api-key'],
  });
}
