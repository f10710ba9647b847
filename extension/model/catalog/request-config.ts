import type { GenerateContentConfig } from '@google/genai';
import type { ModelConfig } from '../model-key.ts';
import { fitThinking } from './fit-thinking.ts';
import { modelFacts } from './known-models.ts';

/**
 * What is sent along with one attempt at one model: the request's own part (instruction, tools, what the user or a hook
 * set), on top of what is configured for this model. Made again for every attempt from the untouched request, so nothing
 * of a model that failed is sent to the next. How much a model thinks is the model's configuration alone. The
 * declarations of tools are the same for all models.
 */
export function requestConfigFor(
  request: GenerateContentConfig | undefined,
  { model, config }: ModelConfig,
): GenerateContentConfig {
  // ADK's labels are not part of the Gemini API.
  const { labels: _labels, thinkingConfig: _thinking, ...own } = request ?? {};
  return fitOutput(fitThinking({ ...config, ...own }, model), model);
}

function fitOutput(config: GenerateContentConfig, model: string): GenerateContentConfig {
  const { maxOutput } = modelFacts(model);
  const { maxOutputTokens } = config;
  if (maxOutput === undefined || maxOutputTokens === undefined || maxOutputTokens <= maxOutput) return config;
  return { ...config, maxOutputTokens: maxOutput };
}
