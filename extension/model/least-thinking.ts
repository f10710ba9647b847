import { type GenerateContentConfig, ThinkingLevel } from '@google/genai';
import { supportsThinking } from './model-choice.ts';

/**
 * For requests that need no thought. Gemini 3 takes levels, and low is the least that all of its models have; 2.5 takes
 * budgets, of which Pro refuses less than 128. https://ai.google.dev/gemini-api/docs/thinking
 */
export function leastThinking(model: string): Pick<GenerateContentConfig, 'thinkingConfig'> {
  if (!supportsThinking(model)) return {};
  if (model.includes('gemini-2.5-pro')) return { thinkingConfig: { thinkingBudget: 128 } };
  if (model.includes('gemini-2.5')) return { thinkingConfig: { thinkingBudget: 0 } };
  return /gemini-\d/.test(model) ? { thinkingConfig: { thinkingLevel: ThinkingLevel.LOW } } : {};
}
