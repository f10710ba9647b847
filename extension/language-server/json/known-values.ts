import * as l10n from '@vscode/l10n';
import { CompletionItemKind } from 'vscode-languageserver-types';
import { isObject } from '../../base/objects.ts';
import { once } from '../../base/once.ts';
import { HOOK_TRIGGERS, isEventWithTool } from '../../hooks/hook-types.ts';
import { inToolNames } from '../../mcp/tool-names.ts';
import { BUILT_IN_ALIASES } from '../../model/catalog/built-in-configs.ts';
import { KNOWN_IDS } from '../../model/catalog/known-models.ts';
import { MODEL_NAMES } from '../../model/catalog/model-names.ts';
import type { JsonPath } from '../../text/json-tree.ts';
import { oneLine } from '../../text/one-line.ts';
import { describedTools, toolSummary } from '../../tools/described-tools.ts';
import type { DefinedTogether } from '../config-catalogs.ts';
import type { JsonDocument } from './json-document.ts';

/** A name that can be written at some place. */
export interface KnownValue {
  readonly text: string;
  /** Beside the name, in a few words. */
  readonly detail?: string;
  readonly about?: string;
  readonly kind: CompletionItemKind;
}

export interface KnownFrom {
  readonly json: JsonDocument;
  /** Undefined in Restricted Mode. */
  readonly defined: DefinedTogether | undefined;
}

/** What is named at a place in the settings. */
export type NamedThing =
  | 'tool'
  | 'agent tool'
  | 'trigger'
  | 'server'
  | 'agent'
  | 'agent scope'
  | 'model'
  | 'agent model'
  | 'alias';

const ANY = Symbol('any name or index');
const CONFIG_LISTS = ['overrides', 'customOverrides'];
const ALIASES = ['aliases', 'customAliases'];

/** Places in the settings whose values are names, and what they name. */
const PLACES: readonly (readonly [thing: NamedThing, path: readonly (string | readonly string[] | typeof ANY)[]])[] = [
  ['server', ['mcp', ['allowed', 'excluded'], ANY]],
  ['tool', ['tools', ['core', 'allowed', 'exclude', 'confirmationRequired'], ANY]],
  ['agent tool', ['agents', 'overrides', ANY, 'tools', ANY]],
  ['agent model', ['agents', 'overrides', ANY, 'modelConfig', 'model']],
  ['model', ['model', 'name']],
  ['alias', ['modelConfigs', ALIASES, ANY, 'extends']],
  ['model', ['modelConfigs', [...ALIASES, ...CONFIG_LISTS], ANY, 'modelConfig', 'model']],
  ['model', ['modelConfigs', CONFIG_LISTS, ANY, 'match', 'model']],
  ['agent scope', ['modelConfigs', CONFIG_LISTS, ANY, 'match', 'overrideScope']],
];

/** What a value names. Undefined if it is no name that is known. */
export function namedAt(path: JsonPath): NamedThing | undefined {
  const [section, event, , key] = path;
  if (section === 'hooks' && key === 'matcher' && path.length === 4 && typeof event === 'string') {
    return isEventWithTool(event) ? 'tool' : 'trigger';
  }
  return PLACES.find(([, place]) => isAt(path, place))?.[0];
}

/** What a key names: `agents.overrides` has the names of agents. */
export function namedByKey(path: JsonPath): NamedThing | undefined {
  return isAt(path, ['agents', 'overrides', ANY]) ? 'agent' : undefined;
}

function isAt(path: JsonPath, place: (typeof PLACES)[number][1]): boolean {
  return (
    path.length === place.length &&
    place.every((step, at) => {
      const here = path[at];
      if (step === ANY) return true;
      return typeof step === 'string' ? step === here : step.some((one) => one === here);
    })
  );
}

const { Function: tool, Module: module, Class: agent, Value: model, EnumMember: member } = CompletionItemKind;

/** The names to choose from. */
export function knownValues(thing: NamedThing, path: JsonPath, from: KnownFrom): readonly KnownValue[] {
  switch (thing) {
    case 'tool':
      return path[0] === 'hooks'
        ? [...toolValues(), ...serverTools(from, '.*')]
        : [...toolValues(), ...serverTools(from, '*'), ...agentValues(from)];
    case 'agent tool':
      return [{ text: '*', kind: tool, detail: l10n.t('all tools') }, ...toolValues(), ...serverTools(from, '*')];
    case 'trigger':
      return (HOOK_TRIGGERS.get(String(path[1])) ?? []).map((text) => ({ text, kind: member }));
    case 'server':
      return serverValues(from);
    case 'agent':
      return agentValues(from);
    case 'agent scope':
      return [{ text: 'core', kind: agent, detail: l10n.t('the main agent') }, ...agentValues(from)];
    case 'model':
      return modelValues(from);
    case 'agent model':
      return [{ text: 'inherit', kind: model, detail: l10n.t('the model of the session') }, ...modelValues(from)];
    case 'alias':
      return aliasNames(from).map((text) => ({ text, kind: model }));
  }
}

const SUMMARY = 200;

const toolValues = once((): readonly KnownValue[] =>
  describedTools().map((one) => ({
    text: one.name,
    kind: tool,
    detail: one.displayName,
    about: oneLine(toolSummary(one), SUMMARY),
  })),
);

function serverTools(from: KnownFrom, anyTool: string): readonly KnownValue[] {
  return serverValues(from).map(({ text }) => ({
    text: `mcp_${inToolNames(text)}_${anyTool}`,
    kind: module,
    detail: l10n.t('all tools of the MCP server {0}', text),
  }));
}

/** The servers of all files, with those of this file even in Restricted Mode. */
function serverValues({ json, defined }: KnownFrom): readonly KnownValue[] {
  const here = ['mcpServers', 'servers'].flatMap((key) => json.places.at([key])?.node?.entries ?? []);
  const names = new Set([...here.map(({ name }) => name), ...(defined?.serverNames ?? [])]);
  return [...names].map((text) => {
    const server = defined?.servers.find(({ name }) => name === text);
    return {
      text,
      kind: module,
      ...(server?.description !== undefined && { detail: oneLine(server.description, SUMMARY) }),
    };
  });
}

function agentValues({ defined }: KnownFrom): readonly KnownValue[] {
  const agents = new Map((defined?.agents ?? []).map(({ definition }) => [definition.name, definition]));
  return [...agents.values()].map(({ name, displayName, description }) => ({
    text: name,
    kind: agent,
    ...(displayName !== undefined && { detail: displayName }),
    about: oneLine(description, SUMMARY),
  }));
}

function modelValues(from: KnownFrom): readonly KnownValue[] {
  const names = new Set([...MODEL_NAMES, ...KNOWN_IDS, ...aliasNames(from)]);
  return [...names].map((text) => ({ text, kind: model }));
}

/** Gantry's own aliases, and those of all settings. */
function aliasNames({ json, defined }: KnownFrom): readonly string[] {
  const here = ALIASES.flatMap((section) => json.places.at(['modelConfigs', section])?.node?.entries ?? []);
  const elsewhere = ALIASES.flatMap((section) => {
    const aliases = defined?.settings.own(`modelConfigs.${section}`)?.value;
    return isObject(aliases) ? Object.keys(aliases) : [];
  });
  return [...new Set([...here.map(({ name }) => name), ...elsewhere, ...BUILT_IN_ALIASES.keys()])];
}
