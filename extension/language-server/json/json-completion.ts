import { type CompletionItem, CompletionItemKind, type Range } from 'vscode-languageserver-types';
import { definedTogether } from '../config-catalogs.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { configSchemas } from './config-schemas.ts';
import { cursorAt, type JsonCursor, jsonOf } from './json-document.ts';
import { type JsonSchema, schemasAt } from './json-schema.ts';
import { type JsonSource, settingPathOf } from './json-source.ts';
import { type KnownValue, knownValues, namedAt, namedByKey } from './known-values.ts';

/** Proposes names that a schema can't know. For clients without the schemas, also what these say. */
export async function jsonCompletions(
  file: ConfigDocument,
  offset: number,
  source: JsonSource,
  workspace: Workspace,
): Promise<readonly CompletionItem[]> {
  const cursor = cursorAt(jsonOf(file), file.text, offset);
  if (!cursor) return [];
  const range = file.rangeOf(cursor.written ?? { start: offset, end: offset });
  const named = await namesAt(cursor, file, source, workspace);
  const ofSchema = workspace.options.schemas ? [] : valuesOfSchema(cursor, source);
  const taken = takenBeside(cursor);
  return [...named, ...ofSchema]
    .filter(({ text }) => !taken.has(text))
    .map((value, at) => itemFor(value, cursor, range, at));
}

/** JSON that is written, and a name for people. */
interface Proposal extends KnownValue {
  /** If it isn't the name in quotes. */
  readonly written?: string;
}

async function namesAt(
  { at, path }: JsonCursor,
  file: ConfigDocument,
  source: JsonSource,
  workspace: Workspace,
): Promise<readonly Proposal[]> {
  const place = settingPathOf(source, path);
  const thing = at === 'key' ? namedByKey(place) : namedAt(place);
  if (thing === undefined) return [];
  return knownValues(thing, place, { json: jsonOf(file), defined: await definedTogether(workspace) });
}

/** Keys that are there already, and items of the list. */
function takenBeside({ at, around, written }: JsonCursor): ReadonlySet<string> {
  if (at === 'key') {
    const others = around?.entries.filter(({ key }) => key.start !== written?.start) ?? [];
    return new Set(others.map(({ name }) => name));
  }
  if (around?.kind !== 'list') return new Set();
  const others = around.items.filter(({ start }) => start !== written?.start);
  return new Set(others.map(({ value }) => String(value)));
}

function valuesOfSchema({ at, path }: JsonCursor, { kind }: JsonSource): readonly Proposal[] {
  const schema = configSchemas()[kind];
  if (at === 'value') return schemasAt(schema, path).flatMap(constantsOf);
  return schemasAt(schema, path.slice(0, -1)).flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([, { doNotSuggest }]) => !doNotSuggest)
      .map(([text, { description }]) => ({
        text,
        kind: CompletionItemKind.Property,
        ...(description !== undefined && { about: description }),
      })),
  );
}

function constantsOf({ type, const: only, enum: several = [] }: JsonSchema): readonly Proposal[] {
  const values = only === undefined ? several : [only];
  const all = type === 'boolean' && values.length === 0 ? [true, false] : values;
  return all.map((value) => ({ text: String(value), written: JSON.stringify(value), kind: CompletionItemKind.Value }));
}

function itemFor(
  { text, kind, detail, about, written }: Proposal,
  cursor: JsonCursor,
  range: Range,
  at: number,
): CompletionItem {
  const json = written ?? JSON.stringify(text);
  const hasColon = cursor.at === 'value' || cursor.around?.entries.some(isFinished(cursor));
  return {
    label: text,
    kind,
    ...(detail !== undefined && { detail }),
    ...(about !== undefined && { documentation: about }),
    // As they are written, because clients compare them with what is there, quotes included.
    filterText: json,
    sortText: String(at).padStart(4, '0'),
    textEdit: { range, newText: hasColon ? json : `${json}: ` },
  };
}

function isFinished({
  written,
}: JsonCursor): (entry: { readonly key: { readonly start: number }; readonly afterColon?: number }) => boolean {
  return ({ key, afterColon }) => key.start === written?.start && afterColon !== undefined;
}
