import { type GenerateContentConfig, ThinkingLevel } from '@google/genai';
import { fitThinking } from './catalog/fit-thinking.ts';

/** For requests that need no thought. */
export function leastThinking(model: string): Pick<GenerateContentConfig, 'thinkingConfig'> {
  return fitThinking({ thinkingConfig: { thinkingLevel: ThinkingLevel.MINIMAL } }, model);
}
