import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { isObject } from '../../base/objects.ts';
import { once } from '../../base/once.ts';
import type { JsonPath } from '../../text/json-tree.ts';
import { type IssueKind, issueIn } from '../../text/json-with-comments.ts';
import type { ConfigPart, ModelAlias, ModelOverride } from './config-layers.ts';
import { generationConfig, generationFields, messagesOf, type SettingProblem } from './generation-settings.ts';
import type { ConfigLayer } from './model-configs.ts';
import { choiceOf, isModelName } from './model-names.ts';

export interface UserConfigs extends ConfigLayer {
  /** The ignored entries. */
  readonly problems: readonly SettingProblem[];
}

/**
 * Gemini CLI stores the user's entries under separate names. Both names are accepted, so that a section can be copied
 * unchanged.
 */
const SECTIONS = { aliases: ['aliases', 'customAliases'], overrides: ['overrides', 'customOverrides'] } as const;

/** Sections of Gemini CLI's settings that Gantry does not apply, which is reported together with other such settings. */
const NOT_APPLIED = ['modelDefinitions', 'modelIdResolutions', 'classifierIdResolutions', 'modelChains'];

/** The setting that has the user's entries: Gantry's own, or that of Gemini CLI. */
export type ConfigsSetting = 'gantry.model.configs' | 'modelConfigs';

/** Reads the setting. Malformed entries are reported and ignored. */
export function readUserConfigs(value: unknown, setting: ConfigsSetting = 'gantry.model.configs'): UserConfigs {
  const reader = new Reader(setting);
  const fields = reader.object(value ?? {}, []);
  const known: readonly string[] = [...SECTIONS.aliases, ...SECTIONS.overrides];
  reader.onlyKnown(fields, setting === 'modelConfigs' ? [...known, ...NOT_APPLIED] : known, []);
  const aliases = SECTIONS.aliases.flatMap((section) =>
    Object.entries(reader.object(fields[section] ?? {}, [section])).flatMap(([name, alias]) =>
      reader.alias(name, alias, [section, name]),
    ),
  );
  const overrides = SECTIONS.overrides.flatMap((section) =>
    reader.list(fields[section] ?? [], [section]).flatMap((override, at) => reader.override(override, [section, at])),
  );
  return { aliases: new Map(aliases), overrides, problems: reader.problems };
}

const modelName = once(() => z.string().refine(isModelName, 'is not the name of a model'));
const aliasName = once(() => z.string().min(1));
const matchFields = once(() =>
  z.strictObject({ model: z.string().min(1), overrideScope: z.string().min(1), isRetry: z.boolean() }).partial(),
);
const configFields = once(() => z.record(z.string(), z.unknown()));

const configPart = once(() =>
  z.looseObject({
    model: modelName().optional(),
    generateContentConfig: generationConfig().optional(),
  }),
);
const aliases = once(() =>
  z.record(z.string(), z.looseObject({ extends: aliasName().optional(), modelConfig: configPart() })),
);
const overrides = once(() => z.array(z.looseObject({ match: matchFields(), modelConfig: configPart() })));

/** The setting as a whole. The reader takes each entry by itself, so that a mistake doesn't affect the others. */
export const modelConfigsSetting = once(() =>
  z.looseObject({
    aliases: aliases().optional(),
    customAliases: aliases().optional(),
    overrides: overrides().optional(),
    customOverrides: overrides().optional(),
  }),
);

class Reader {
  readonly problems: SettingProblem[] = [];

  constructor(private readonly setting: ConfigsSetting) {}

  alias(name: string, value: unknown, path: JsonPath): [string, ModelAlias][] {
    if (choiceOf(name)) return this.ignore(path, l10n.t('this name is reserved for the automatic choice of a model'));
    if (!isObject(value)) return this.wrongType(path, l10n.t('is not an object'));
    this.onlyKnown(value, ['extends', 'modelConfig'], path);
    const base = this.field(value, 'extends', aliasName(), path);
    // Without its base, the alias would have another meaning.
    if (value['extends'] !== undefined && base === undefined) return [];
    const modelConfig = this.part(value['modelConfig'], [...path, 'modelConfig']);
    return modelConfig ? [[name, { ...(base !== undefined && { extends: base }), modelConfig }]] : [];
  }

