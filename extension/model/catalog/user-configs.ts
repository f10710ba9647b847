import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isObject } from '../../base/objects.ts';
import { once } from '../../base/once.ts';
import type { ConfigPart, ModelAlias, ModelOverride } from './config-layers.ts';
import { generationFields } from './generation-settings.ts';
import type { ConfigLayer } from './model-configs.ts';
import { choiceOf, isModelName } from './model-names.ts';

export interface UserConfigs extends ConfigLayer {
  /** The ignored entries with their paths and the reasons. */
  readonly problems: readonly string[];
}

/**
 * Gemini CLI stores the user's entries under separate names. Both names are accepted, so that a section can be copied
 * unchanged.
 */
const SECTIONS = { aliases: ['aliases', 'customAliases'], overrides: ['overrides', 'customOverrides'] } as const;

/** Reads `gantry.model.configs`. Malformed entries are reported and ignored. */
export function readUserConfigs(setting: unknown): UserConfigs {
  const reader = new Reader();
  const fields = reader.object(setting ?? {}, '');
  const known: readonly string[] = [...SECTIONS.aliases, ...SECTIONS.overrides];
  reader.onlyKnown(fields, known, '');
  const aliases = SECTIONS.aliases.flatMap((section) =>
    Object.entries(reader.object(fields[section] ?? {}, section)).flatMap(([name, value]) =>
      reader.alias(name, value, `${section}.${name}`),
    ),
  );
  const overrides = SECTIONS.overrides.flatMap((section) =>
    reader.list(fields[section] ?? [], section).flatMap((value, at) => reader.override(value, `${section}[${at}]`)),
  );
  return { aliases: new Map(aliases), overrides, problems: reader.problems };
}

const modelSchema = once(() => z.string().refine(isModelName, 'is not the name of a model'));
const matchSchema = once(() =>
  z.strictObject({ model: z.string().min(1), overrideScope: z.string().min(1), isRetry: z.boolean() }).partial(),
);
const fieldsSchema = once(() => z.record(z.string(), z.unknown()));

class Reader {
  readonly problems: string[] = [];

  alias(name: string, value: unknown, place: string): [string, ModelAlias][] {
    if (choiceOf(name)) return this.ignore(place, l10n.t('this name is reserved for the automatic choice of a model'));
    if (!isObject(value)) return this.ignore(place, l10n.t('is not an object'));
    this.onlyKnown(value, ['extends', 'modelConfig'], place);
    const base = this.field(value, 'extends', z.string().min(1), place);
    // Without its base, the alias would have another meaning.
    if (value['extends'] !== undefined && base === undefined) return [];
    const modelConfig = this.part(value['modelConfig'], `${place}.modelConfig`);
    return modelConfig ? [[name, { ...(base !== undefined && { extends: base }), modelConfig }]] : [];
  }

  override(value: unknown, place: string): ModelOverride[] {
    if (!isObject(value)) return this.ignore(place, l10n.t('is not an object'));
    this.onlyKnown(value, ['match', 'modelConfig'], place);
    const { match } = value;
    if (!isObject(match) || Object.keys(match).length === 0)
      return this.ignore(place, l10n.t('does not say which requests it applies to'));
    // Ignoring an invalid condition would apply the override to more requests than intended.
    const parsed = matchSchema().safeParse(match);
    if (!parsed.success) return this.ignore(`${place}.match`, wordsOf(parsed.error));
    const modelConfig = this.part(value['modelConfig'], `${place}.modelConfig`);
    return modelConfig ? [{ match: definedOnly(parsed.data), modelConfig }] : [];
  }

  private part(value: unknown, place: string): ConfigPart | undefined {
    if (!isObject(value)) {
      this.ignore(place, l10n.t('is not an object'));
      return undefined;
    }
    this.onlyKnown(value, ['model', 'generateContentConfig'], place);
    const model = this.field(value, 'model', modelSchema(), place);
    if (value['model'] !== undefined && model === undefined) return undefined;
    const config = this.generation(value['generateContentConfig'], `${place}.generateContentConfig`);
    return { ...(model !== undefined && { model }), ...(config && { generateContentConfig: config }) };
  }

  private generation(value: unknown, place: string): ConfigPart['generateContentConfig'] {
    if (value === undefined) return undefined;
    const fields = this.object(value, place);
    this.onlyKnown(fields, Object.keys(generationFields()), place);
    const kept = Object.entries(generationFields()).flatMap(([name, schema]) => {
      const read = this.field<unknown>(fields, name, schema, place);
      return read === undefined ? [] : [[name, read] as const];
    });
    return Object.fromEntries(kept);
  }

  object(value: unknown, place: string): Readonly<Record<string, unknown>> {
    const { success, data } = fieldsSchema().safeParse(value);
    if (!success) this.ignore(place, l10n.t('is not an object'));
    return data ?? {};
  }

  list(value: unknown, place: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.ignore(place, l10n.t('is not a list'));
  }

  onlyKnown(fields: Readonly<Record<string, unknown>>, known: readonly string[], place: string): void {
    for (const name of Object.keys(fields).filter((field) => !known.includes(field))) {
      this.ignore(join(place, name), l10n.t('is unknown'));
    }
  }

  private field<T>(
    fields: Readonly<Record<string, unknown>>,
    name: string,
    schema: z.ZodType<T>,
    place: string,
  ): T | undefined {
    if (fields[name] === undefined) return undefined;
    const { success, data, error } = schema.safeParse(fields[name]);
    if (!success) this.ignore(join(place, name), wordsOf(error));
    return data;
  }

  private ignore(place: string, why: string): [] {
    this.problems.push(l10n.t('{0} was ignored: {1}', `gantry.model.configs${place === '' ? '' : `: ${place}`}`, why));
    return [];
  }
}

function join(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`;
}

function wordsOf(error: z.ZodError | undefined): string {
  return error?.issues.map(({ message }) => message).join('; ') ?? l10n.t('is invalid');
}

function definedOnly<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}
