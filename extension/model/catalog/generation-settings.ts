import type { GenerateContentConfig } from '@google/genai';
import * as l10n from '@vscode/l10n';
import type { z } from 'zod';
import { isObject } from '../../base/objects.ts';
import { generationFields, shapingFields } from './generation-fields.ts';

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
