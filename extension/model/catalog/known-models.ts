import type { Price } from '../../ports/settings.ts';

export type ModelTier = 'pro' | 'flash' | 'lite';

/** How a request specifies the amount of thinking. `unknown`: it is not known whether the model thinks. */
export type ThinkingKind = 'none' | 'budget' | 'level' | 'unknown';

/** Google's list price for a million tokens, in US dollars. Gateways and contracts may have other prices. */
export interface ListPrice {
  readonly input: number;
  readonly output: number;
  /** Prompts above 200,000 tokens cost more. */
  readonly risesWithLength?: true;
  /** The last day of an introductory price. */
  readonly until?: string;
}

export interface ModelFacts {
  readonly id: string;
  /** In tokens, for the request and the answer together. */
  readonly window: number;
  readonly maxOutput?: number;
  readonly thinking: ThinkingKind;
  /** The least thinking that a request may ask for: a level, or a budget. */
  readonly leastThinking?: 'MINIMAL' | 'LOW' | number;
  readonly tier?: ModelTier;
  readonly preview?: true;
  readonly price?: ListPrice;
}

/** Generations of models that need different instructions. */
export type ModelFamily = 'gemini-3' | 'gemini-2.5' | 'other';

/** The window that Gemini CLI assumes for unknown models. */
export const DEFAULT_WINDOW = 1_048_576;

const GEMINI = { window: DEFAULT_WINDOW, maxOutput: 65_536 } as const;
const THINKS_LOW = { ...GEMINI, thinking: 'level', leastThinking: 'LOW' } as const;
const THINKS_MINIMALLY = { ...GEMINI, thinking: 'level', leastThinking: 'MINIMAL' } as const;
const HAS_BUDGET = { ...GEMINI, thinking: 'budget', leastThinking: 0 } as const;
const INTRODUCTION = { input: 0.75, output: 3.75, until: '2026-12-31' } as const;

/**
 * Windows, limits and levels: https://ai.google.dev/gemini-api/docs/models and the table of levels at
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking (November 2026).
 * Prices: https://ai.google.dev/gemini-api/docs/pricing (October 2026). Unknown prices are omitted.
 */
const KNOWN: readonly ModelFacts[] = [
  { id: 'gemini-3.8-flash', tier: 'flash', ...THINKS_LOW, price: INTRODUCTION },
  {
    id: 'gemini-3.1-pro-preview',
    tier: 'pro',
    preview: true,
    ...THINKS_LOW,
    price: { input: 2, output: 12, risesWithLength: true },
  },
  { id: 'gemini-3.7-flash', tier: 'flash', ...THINKS_LOW, price: INTRODUCTION },
  { id: 'gemini-3.5-flash-lite', tier: 'lite', ...THINKS_MINIMALLY, price: { input: 0.3, output: 2.5 } },
  // Older models that still answer and that configurations name.
  { id: 'gemini-3.6-flash', tier: 'flash', ...THINKS_MINIMALLY },
  { id: 'gemini-3.5-flash', tier: 'flash', ...THINKS_LOW },
  { id: 'gemini-3-flash', tier: 'flash', ...THINKS_LOW },
  { id: 'gemini-3-flash-preview', tier: 'flash', preview: true, ...THINKS_MINIMALLY, price: { input: 0.5, output: 3 } },
  { id: 'gemini-3.1-flash-lite', tier: 'lite', ...THINKS_LOW, price: { input: 0.25, output: 1.5 } },
  { id: 'gemini-3-pro-preview', tier: 'pro', preview: true, ...THINKS_LOW },
  { id: 'gemini-3.1-pro-preview-customtools', tier: 'pro', preview: true, ...THINKS_LOW },
  {
    id: 'gemini-2.5-pro',
    tier: 'pro',
    ...HAS_BUDGET,
    leastThinking: 128,
    price: { input: 1.25, output: 10, risesWithLength: true },
  },
  { id: 'gemini-2.5-flash', tier: 'flash', ...HAS_BUDGET, price: { input: 0.3, output: 2.5 } },
  { id: 'gemini-2.5-flash-lite', tier: 'lite', ...HAS_BUDGET, price: { input: 0.1, output: 0.4 } },
  { id: 'gemma-4-31b-it', window: 256_000, thinking: 'none' },
  { id: 'gemma-4-26b-a4b-it', window: 256_000, thinking: 'none' },
];

const BY_ID: ReadonlyMap<string, ModelFacts> = new Map(KNOWN.map((model) => [model.id, model]));

export const KNOWN_IDS: readonly string[] = [...BY_ID.keys()];

/** The facts about a known model, or those that its name implies. Gateways put a path in front of the id. */
export function modelFacts(model: string): ModelFacts {
  const id = model.slice(model.lastIndexOf('/') + 1);
  const known = BY_ID.get(id);
  return known ? { ...known, id: model } : { id: model, window: windowOf(id), ...thinkingOf(id) };
}

export function modelFamily(model: string): ModelFamily {
  const id = model.slice(model.lastIndexOf('/') + 1);
  if (id.startsWith('gemini-2.5')) return 'gemini-2.5';
  return NEWER.test(id) ? 'gemini-3' : 'other';
}

/** Generation 3 and later, also by the names for the newest model. */
const NEWER = /^gemini-(?:[3-9]|\d{2}|(?:pro|flash|flash-lite)-latest)/;

/** Open models that gateways serve: https://ai.google.dev/gemma/docs (November 2026). */
function windowOf(id: string): number {
  if (/^gemma-?(?:1|2|1\.1)(?=\D)/.test(id)) return 8_192;
  return /^gemma-?3(?:n|.*[-:]1b\b)/.test(id) ? 32_768 : DEFAULT_WINDOW;
}

export function contextWindow(model: string): number {
  return modelFacts(model).window;
}

/** Whether requests may ask the model for its thoughts; other models reject such a request. */
export function supportsThinking(model: string): boolean {
  const { thinking } = modelFacts(model);
  return thinking === 'level' || thinking === 'budget';
}

function thinkingOf(id: string): Pick<ModelFacts, 'thinking' | 'leastThinking'> {
  if (!id.startsWith('gemini-')) return { thinking: id.startsWith('gemma-') ? 'none' : 'unknown' };
  if (/-(?:image|tts|live|embedding|native-audio|computer-use)/.test(id)) return { thinking: 'none' };
  if (id.startsWith('gemini-2.5-pro')) return { thinking: 'budget', leastThinking: 128 };
  if (id.startsWith('gemini-2.5')) return { thinking: 'budget', leastThinking: 0 };
  // All models with levels support `low`.
  if (/^gemini-(?:[3-9]|\d{2})/.test(id)) return { thinking: 'level', leastThinking: 'LOW' };
  if (/^gemini-(?:pro|flash|flash-lite)-latest/.test(id)) return { thinking: 'level' };
  return { thinking: 'none' };
}

export type Prices = Readonly<Record<string, Price>>;

/** The price whose name is the longest prefix of the model's id. */
export function priceOf(model: string, prices: Prices): Price | undefined {
  const names = Object.keys(prices).filter((name) => model.startsWith(name));
  const [longest] = names.sort((a, b) => b.length - a.length);
  return longest === undefined ? undefined : prices[longest];
}
