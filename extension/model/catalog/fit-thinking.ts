import { type GenerateContentConfig, type ThinkingConfig, ThinkingLevel } from '@google/genai';
import { type ModelFacts, modelFacts } from './known-models.ts';

/**
 * Adapts the thinking part of a configuration to the model. Configurations are merged from several places, and models
 * reject unsupported values: a level for models with budgets, both at once, or less than their minimum.
 * https://ai.google.dev/gemini-api/docs/thinking
 */
export function fitThinking<Config extends Pick<GenerateContentConfig, 'thinkingConfig'>>(
  config: Config,
  model: string,
): Config {
  const { thinkingConfig, ...rest } = config;
  const fitting = thinkingConfig && fitted(thinkingConfig, modelFacts(model));
  const isEmpty = fitting === undefined || Object.values(fitting).every((value) => value === undefined);
  return (isEmpty ? rest : { ...rest, thinkingConfig: fitting }) as Config;
}

function fitted(thinking: ThinkingConfig, facts: ModelFacts): ThinkingConfig | undefined {
  switch (facts.thinking) {
    case 'none':
      return undefined;
    case 'level':
      return withLevel(thinking, facts);
    case 'budget':
      return withBudget(thinking, facts);
    case 'unknown':
      return isAboutThisModel(thinking) ? thinking : undefined;
  }
}

/**
 * Chats only request thoughts, and helpers only the minimal level. Any other value was set by a user who knows the
 * model.
 */
function isAboutThisModel({ thinkingLevel = ThinkingLevel.MINIMAL, thinkingBudget }: ThinkingConfig): boolean {
  return thinkingBudget !== undefined || thinkingLevel !== ThinkingLevel.MINIMAL;
}

function withLevel({ thinkingBudget, thinkingLevel, ...rest }: ThinkingConfig, facts: ModelFacts): ThinkingConfig {
  const wanted = thinkingLevel ?? (thinkingBudget === 0 ? ThinkingLevel.MINIMAL : undefined);
  if (wanted !== ThinkingLevel.MINIMAL) return wanted === undefined ? rest : { ...rest, thinkingLevel: wanted };
  if (facts.leastThinking === undefined) return rest;
  const least = facts.leastThinking === 'MINIMAL' ? ThinkingLevel.MINIMAL : ThinkingLevel.LOW;
  return { ...rest, thinkingLevel: least };
}

function withBudget({ thinkingBudget, thinkingLevel, ...rest }: ThinkingConfig, facts: ModelFacts): ThinkingConfig {
  const least = typeof facts.leastThinking === 'number' ? facts.leastThinking : 0;
  const wanted = thinkingBudget ?? (thinkingLevel === ThinkingLevel.MINIMAL ? least : undefined);
  if (wanted === undefined) return rest;
  // -1 lets the model decide.
  return { ...rest, thinkingBudget: wanted < 0 ? wanted : Math.max(wanted, least) };
}

/** For requests that need no thinking. */
export function leastThinking(model: string): Pick<GenerateContentConfig, 'thinkingConfig'> {
  return fitThinking({ thinkingConfig: { thinkingLevel: ThinkingLevel.MINIMAL } }, model);
}
