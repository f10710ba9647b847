import * as l10n from '@vscode/l10n';
import { type Hover, MarkupKind } from 'vscode-languageserver-types';
import type { GeminiSetting } from '../../gemini-config/gemini-settings.ts';
import { settingValues } from '../../gemini-config/setting-values.ts';
import { isEventWithTool } from '../../hooks/hook-types.ts';
import { namedVariables } from '../../mcp/expand-variables.ts';
import { compilePattern } from '../../policy/rules/safe-pattern.ts';
import type { JsonPath } from '../../text/json-tree.ts';
import { oneLine } from '../../text/one-line.ts';
import { type DefinedTogether, definedTogether } from '../config-catalogs.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { configSchemas } from './config-schemas.ts';
import { cursorAt, type JsonCursor, jsonOf } from './json-document.ts';
import { schemasAt } from './json-schema.ts';
import { type JsonSource, settingPathOf } from './json-source.ts';
import { type KnownFrom, knownValues, namedAt, namedByKey } from './known-values.ts';

/** What a key or a value means here, and what counts in the end. Plain text, because files can contain anything. */
export async function jsonHover(
  file: ConfigDocument,
  offset: number,
  source: JsonSource,
  workspace: Workspace,
): Promise<Hover | undefined> {
  const json = jsonOf(file);
  const cursor = cursorAt(json, file.text, offset);
  if (!cursor?.written) return undefined;
  const defined = await definedTogether(workspace);
  const from = { json, defined };
  const parts = [
    ...(workspace.options.schemas ? [] : descriptionsAt(cursor, source)),
    ...aboutName(cursor, source, from),
    ...(defined ? [...aboutServer(cursor, source, defined), ...effectiveValue(cursor, source, defined)] : []),
    ...aboutVariables(cursor, source, from, workspace.options.variables),
  ];
  if (parts.length === 0) return undefined;
  return { contents: { kind: MarkupKind.PlainText, value: parts.join('\n\n') }, range: file.rangeOf(cursor.written) };
}

/** For clients that don't show what the schema says. */
function descriptionsAt({ path }: JsonCursor, { kind }: JsonSource): readonly string[] {
  const found = schemasAt(configSchemas()[kind], path).flatMap(({ description }) => description ?? []);
  return found.slice(0, 1);
}

function aboutName({ at, path }: JsonCursor, source: JsonSource, from: KnownFrom): readonly string[] {
  const place = settingPathOf(source, path);
  const thing = at === 'key' ? namedByKey(place) : namedAt(place);
  const written = at === 'key' ? path.at(-1) : from.json.places.at(path)?.node?.value;
  if (thing === undefined || typeof written !== 'string') return [];
  if (place[0] === 'hooks' && isEventWithTool(String(place[1]))) return [matchedText(written, place, from)];
  const known = knownValues(thing, place, from).find(({ text }) => text === written);
  const { detail, about } = known ?? {};
  return [detail, about].filter((part) => part !== undefined).join('\n') === ''
    ? []
    : [[detail, about].filter((part) => part !== undefined).join('\n')];
}

function matchedText(matcher: string, place: JsonPath, from: KnownFrom): string {
  const compiled = compilePattern(matcher);
  const tools = knownValues('tool', place, from).map(({ text }) => text);
  const matched = 'pattern' in compiled ? tools.filter((tool) => compiled.pattern.test(tool)) : [];
  return matched.length === 0
    ? l10n.t("Matches none of Gantry's own tools.")
    : l10n.t('Matches {0}.', matched.join(', '));
}

/** Which definition of a server counts, and whether it is used. */
function aboutServer({ path, at }: JsonCursor, source: JsonSource, defined: DefinedTogether): readonly string[] {
  const place = settingPathOf(source, path);
  const isName = at === 'key' ? place[0] === 'mcpServers' && place.length === 2 : namedAt(place) === 'server';
  const name = at === 'key' ? place[1] : undefined;
  if (!isName || typeof name !== 'string') return [];
  const server = defined.servers.find((one) => one.name === name);
  if (!server) return [l10n.t('The server is not used.')];
  const { origin, waits } = server;
  const isHere = origin.file === source.path;
  return [
    isHere
      ? l10n.t('This definition is used.')
      : l10n.t('The definition in {0}:{1} is used.', origin.file, origin.line),
    ...(waits ? [l10n.t('It requires approval.')] : []),
  ];
}

/** Settings for which the values of all files count. */
const COMBINED: ReadonlySet<string> = new Set([
  'tools.exclude',
  'mcp.excluded',
  'mcp.allowed',
  'skills.disabled',
  'hooksConfig.disabled',
]);
const SHOWN = 300;

/** The value that counts, and the file that it is from. Only of settings that can't contain secrets. */
function effectiveValue(
  { path, at }: JsonCursor,
  source: JsonSource,
  { settings }: DefinedTogether,
): readonly string[] {
  const place = settingPathOf(source, path);
  const key = keyAt(place);
  if (source.kind !== 'settings' || at !== 'key' || key === undefined || key.split('.').length !== place.length)
    return [];
  const all = settings.all(key);
  if (all.length === 0) return [];
  if (COMBINED.has(key) && all.length > 1)
    return [[l10n.t('The values of all files are combined:'), ...all.map(valueText)].join('\n')];
  const counts = settings.inForce(key);
  return counts ? [l10n.t('In effect: {0}', valueText(counts))] : [];
}

function keyAt(place: JsonPath): string | undefined {
  const key = place.join('.');
  return settingValues().has(key) || COMBINED.has(key) ? key : undefined;
}

function valueText({ value, file }: GeminiSetting): string {
  return l10n.t('{0} (in {1})', oneLine(JSON.stringify(value), SHOWN), file);
}

/** Whether the environment variables in a text are set. Never their values. */
function aboutVariables(
  { at, path }: JsonCursor,
  source: JsonSource,
  { json }: KnownFrom,
  variables: readonly string[],
): readonly string[] {
  const value = json.places.at(path)?.node?.value;
  if (at !== 'value' || variables.length === 0 || typeof value !== 'string') return [];
  if (settingPathOf(source, path)[0] !== 'mcpServers') return [];
  const names = [...new Set(namedVariables(value))].filter((name) => /^\w+$/.test(name));
  return names.map((name) =>
    variables.includes(name) ? l10n.t('{0} is set.', name) : l10n.t('{0} is not set.', name),
  );
}
