import * as l10n from '@vscode/l10n';
import { type CodeAction, CodeActionKind, type Range, type TextEdit } from 'vscode-languageserver-types';
import { unappliedKey } from '../../gemini-config/unapplied.ts';
import { HOOK_EVENTS } from '../../hooks/hook-types.ts';
import type { JsonNode, JsonPath } from '../../text/json-tree.ts';
import { namesLike } from '../../text/nearest-names.ts';
import type { Span } from '../../text/text-range.ts';
import { type ConfigDocument, toLspRange } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { configSchemas } from './config-schemas.ts';
import { jsonProblems } from './json-checks.ts';
import { type JsonDocument, jsonOf } from './json-document.ts';
import { type JsonProblem, jsonDiagnostic } from './json-problem.ts';
import { schemasAt } from './json-schema.ts';
import { type JsonSource, settingPathOf } from './json-source.ts';
import { knownValues, namedAt } from './known-values.ts';

/** What mends the problems in a part of a file. */
export async function jsonActions(
  file: ConfigDocument,
  range: Range,
  source: JsonSource,
  workspace: Workspace,
): Promise<readonly CodeAction[]> {
  const problems = await jsonProblems(file, source, workspace);
  return problems
    .filter((problem) => problem.range && overlaps(toLspRange(problem.range), range))
    .flatMap((problem) =>
      editsFor(problem, file, source).map(({ title, ...edit }, at): CodeAction => {
        const edits: TextEdit[] = [{ range: file.rangeOf(edit), newText: edit.text }];
        return {
          title,
          kind: CodeActionKind.QuickFix,
          diagnostics: [jsonDiagnostic(problem, workspace)],
          // The first is the one that people want almost always.
          isPreferred: at === 0,
          edit: { changes: { [file.uri]: edits } },
        };
      }),
    );
}

function overlaps(one: Range, other: Range): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(left: Range['start'], right: Range['start']): boolean {
  return left.line < right.line || (left.line === right.line && left.character < right.character);
}

interface TitledEdit extends Span {
  readonly title: string;
  readonly text: string;
}

function editsFor(problem: JsonProblem, file: ConfigDocument, source: JsonSource): readonly TitledEdit[] {
  const json = jsonOf(file);
  const start = problem.range && file.offsetAt(toLspRange(problem.range).start);
  const path = problem.path ?? (start === undefined ? undefined : pathAt(start, json.root));
  if (!path) return [];
  const replaced = (problem.meant ?? meantAt(path, json, source)).flatMap((name): TitledEdit[] => {
    const span = writtenName(path, start, json);
    return span ? [{ ...span, title: l10n.t('Change to "{0}"', name), text: JSON.stringify(name) }] : [];
  });
  const removed = isRemovable(problem, path) ? removal(wholePath(path, json, source), json) : undefined;
  return removed ? [...replaced, { ...removed, title: l10n.t('Remove {0}', nameOf(path)), text: '' }] : replaced;
}

/** The path of the key or value that begins at an offset. */
function pathAt(offset: number, node: JsonNode | undefined, path: JsonPath = []): JsonPath | undefined {
  if (!node || offset < node.start || offset >= node.end) return undefined;
  if (node.start === offset) return path;
  const item = node.items.findIndex(({ start, end }) => start <= offset && offset < end);
  if (item !== -1) return pathAt(offset, node.items[item], [...path, item]);
  const entry = node.entries.find(({ key, node: inner }) => key.start <= offset && offset < (inner ?? key).end);
  if (!entry) return undefined;
  return entry.key.start === offset ? [...path, entry.name] : pathAt(offset, entry.node, [...path, entry.name]);
}

/** What is probably meant by an unknown key, or by a name that is none. */
function meantAt(path: JsonPath, json: JsonDocument, source: JsonSource): readonly string[] {
  const place = settingPathOf(source, path);
  const name = path.at(-1);
  const { node } = json.places.at(path) ?? {};
  const thing = namedAt(place);
  if (thing !== undefined && typeof node?.value === 'string') {
    const known = knownValues(thing, place, { json, defined: undefined }).map(({ text }) => text);
    return known.includes(node.value) ? [] : namesLike(node.value, known, 1);
  }
  if (typeof name !== 'string') return [];
  const around = schemasAt(configSchemas()[source.kind], path.slice(0, -1));
  const known = new Set(around.flatMap(({ properties = {} }) => Object.keys(properties)));
  const others = json.places.at(path.slice(0, -1))?.node?.entries ?? [];
  if (known.has(name)) return [];
  return namesLike(name, known, 1).filter((meant) => !others.some((entry) => entry.name === meant));
}

/** The text that has the name: the key, or the value. */
function writtenName(path: JsonPath, start: number | undefined, { places }: JsonDocument): Span | undefined {
  const { entry, node } = places.at(path) ?? {};
  if (entry?.key.start === start) return entry?.key;
  return node?.kind === 'string' ? node : undefined;
}

/** Whether the file means the same without this key, as far as the runtime goes. */
function isRemovable({ kind, isNeedless }: JsonProblem, path: JsonPath): boolean {
  if (isNeedless) return true;
  if (kind === 'hooks')
    return path.length === 2 && path[0] === 'hooks' && !HOOK_EVENTS.some((event) => event === path[1]);
  if (kind === 'servers') return path.length === 3 && path[2] === 'trust';
  return kind === 'agents' && path.length === 4 && path[3] === 'mcpServers';
}

/** Without its only key, an empty section would stay, which isn't applied either. */
function wholePath(path: JsonPath, json: JsonDocument, source: JsonSource): JsonPath {
  const around = path.slice(0, -1);
  const key = settingPathOf(source, around).join('.');
  const isAlone = json.places.at(around)?.node?.entries.length === 1;
  const isUnapplied = unappliedKey({ key, path: [], value: {} }, source.layer ?? 'user') !== undefined;
  return source.kind === 'settings' && isAlone && isUnapplied ? wholePath(around, json, source) : path;
}

/** A key or an item with its comma. */
function removal(path: JsonPath, { places }: JsonDocument): Span | undefined {
  const { entry, node } = places.at(path) ?? {};
  const around = places.at(path.slice(0, -1))?.node;
  if (!around || path.length === 0) return undefined;
  const members = membersOf(around);
  const at = members.findIndex(({ start }) => start === (entry ? entry.key.start : node?.start));
  const [before, member, after] = [members[at - 1], members[at], members[at + 1]];
  if (!member) return undefined;
  if (after) return { start: member.start, end: after.start };
  return before ? { start: before.end, end: member.end } : member;
}

function membersOf({ entries, items }: JsonNode): readonly Span[] {
  return [...items, ...entries.map(({ key, node }) => ({ start: key.start, end: node?.end ?? key.end }))];
}

function nameOf(path: JsonPath): string {
  const names = path.filter((step) => typeof step === 'string');
  return `"${names.at(-1) ?? ''}"`;
}
