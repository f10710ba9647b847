import { type GenerateContentConfig, HarmBlockThreshold, HarmCategory, ThinkingLevel } from '@google/genai';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isObject } from '../../base/objects.ts';
import { once } from '../../base/once.ts';
import type { JsonPath } from '../../text/json-tree.ts';
import { type IssueKind, issueIn } from '../../text/json-with-comments.ts';

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

/** A `generateContentConfig`. The readers take each field by itself, so that a mistake doesn't affect the others. */
export const generationConfig = once(() => z.looseObject(generationFields()).partial());

export type GenerationSettings = Pick<GenerateContentConfig, keyof ReturnType<typeof shapingFields>>;

/** A malformed entry in a setting. */
export interface SettingProblem extends IssueKind {
  readonly text: string;
  /** Where it is in the value of the setting. */
  readonly path: JsonPath;
}

/** The values that the user set, without defaults. Malformed entries are reported and ignored. */
export interface ReadSettings<Values> {
  readonly values: Values;
  readonly problems: readonly SettingProblem[];
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
  const problems: SettingProblem[] = [];
  const ignore = (name: string, why: string, about: Omit<SettingProblem, 'text'>): void => {
    const what = name === '' ? place : `${place}: ${name}`;
    problems.push({ text: l10n.t('{0} was ignored: {1}', what, why), ...about });
  };
  if (!isObject(value)) {
    ignore('', l10n.t('is not an object'), { path: [], foundBySchema: true });
    return { values: {}, problems };
  }
  const kept = Object.entries(value).flatMap(([name, given]) => {
    const schema = Object.hasOwn(schemas(), name) ? schemas()[name] : undefined;
    if (!schema) ignore(name, l10n.t('is unknown'), { path: [name], of: 'key' });
    const read = schema?.safeParse(given);
    if (read?.error) ignore(name, messagesOf(read.error), issueIn(read.error, [name]));
    return read?.success ? [[name, read.data] as const] : [];
  });
  return { values: Object.fromEntries(kept), problems };
}

export function messagesOf({ issues }: z.ZodError): string {
  return issues.map(({ message }) => message).join('; ');
}
