import type { GenerateContentConfig } from '@google/genai';
import type { ModelConfig } from '../model-key.ts';
import { fitThinking } from './fit-thinking.ts';
import { modelFacts } from './known-models.ts';

/**
 * The configuration for one attempt with one model: the request's own part (instruction, tools, values of the user or a
 * hook) on top of the model's configuration. It is built for every attempt from the unchanged request, so that nothing
 * specific to a failed model reaches the next. Only the model's configuration determines how much it thinks. Tool
 * declarations are the same for all models.
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
