import { type GenerateContentConfig, ThinkingLevel } from '@google/genai';
import type { Aliases, ConfigPart, ModelAlias, ModelOverride } from './config-layers.ts';
import { KNOWN_IDS, modelFacts } from './known-models.ts';
import { CURRENT, GENERATION_2_5 } from './model-names.ts';

/** The alias that unknown models inherit in a conversation. */
export const CHAT_BASE = 'chat-base';

/** For side tasks that answer at once. Each model gets the least that it supports: a level or a budget. */
const LEAST_THOUGHT: GenerateContentConfig = { thinkingConfig: { thinkingLevel: ThinkingLevel.MINIMAL } };

/**
 * The names are Gemini CLI's for the same purposes, so that overrides written for it work. Unlike in Gemini CLI, models
 * of generation 3 get neither a thinking level nor sampling values unless the user sets them: Google chose a level for
 * each model and recommends keeping the other defaults. https://ai.google.dev/gemini-api/docs/gemini-3
 */
export const BUILT_IN_ALIASES: Aliases = new Map<string, ModelAlias>([
  ['base', alias({ generateContentConfig: { temperature: 0, topP: 1 } })],
  [CHAT_BASE, alias({ generateContentConfig: { thinkingConfig: { includeThoughts: true } } })],
  ['chat-base-3', alias({}, CHAT_BASE)],
  [
    'chat-base-2.5',
    alias(
      { generateContentConfig: { temperature: 1, topP: 0.95, topK: 64, thinkingConfig: { thinkingBudget: 8192 } } },
      CHAT_BASE,
    ),
  ],
  ...KNOWN_IDS.map((model): [string, ModelAlias] => [model, alias({ model }, chatBaseOf(model))]),
  // The answer is a score and one sentence.
  [
    'classifier',
    alias({ model: 'flash-lite', generateContentConfig: { maxOutputTokens: 1024, ...LEAST_THOUGHT } }, 'base'),
  ],
  // The limit also has to cover the thoughts of models that cannot switch thinking off.
  [
    'session-title',
    alias({ model: 'flash-lite', generateContentConfig: { maxOutputTokens: 1024, ...LEAST_THOUGHT } }, 'base'),
  ],
  ['web-search', alias({ model: 'flash', generateContentConfig: LEAST_THOUGHT }, 'base')],
  ['loop-detection', alias({ model: 'flash', generateContentConfig: LEAST_THOUGHT }, 'base')],
  // It has the last word on whether a run is stopped, so it may think.
  ['loop-detection-double-check', alias({ model: 'pro' }, 'base')],
  ...compression('3', CURRENT),
  ...compression('2.5', GENERATION_2_5),
]);

/** At temperature 0, a retry with the same contents would fail in the same way. */
export const BUILT_IN_OVERRIDES: readonly ModelOverride[] = [
  {
    match: { model: CHAT_BASE, isRetry: true },
    modelConfig: { generateContentConfig: { temperature: 1 } },
  },
];

/**
 * The alias that summarizes a conversation with this model: a model of the same tier, because it has the same window.
 */
export function compressionAliasFor(model: string): string {
  const { tier } = modelFacts(model);
  // A gateway may not serve other models, and not under the same path.
  if (tier === undefined || model.includes('/')) return model;
  return compressionAlias(model.includes('gemini-2.5') ? '2.5' : '3', tier);
}

function compression(generation: string, models: typeof CURRENT): [string, ModelAlias][] {
  return (['pro', 'flash', 'lite'] as const).map((tier) => [
    compressionAlias(generation, tier),
    // The instruction asks for a scratchpad in the answer.
    alias({ model: models[tier], generateContentConfig: LEAST_THOUGHT }),
  ]);
}

function compressionAlias(generation: string, tier: keyof typeof CURRENT): string {
  return `chat-compression-${generation}-${tier === 'lite' ? 'flash-lite' : tier}`;
}

function chatBaseOf(model: string): string {
  if (model.startsWith('gemini-2.5')) return 'chat-base-2.5';
  return model.startsWith('gemini-') ? 'chat-base-3' : CHAT_BASE;
}

function alias(modelConfig: ConfigPart, base?: string): ModelAlias {
  return base === undefined ? { modelConfig } : { extends: base, modelConfig };
}
