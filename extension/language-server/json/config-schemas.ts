import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { agentOverride } from '../../agents/read-overrides.ts';
import { once } from '../../base/once.ts';
import { FLAT_KEYS } from '../../gemini-config/flat-keys.ts';
import { type SettingKey, settingKeys } from '../../gemini-config/setting-keys.ts';
import { settingValues } from '../../gemini-config/setting-values.ts';
import { limitSettings } from '../../gemini-extensions/extension-limits.ts';
import { manifestSchema } from '../../gemini-extensions/read-manifest.ts';
import { HOOK_EVENTS } from '../../hooks/hook-types.ts';
import { commandHook, hookGroup, hookSwitches } from '../../hooks/read-hooks.ts';
import { serverLists, writtenServer } from '../../mcp/read-servers.ts';
import { generationConfig } from '../../model/catalog/generation-settings.ts';
import { modelConfigsSetting } from '../../model/catalog/user-configs.ts';
import { type Descriptions, type JsonSchema, schemaOf, schemasAt } from './json-schema.ts';
import {
  agentOverrideTexts,
  eventTexts,
  hookGroupTexts,
  hookSwitchTexts,
  manifestTexts,
  modelConfigTexts,
  sectionTexts,
  serverListTexts,
  serverTexts,
} from './schema-texts.ts';

/** The kinds of JSON files that have a schema. */
export type SchemaKind = 'settings' | 'servers' | 'extension' | 'hooks';

/** The schemas of the files, made from what their readers accept. */
export const configSchemas = once((): Readonly<Record<SchemaKind, JsonSchema>> => {
  const hooks = hooksSchema();
  return {
    settings: fileSchema(l10n.t('Settings of Gemini CLI, as Gantry applies them'), settingsSchema(hooks)),
    servers: fileSchema(l10n.t('MCP servers, as Gantry reads them'), {
      type: 'object',
      properties: { servers: serversSchema(l10n.t('MCP servers by name.')) },
      additionalProperties: {},
    }),
    extension: fileSchema(l10n.t('The manifest of an extension of Gemini CLI, as Gantry reads it'), extensionSchema()),
    hooks: fileSchema(l10n.t('Hooks of an extension of Gemini CLI'), {
      type: 'object',
      properties: { hooks, hooksConfig: switchesSchema() },
      additionalProperties: {},
    }),
  };
});

/** The readers accept comments and trailing commas. */
function fileSchema(title: string, schema: JsonSchema): JsonSchema {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  return { $schema, title, allowComments: true, allowTrailingCommas: true, ...schema };
}

function hooksSchema(): JsonSchema {
  const groups = schemaOf(
    z.array(hookGroup().extend({ hooks: z.array(commandHook()) })),
    below('[]', hookGroupTexts()),
  );
  const texts = eventTexts();
  return {
    description: sectionTexts()['hooks'] ?? '',
    type: 'object',
    properties: Object.fromEntries(HOOK_EVENTS.map((event) => [event, { ...groups, description: texts[event] }])),
    additionalProperties: {},
  };
}

function switchesSchema(): JsonSchema {
  return { ...schemaOf(hookSwitches(), hookSwitchTexts()), description: sectionTexts()['hooksConfig'] ?? '' };
}

function serversSchema(description: string): JsonSchema {
  return { description, type: 'object', additionalProperties: schemaOf(writtenServer(), serverTexts()) };
}

function extensionSchema(): JsonSchema {
  const texts = manifestTexts();
  const schema = schemaOf(manifestSchema(), texts);
  return { ...schema, properties: { ...schema.properties, mcpServers: serversSchema(texts['mcpServers'] ?? '') } };
}

