import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { unsetVariables } from '../../mcp/expand-variables.ts';
import { expandForExtension } from '../../ports/extension-folder.ts';
import { isOwnKey } from '../../processes/shell/clean-environment.ts';
import type { JsonNode, JsonPath } from '../../text/json-tree.ts';
import { missingText } from './hook-checks.ts';
import { type JsonDocument, quotedIn } from './json-document.ts';
import type { JsonProblem } from './json-problem.ts';
import type { JsonSource } from './json-source.ts';
import { missingPrograms, type ProgramPlaces } from './started-program.ts';

interface WrittenServer {
  readonly path: JsonPath;
  readonly node: JsonNode;
}

/** More than anybody has. Their programs are looked for on the disk. */
const MAX_SERVERS = 200;

function writtenServers({ places }: JsonDocument, { servers }: JsonSource): readonly WrittenServer[] {
  const entries = (servers && places.at([servers.key])?.node?.entries) ?? [];
  const used = entries.flatMap(({ name, node }) =>
    servers && node?.kind === 'object' && !isDisabled(node) ? { path: [servers.key, name], node } : [],
  );
  return used.slice(0, MAX_SERVERS);
}

function isDisabled({ value }: JsonNode): boolean {
  return typeof value === 'object' && value !== null && 'disabled' in value && value.disabled === true;
}

/** The parts of a server in which variables are replaced. */
const WITH_VARIABLES = ['command', 'args', 'env', 'cwd', 'url', 'httpUrl', 'headers'];

/** Variables that are not set. Without a list of those that are, nothing is known. */
export function variableProblems(
  json: JsonDocument,
  source: JsonSource,
  text: string,
  variables: readonly string[],
): readonly JsonProblem[] {
  if (variables.length === 0) return [];
  const names = new Set(variables);
  const isOfProject = source.servers?.scope === 'project';
  // The runtime reports that a project's servers never get its own keys.
  const isSet = (name: string): boolean => names.has(name) || (isOfProject && isOwnKey(name));
  return writtenServers(json, source).flatMap(({ path, node }) =>
    node.entries
      .filter(({ name }) => WITH_VARIABLES.includes(name))
      .flatMap(({ name, node: value }) => (value ? textsIn(value, [...path, name]) : []))
      .flatMap((inner) => unsetIn(inner, json, text, isSet)),
  );
}

interface WrittenText {
  readonly path: JsonPath;
  readonly node: JsonNode;
}

function textsIn(node: JsonNode, path: JsonPath): readonly WrittenText[] {
  if (node.kind === 'string') return [{ path, node }];
  const items = node.items.flatMap((item, at) => textsIn(item, [...path, at]));
  return [...items, ...node.entries.flatMap(({ name, node: inner }) => (inner ? textsIn(inner, [...path, name]) : []))];
}

function unsetIn(
  { path, node }: WrittenText,
  { places }: JsonDocument,
  text: string,
  isSet: (name: string) => boolean,
): readonly JsonProblem[] {
  const inner = quotedIn(text, node)?.inner;
  return unsetVariables(String(node.value), isSet).map(({ name, written, offset, becomes }): JsonProblem => {
    const range =
      inner && places.rangeOfSpan({ start: inner.start + offset, end: inner.start + offset + written.length });
    const said =
      becomes === 'nothing'
        ? l10n.t('The environment variable {0} is not set, so {1} becomes empty.', name, written)
        : l10n.t('The environment variable {0} is not set, so {1} stays as it is.', name, written);
    const place = range ? { line: range.line, range } : places.problemAt(path);
    return { ...place, kind: 'variable', path, severity: 'warning', text: said };
  });
}

/** Servers whose programs or scripts are not there. */
export async function serverProgramProblems(
  json: JsonDocument,
  source: JsonSource,
  places: ProgramPlaces,
): Promise<readonly JsonProblem[]> {
  const found = writtenServers(json, source).map(async ({ path }): Promise<readonly JsonProblem[]> => {
    const textAt = (...below: JsonPath): string => {
      const value = json.places.at([...path, ...below])?.node?.value;
      return typeof value === 'string' ? expanded(value, source) : '';
    };
    const folder = resolve(places.folder, textAt('cwd'));
    // A place that isn't known yet.
    if (folder.includes('$')) return [];
    const [command, script] = [textAt('command'), textAt('args', 0)];
    const words = [command, script].map((word) => ({ text: word, start: 0, end: 0 }));
    const missing = await missingPrograms(words, { ...places, folder });
    return missing.map(({ text, isFile }) => {
      const here = [...path, ...(text === command ? ['command'] : ['args', 0])];
      const place = json.places.problemAt(here);
      return { ...place, kind: 'program', path: here, severity: 'warning', text: missingText(text, isFile) };
    });
  });
  return (await Promise.all(found)).flat();
}

function expanded(text: string, { extension, folder }: JsonSource): string {
  const ofExtension = extension ? expandForExtension(text, extension, folder) : text;
  return folder === undefined ? ofExtension : ofExtension.replace(/\$\{workspace(?:Folder|Path)\}/g, () => folder);
}
