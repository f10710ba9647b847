import type { GenerateContentConfig } from '@google/genai';
import type { ModelConfig } from '../model-key.ts';

/**
 * What is sent along with a request: what the model's configuration says, and over it what this request wants. Made anew
 * for every attempt from the same `wanted`, so nothing of a model that failed goes to the next one. ADK's labels are no
 * part of the Gemini API.
 */
export function requestConfig(chosen: ModelConfig, wanted: GenerateContentConfig = {}): GenerateContentConfig {
  const { labels: _, ...own } = wanted;
  const thinkingConfig = { ...chosen.config.thinkingConfig, ...own.thinkingConfig };
  return {
    ...chosen.config,
    ...own,
    ...(Object.keys(thinkingConfig).length > 0 && { thinkingConfig }),
  };
}
