import type { GenerateContentConfig } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { isObject } from '../../protocol/is-object.ts';
import { shapingFields } from './generation-fields.ts';

export type GenerationSettings = Pick<GenerateContentConfig, keyof typeof shapingFields>;

/** Reads `gantry.model.generation`: what the user gave and nothing else. What is malformed is named and left out. */
export function readGeneration(setting: unknown): {
  readonly values: GenerationSettings;
  readonly problems: readonly string[];
} {
  if (setting === undefined || setting === null) return { values: {}, problems: [] };
  if (!isObject(setting)) return { values: {}, problems: [leftOut('', l10n.t('is not an object'))] };
  const problems: string[] = [];
  const kept = Object.entries(setting).flatMap(([name, value]) => {
    const schema = Object.hasOwn(shapingFields, name) && shapingFields[name as keyof typeof shapingFields];
    if (!schema) problems.push(leftOut(name, l10n.t('is not known here')));
    const read = schema ? schema.safeParse(value) : undefined;
    if (read?.error) problems.push(leftOut(name, read.error.issues.map(({ message }) => message).join('; ')));
    return read?.success ? [[name, read.data] as const] : [];
  });
  return { values: Object.fromEntries(kept), problems };
}

function leftOut(name: string, why: string): string {
  return l10n.t('{0} was left out: {1}', `gantry.model.generation${name === '' ? '' : `: ${name}`}`, why);
}
