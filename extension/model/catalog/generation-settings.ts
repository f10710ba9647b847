import { type GenerateContentConfig, HarmBlockThreshold, HarmCategory, ThinkingLevel } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { z } from 'zod';
import { isObject } from '../../base/objects.ts';

/** The four numbers that shape an answer. */
const shapingFields = {
  temperature: z.number().min(0).max(2),
  topP: z.number().min(0).max(1),
  topK: z.int().min(1),
  maxOutputTokens: z.int().min(1),
} as const;

/**
 * What users may configure for a model. Not among it is what the product itself decides for each request: instruction,
 * tools, schemas, and everything about the connection, which could send a conversation elsewhere.
 */
export const generationFields = {
  ...shapingFields,
  seed: z.int(),
  stopSequences: z.array(z.string().min(1)).max(5),
  presencePenalty: z.number(),
  frequencyPenalty: z.number(),
  thinkingConfig: z.strictObject({
    includeThoughts: z.boolean().optional(),
    thinkingBudget: z.int().min(-1).optional(),
    thinkingLevel: z.enum(ThinkingLevel).optional(),
  }),
  safetySettings: z.array(z.strictObject({ category: z.enum(HarmCategory), threshold: z.enum(HarmBlockThreshold) })),
} as const;

export type GenerationSettings = Pick<GenerateContentConfig, keyof typeof shapingFields>;

/** What the user gave and nothing else. Malformed entries are reported and ignored. */
export interface ReadSettings<Values> {
  readonly values: Values;
  readonly problems: readonly string[];
}

/** Reads `gantry.model.generation`. */
export function readGeneration(setting: unknown): ReadSettings<GenerationSettings> {
  return readFields(setting ?? {}, shapingFields, 'gantry.model.generation');
}

/** Reads a `generateContentConfig`, which stands at this place. */
export function readGenerationConfig(value: unknown, place: string): ReadSettings<GenerateContentConfig> {
  return readFields(value, generationFields, place);
}

/** Of a configuration that was read, the four numbers that shape an answer. */
export function shapingOf(config: GenerateContentConfig = {}): GenerationSettings {
  return Object.fromEntries(Object.entries(config).filter(([name]) => Object.hasOwn(shapingFields, name)));
}

function readFields(
  value: unknown,
  schemas: Readonly<Record<string, z.ZodType>>,
  place: string,
): ReadSettings<GenerateContentConfig> {
  const leftOut = (name: string, why: string): string =>
    l10n.t('{0} was ignored: {1}', name === '' ? place : `${place}: ${name}`, why);
  if (!isObject(value)) return { values: {}, problems: [leftOut('', l10n.t('is not an object'))] };
  const problems: string[] = [];
  const kept = Object.entries(value).flatMap(([name, given]) => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema) problems.push(leftOut(name, l10n.t('is unknown')));
    const read = schema?.safeParse(given);
    if (read?.error) problems.push(leftOut(name, read.error.issues.map(({ message }) => message).join('; ')));
    return read?.success ? [[name, read.data] as const] : [];
  });
  return { values: Object.fromEntries(kept), problems };
}
