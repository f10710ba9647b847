import { type GenerateContentConfig, ThinkingLevel } from '@google/genai';
import type { Aliases, ConfigPart, ModelAlias, ModelOverride } from './config-layers.ts';
import { KNOWN_IDS, modelFacts } from './known-models.ts';
import { CURRENT, GENERATION_2_5 } from './model-names.ts';

/** What unknown models of a conversation inherit. */
export const CHAT_BASE = 'chat-base';

const NO_THOUGHT: GenerateContentConfig = { thinkingConfig: { thinkingLevel: ThinkingLevel.MINIMAL } };

/**
 * The names are Gemini CLI's where it has the same thing, so that overrides written for it work. Unlike there, models of
 * generation 3 are sent neither a thinking level nor sampling values unless somebody sets them: Google chose a level for
 * each of them, and says to leave the rest alone. https://ai.google.dev/gemini-api/docs/gemini-3
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
  // A score and a sentence.
  [
    'classifier',
    alias({ model: 'flash-lite', generateContentConfig: { maxOutputTokens: 1024, ...NO_THOUGHT } }, 'base'),
  ],
  // Thoughts of models that cannot do without count too.
  [
    'session-title',
    alias({ model: 'flash-lite', generateContentConfig: { maxOutputTokens: 1024, ...NO_THOUGHT } }, 'base'),
  ],
  ['web-search', alias({ model: 'flash' }, 'base')],
  ['loop-detection', alias({ model: 'flash' }, 'base')],
  ['loop-detection-double-check', alias({ model: 'pro' }, 'base')],
  ...compression('3', CURRENT),
  ...compression('2.5', GENERATION_2_5),
]);

/** A retry with the same words and no chance in it would fail in the same way. */
export const BUILT_IN_OVERRIDES: readonly ModelOverride[] = [
  {
    match: { model: CHAT_BASE, isRetry: true },
    modelConfig: { generateContentConfig: { temperature: 1 } },
  },
];

/** Who summarizes a conversation with this model: one of its own kind, as it has the same window. */
export function compressionAliasFor(model: string): string {
  const { tier } = modelFacts(model);
  if (tier === undefined) return model;
  return compressionAlias(model.includes('gemini-2.5') ? '2.5' : '3', tier);
}

function compression(generation: string, models: typeof CURRENT): [string, ModelAlias][] {
  return (['pro', 'flash', 'lite'] as const).map((tier) => [
    compressionAlias(generation, tier),
    alias({ model: models[tier] }),
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
