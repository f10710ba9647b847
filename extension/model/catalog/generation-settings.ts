import { type GenerateContentConfig, HarmBlockThreshold, HarmCategory, ThinkingLevel } from '@google/genai';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isObject } from '../../base/objects.ts';
import { once } from '../../base/once.ts';

/** The four numbers that shape an answer. */
const shapingFields = once(
  () =>
    ({
      temperature: z.number().min(0).max(2),
      topP: z.number().min(0).max(1),
      topK: z.int().min(1),
      maxOutputTokens: z.int().min(1),
    }) as const,
);

/**
 * The fields that users may configure for a model. Gantry itself sets the instruction, tools and schemas of each
 * request. The connection is excluded too, because it could send a conversation elsewhere.
 */
export const generationFields = once(
  () =>
    ({
      ...shapingFields(),
      seed: z.int(),
      stopSequences: z.array(z.string().min(1)).max(5),
      presencePenalty: z.number(),
      frequencyPenalty: z.number(),
      thinkingConfig: z.strictObject({
        includeThoughts: z.boolean().optional(),
        thinkingBudget: z.int().min(-1).optional(),
        thinkingLevel: z.enum(ThinkingLevel).optional(),
      }),
      safetySettings: z.array(
        z.strictObject({ category: z.enum(HarmCategory), threshold: z.enum(HarmBlockThreshold) }),
      ),
    }) as const,
);

export type GenerationSettings = Pick<GenerateContentConfig, keyof ReturnType<typeof shapingFields>>;

/** The values that the user set, without defaults. Malformed entries are reported and ignored. */
export interface ReadSettings<Values> {
  readonly values: Values;
  readonly problems: readonly string[];
}

/** Reads `gantry.model.generation`. */
export function readGeneration(setting: unknown): ReadSettings<GenerationSettings> {
  return readFields(setting ?? {}, shapingFields, 'gantry.model.generation');
}

/** Reads a `generateContentConfig`; `place` is its path in the settings. */
export function readGenerationConfig(value: unknown, place: string): ReadSettings<GenerateContentConfig> {
  return readFields(value, generationFields, place);
}

/** The four numbers that shape an answer, from a configuration that was read. */
export function shapingOf(config: GenerateContentConfig = {}): GenerationSettings {
  return Object.fromEntries(Object.entries(config).filter(([name]) => Object.hasOwn(shapingFields(), name)));
}

function readFields(
  value: unknown,
  schemas: () => Readonly<Record<string, z.ZodType>>,
  place: string,
): ReadSettings<GenerateContentConfig> {
  const ignored = (name: string, why: string): string =>
    l10n.t('{0} was ignored: {1}', name === '' ? place : `${place}: ${name}`, why);
  if (!isObject(value)) return { values: {}, problems: [ignored('', l10n.t('is not an object'))] };
  const problems: string[] = [];
  const kept = Object.entries(value).flatMap(([name, given]) => {
    const schema = Object.hasOwn(schemas(), name) ? schemas()[name] : undefined;
    if (!schema) problems.push(ignored(name, l10n.t('is unknown')));
    const read = schema?.safeParse(given);
    if (read?.error) problems.push(ignored(name, read.error.issues.map(({ message }) => message).join('; ')));
    return read?.success ? [[name, read.data] as const] : [];
  });
  return { values: Object.fromEntries(kept), problems };
}
