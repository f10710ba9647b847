import * as l10n from '@vscode/l10n';
import { isToolName } from '../../agents/agent-tools.ts';
import { FLAT_KEYS } from '../../gemini-config/flat-keys.ts';
import { settingKeys } from '../../gemini-config/setting-keys.ts';
import { CLASS_NAMES, readEntry } from '../../gemini-config/tool-entry.ts';
import { KNOWN_TOOLS } from '../../policy/rules/known-tools.ts';
import type { JsonNode, JsonPath } from '../../text/json-tree.ts';
import { namesLike } from '../../text/nearest-names.ts';
import type { JsonDocument } from './json-document.ts';
import type { JsonProblem } from './json-problem.ts';
import { type JsonSource, settingPathOf } from './json-source.ts';
import { type KnownFrom, knownValues, type NamedThing, namedAt, namedByKey } from './known-values.ts';

/** More than any settings have. Each is compared with all that are known, which takes a tenth of a millisecond. */
const MAX_NAMES = 2000;

/** Names that nothing has, as far as the files of the workspace are known. */
export function nameProblems(source: JsonSource, json: JsonDocument, from: KnownFrom): readonly JsonProblem[] {
  const named = leavesOf(json.root, []).flatMap(({ path, node, isKey }) => {
    const place = settingPathOf(source, path);
    const thing = isKey ? namedByKey(place) : namedAt(place);
    const name = isKey ? path.at(-1) : node?.value;
    return thing === undefined || typeof name !== 'string' || place[0] === 'hooks'
      ? []
      : { path, isKey, place, thing, name };
  });
  const knownNames = new Map<NamedThing, readonly string[]>();
  return named.slice(0, MAX_NAMES).flatMap(({ path, isKey, place, thing, name }): JsonProblem[] => {
    const known = knownNames.get(thing) ?? knownValues(thing, place, from).map(({ text }) => text);
    knownNames.set(thing, known);
    const fault = faultOf(thing, name, known, from);
    if (!fault) return [];
    const at = json.places.problemAt(path, { of: isKey ? 'key' : 'value' });
    return [{ ...at, kind: 'name', path, severity: 'warning', ...fault }];
  });
}

type Fault = Pick<JsonProblem, 'text' | 'meant'>;

function faultOf(thing: NamedThing, name: string, known: readonly string[], from: KnownFrom): Fault | undefined {
  switch (thing) {
    case 'tool':
      return toolFault(name, known);
    case 'server':
      return unknownName(name, known, from, (meant) =>
        meant === undefined
          ? l10n.t('No file defines an MCP server "{0}".', name)
          : l10n.t('No file defines an MCP server "{0}". Did you mean "{1}"?', name, meant),
      );
    case 'agent':
    case 'agent scope':
      return unknownName(name, known, from, (meant) =>
        meant === undefined
          ? l10n.t('There is no agent "{0}".', name)
          : l10n.t('There is no agent "{0}". Did you mean "{1}"?', name, meant),
      );
    case 'alias':
      return known.includes(name) || !from.defined
        ? undefined
        : { text: l10n.t('There is no alias "{0}".', name), meant: namesLike(name, known, 1) };
    // The reader reports unknown tools of agents, and any other name may be the id of a model.
    default:
      return undefined;
  }
}

/** In Restricted Mode, only the open document is known, so a name may be defined elsewhere. */
function unknownName(
  name: string,
  known: readonly string[],
  { defined }: KnownFrom,
  text: (meant: string | undefined) => string,
): Fault | undefined {
  if (!defined || known.includes(name)) return undefined;
  const meant = namesLike(name, known, 1);
  return { text: text(meant[0]), meant };
}

/** A name that is almost that of a tool. Any other may be that of a tool of an MCP server. */
function toolFault(written: string, known: readonly string[]): Fault | undefined {
  const { tool } = readEntry(written);
  if (isToolName(tool) || known.includes(tool) || tool.endsWith('*')) return undefined;
  const [meant] = namesLike(tool, [...KNOWN_TOOLS, ...known, ...Object.keys(CLASS_NAMES)], 1);
  if (meant === undefined) return undefined;
  return {
    text: l10n.t('There is no tool "{0}". Did you mean "{1}"?', tool, meant),
    meant: [written.replace(tool, () => meant)],
  };
}

interface Leaf {
  readonly path: JsonPath;
  readonly node: JsonNode | undefined;
  readonly isKey: boolean;
}

/** All keys, and all values that are no objects or lists. */
function leavesOf(node: JsonNode | undefined, path: JsonPath): readonly Leaf[] {
  if (!node) return [];
  const isLeaf = node.kind !== 'object' && node.kind !== 'list';
  return [
    ...(isLeaf ? [{ path, node, isKey: false }] : []),
    ...node.items.flatMap((item, at) => leavesOf(item, [...path, at])),
    ...node.entries.flatMap(({ name, node: inner }) => [
      { path: [...path, name], node: inner, isKey: true },
      ...leavesOf(inner, [...path, name]),
    ]),
  ];
}

/** Settings that are almost those of Gemini CLI. Any other may be a new one. */
export function keyProblems(source: JsonSource, json: JsonDocument): readonly JsonProblem[] {
  if (source.kind !== 'settings') return [];
  return unknownKeys(json.root, [], namesBySection())
    .slice(0, MAX_NAMES)
    .map(({ path, meant }) => ({
      ...json.places.problemAt(path, { of: 'key' }),
      kind: 'key',
      path,
      severity: 'warning',
      text: l10n.t('Neither Gantry nor Gemini CLI knows "{0}". Did you mean "{1}"?', path.join('.'), meant),
      meant: [meant],
    }));
}

/** The names in each section of the settings. */
function namesBySection(): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { key } of settingKeys()) {
    const steps = key.split('.');
    for (const [at, step] of steps.entries()) {
      const section = steps.slice(0, at).join('.');
      names.set(section, (names.get(section) ?? new Set()).add(step));
    }
  }
  return names;
}

function unknownKeys(
  node: JsonNode | undefined,
  path: readonly string[],
  names: ReadonlyMap<string, ReadonlySet<string>>,
): readonly { readonly path: readonly string[]; readonly meant: string }[] {
  const known = names.get(path.join('.'));
  // The reader of hooks reports unknown events.
  if (!known || path[0] === 'hooks') return [];
  return (node?.entries ?? []).flatMap(({ name, node: inner }) => {
    const here = [...path, name];
    if (known.has(name) || (path.length === 0 && Object.hasOwn(FLAT_KEYS, name)))
      return unknownKeys(inner, here, names);
    const [meant] = namesLike(name, known, 1);
    return meant === undefined ? [] : [{ path: here, meant }];
  });
}