  override(value: unknown, path: JsonPath): ModelOverride[] {
    if (!isObject(value)) return this.wrongType(path, l10n.t('is not an object'));
    this.onlyKnown(value, ['match', 'modelConfig'], path);
    const { match } = value;
    if (!isObject(match) || Object.keys(match).length === 0)
      return this.ignore(path, l10n.t('does not say which requests it applies to'));
    // Ignoring an invalid condition would apply the override to more requests than intended.
    const parsed = matchFields().safeParse(match);
    if (!parsed.success) return this.invalid([...path, 'match'], parsed.error);
    const modelConfig = this.part(value['modelConfig'], [...path, 'modelConfig']);
    return modelConfig ? [{ match: definedOnly(parsed.data), modelConfig }] : [];
  }

  private part(value: unknown, path: JsonPath): ConfigPart | undefined {
    if (!isObject(value)) {
      this.wrongType(path, l10n.t('is not an object'));
      return undefined;
    }
    this.onlyKnown(value, ['model', 'generateContentConfig'], path);
    const model = this.field(value, 'model', modelName(), path);
    if (value['model'] !== undefined && model === undefined) return undefined;
    const config = this.generation(value['generateContentConfig'], [...path, 'generateContentConfig']);
    return { ...(model !== undefined && { model }), ...(config && { generateContentConfig: config }) };
  }

  private generation(value: unknown, path: JsonPath): ConfigPart['generateContentConfig'] {
    if (value === undefined) return undefined;
    const fields = this.object(value, path);
    this.onlyKnown(fields, Object.keys(generationFields()), path);
    const kept = Object.entries(generationFields()).flatMap(([name, schema]) => {
      const read = this.field<unknown>(fields, name, schema, path);
      return read === undefined ? [] : [[name, read] as const];
    });
    return Object.fromEntries(kept);
  }

  object(value: unknown, path: JsonPath): Readonly<Record<string, unknown>> {
    const { success, data } = configFields().safeParse(value);
    if (!success) this.wrongType(path, l10n.t('is not an object'));
    return data ?? {};
  }

  list(value: unknown, path: JsonPath): readonly unknown[] {
    return Array.isArray(value) ? value : this.wrongType(path, l10n.t('is not a list'));
  }

  onlyKnown(fields: Readonly<Record<string, unknown>>, known: readonly string[], path: JsonPath): void {
    for (const name of Object.keys(fields).filter((field) => !known.includes(field))) {
      this.ignore([...path, name], l10n.t('is unknown'), { of: 'key' });
    }
  }

  private field<T>(
    fields: Readonly<Record<string, unknown>>,
    name: string,
    schema: z.ZodType<T>,
    path: JsonPath,
  ): T | undefined {
    if (fields[name] === undefined) return undefined;
    const { success, data, error } = schema.safeParse(fields[name]);
    if (!success) this.invalid([...path, name], error);
    return data;
  }

  private invalid(path: JsonPath, error: z.ZodError): [] {
    return this.ignore(path, messagesOf(error), issueIn(error, path));
  }

  private wrongType(path: JsonPath, why: string): [] {
    return this.ignore(path, why, { foundBySchema: true });
  }

  private ignore(path: JsonPath, why: string, about: IssueKind & { readonly path?: JsonPath } = {}): [] {
    const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    const { setting } = this;
    const what = place === '' ? setting : `${setting}: ${place.slice(1)}`;
    this.problems.push({ text: l10n.t('{0} was ignored: {1}', what, why), path, ...about });
    return [];
  }
}

function definedOnly<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}