/** What is checked by a reader of its own. */
function readSections(hooks: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const texts = sectionTexts();
  const generation = agentOverride.shape.modelConfig
    .unwrap()
    .extend({ generateContentConfig: generationConfig().optional() });
  const override = agentOverride.extend({ modelConfig: generation.optional() });
  const configs = schemaOf(modelConfigsSetting(), modelConfigTexts());
  const limits = schemaOf(limitSettings());
  return new Map<string, JsonSchema>([
    ['hooks', hooks],
    ['hooksConfig', switchesSchema()],
    ['mcpServers', serversSchema(texts['mcpServers'] ?? '')],
    ['mcp', { ...schemaOf(serverLists(), serverListTexts()), description: texts['mcp'] ?? '' }],
    [
      'agents.overrides',
      {
        description: texts['agents.overrides'] ?? '',
        type: 'object',
        additionalProperties: schemaOf(override, agentOverrideTexts()),
      },
    ],
    ['modelConfigs', { ...configs, description: texts['modelConfigs'] ?? '' }],
    ...['admin', 'security'].map((key) => [key, limits.properties?.[key] ?? {}] as const),
    ['admin.extensions', limits.properties?.['admin']?.properties?.['extensions'] ?? {}],
  ]);
}

function settingsSchema(hooks: JsonSchema): JsonSchema {
  const read = readSections(hooks);
  const tree = sectionsOf(settingKeys());
  const schema = sectionSchema(tree, [], read);
  const flat = Object.entries(FLAT_KEYS).filter(([name]) => !Object.hasOwn(schema.properties ?? {}, name));
  const old = flat.map(([name, key]): [string, JsonSchema] => {
    const [current] = schemasAt(schema, key.split('.'));
    return [name, { ...current, description: l10n.t('The old name of "{0}".', key), doNotSuggest: true }];
  });
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(old) } };
}

/** Keys by section. */
type Sections = Map<string, Sections | SettingKey>;

function sectionsOf(keys: readonly SettingKey[]): Sections {
  const all: Sections = new Map();
  for (const setting of keys) {
    const path = setting.key.split('.');
    let section = all;
    for (const name of path.slice(0, -1)) {
      const inner = section.get(name);
      const next = inner instanceof Map ? inner : new Map();
      section.set(name, next);
      section = next;
    }
    section.set(path.at(-1) ?? '', setting);
  }
  return all;
}

function sectionSchema(sections: Sections, path: readonly string[], read: ReadonlyMap<string, JsonSchema>): JsonSchema {
  const own = read.get(path.join('.'));
  const properties = [...sections].map(([name, inner]): [string, JsonSchema] => {
    const here = [...path, name];
    return [
      name,
      inner instanceof Map ? sectionSchema(inner, here, read) : keySchema(inner, read, own?.properties?.[name]),
    ];
  });
  const description = path.length === 0 ? undefined : sectionText(path);
  // `model` used to be the name of a model.
  const section: JsonSchema = {
    type: path.join('.') === 'model' ? ['object', 'string'] : 'object',
    properties: { ...own?.properties, ...Object.fromEntries(properties) },
    additionalProperties: {},
  };
  return description === undefined ? section : { description, ...section };
}

function sectionText(path: readonly string[]): string {
  return sectionTexts()[path.join('.')] ?? l10n.t('Settings of "{0}".', path.join('.'));
}

function keySchema(
  setting: SettingKey,
  read: ReadonlyMap<string, JsonSchema>,
  own: JsonSchema | undefined,
): JsonSchema {
  const known = own ?? read.get(setting.key);
  if (known?.description !== undefined) return known;
  const value = settingValues().get(setting.key);
  return { description: keyText(setting), ...(known ?? (value && schemaOf(value.schema))) };
}

/** What Gantry does with a key. */
export function keyText({ verdict, note }: SettingKey): string {
  const plain = note.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '"');
  switch (verdict) {
    case 'honoured':
      return l10n.t('Gantry applies this setting: {0}.', plain);
    case 'not applicable':
      return l10n.t('This setting has no meaning in Gantry: {0}.', plain);
    case 'not yet':
      return l10n.t('Gantry does not apply this setting: {0}.', plain);
  }
}

function below(path: string, texts: Descriptions): Descriptions {
  return Object.fromEntries(Object.entries(texts).map(([inner, text]) => [`${path}.${inner}`, text]));
}
