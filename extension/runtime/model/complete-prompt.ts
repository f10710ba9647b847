import type { WholeAnswer } from '../../model/calls/model-calls.ts';
import { leastThinking } from '../../model/catalog/fit-thinking.ts';
import type { Host } from '../../ports/host.ts';
import { textPart } from '../../protocol/agent/content-part.ts';
import { checkMessageSize } from '../problems/message-limits.ts';
import { costOf } from './prices.ts';
import { createUtilityModel, type UtilityParts } from './utility-model.ts';

/** A prompt that is answered outside of any conversation, without tools. */
export interface PromptToComplete {
  /** Describes the answer for messages to users, such as "A commit message". */
  readonly what: string;
  readonly instruction: string;
  readonly text: string;
}

/** Answers are expected to be short. The limit includes the thoughts of models that always think. */
const MAX_TOKENS = 4096;
const TIMEOUT_MS = 60_000;

/** Answers a prompt with the model in the settings, within its limits and prices. The log reports the usage. */
export async function completePrompt(
  shared: UtilityParts,
  { what, instruction, text }: PromptToComplete,
  signal: AbortSignal,
): Promise<string> {
  checkMessageSize([textPart(text)]);
  const { settings } = shared.host;
  const utility = createUtilityModel(shared, {
    used: (answer) => logUse(shared.host, what, answer),
    limits: () => settings.limits(),
  });
  const call = {
    alias: settings.modelName(),
    purpose: what,
    instruction,
    contents: [{ role: 'user', parts: [{ text }] }],
    config: (model: string) => ({ maxOutputTokens: MAX_TOKENS, ...leastThinking(model) }),
    timeoutMs: TIMEOUT_MS,
  };
  return utility.text(call, signal);
}

function logUse({ settings, log }: Host, what: string, { answer, model }: WholeAnswer): void {
  const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = answer.usageMetadata ?? {};
  const { usageMetadata = {}, modelVersion = model } = answer;
  const cost = costOf({ usageMetadata, modelVersion }, model, settings.prices());
  const price = cost === undefined ? '' : `, $${cost.toFixed(4)}`;
  const output = candidatesTokenCount + thoughtsTokenCount;
  log.info(`${what}: ${modelVersion}, ${promptTokenCount} tokens in, ${output} out${price}`);
}
