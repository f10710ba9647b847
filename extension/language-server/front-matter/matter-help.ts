import {
  type CompletionItem,
  CompletionItemKind,
  type Hover,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
} from 'vscode-languageserver-types';
import { inFile } from '../../text/text-range.ts';
import type { YamlNode } from '../../text/yaml-tree.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { JsonSchema } from '../json/json-schema.ts';
import type { Workspace } from '../workspace.ts';
import { type Matter, matterAt, matterOf, nodeAtPath } from './matter.ts';
import { type YamlCursor, type YamlPath, yamlCursor } from './yaml-cursor.ts';
import { isOfType, isRequiredKey, keysIn, listedValues, schemasFor } from './yaml-schema.ts';

export interface MatterValue {
  readonly text: string;
  readonly kind: CompletionItemKind;
  readonly detail?: string;
  /** In Markdown. */
  readonly about?: string;
}

/** What is known about the keys and values of one kind of front matter. */
export interface MatterVocabulary {
  /** The schemas that the front matter can have, by what is written in it. */
  schemas(root: YamlNode | undefined): readonly JsonSchema[];
  /** The values to choose from, the most likely ones first, besides those that the schema lists. */
  values?(key: string, path: YamlPath, matter: Matter, workspace: Workspace): Promise<readonly MatterValue[]>;
  /** What a value means, in Markdown. */
  about?(key: string, value: string, workspace: Workspace): Promise<string | undefined>;
}

/** The names of the keys to a value, joined by dots, without the places in lists. */
export function keyOf(path: YamlPath): string {
  return path.filter((step) => typeof step === 'string').join('.');
}

export async function matterCompletions(
  file: ConfigDocument,
  offset: number,
  vocabulary: MatterVocabulary,
  workspace: Workspace,
): Promise<readonly CompletionItem[]> {
  const matter = matterOf(file);
  if (!matter || offset < matter.offset || offset > matter.offset + matter.header.length) return [];
  const cursor = yamlCursor(matter.header, offset - matter.offset);
  if (!cursor) return [];
  const { root } = matter;
  const schemas = schemasFor(vocabulary.schemas(root), cursor.path, root);
  const isObject = isOfType(schemas, 'object');
  if (cursor.at === 'key' || (cursor.at === 'word' && isObject))
    return keyItems(file, matter, cursor, schemas, workspace);
  return isObject ? [] : valueItems(file, matter, cursor, schemas, vocabulary, workspace);
}

function keyItems(
  file: ConfigDocument,
  matter: Matter,
  { written, keys, hasColon }: YamlCursor,
  schemas: readonly JsonSchema[],
  workspace: Workspace,
): readonly CompletionItem[] {
  const range = file.rangeOf(inFile(matter, written));
  const { snippets } = workspace.options.can;
  return [...keysIn(schemas)]
    .filter(([key]) => !keys.includes(key))
    .map(([label, schema], index): CompletionItem => {
      const rest = hasColon ? '' : `:${snippets ? placeholder(schema) : ' '}`;
      return {
        label,
        kind: CompletionItemKind.Property,
        ...(schema.description !== undefined && markdown(schema.description)),
        sortText: `${isRequiredKey(schemas, label) ? 0 : 1}${String(index).padStart(3, '0')}`,
        textEdit: { range, newText: label + rest },
        ...(snippets && { insertTextFormat: InsertTextFormat.Snippet }),
        ...(rest.includes('\n') && { insertTextMode: InsertTextMode.adjustIndentation }),
      };
    });
}

function placeholder(schema: JsonSchema): string {
  const alternatives = [schema, ...(schema.anyOf ?? [])];
  const values = listedValues(alternatives);
  if (values.length === 1) return ` ${values[0] ?? ''}`;
  if (values.length > 1) return ` \${1|${values.join(',')}|}`;
  if (isOfType(alternatives, 'array')) return ' [$0]';
  return isOfType(alternatives, 'object') ? '\n  $0' : ' $0';
}

async function valueItems(
  file: ConfigDocument,
  matter: Matter,
  { path, written, gap, at }: YamlCursor,
  schemas: readonly JsonSchema[],
  vocabulary: MatterVocabulary,
  workspace: Workspace,
): Promise<readonly CompletionItem[]> {
  const listed = listedValues(schemas).map((text): MatterValue => ({ text, kind: CompletionItemKind.EnumMember }));
  const known = (await vocabulary.values?.(keyOf(path), path, matter, workspace)) ?? [];
  const isList = isOfType(schemas, 'array');
  const taken = new Set(isList ? [] : othersInList(matter, path));
  const before = matter.header.slice(written.start, written.end);
  const quote = /^["']/.exec(before)?.[0] ?? '';
  const range = file.rangeOf(inFile(matter, written));
  return [...listed, ...known]
    .filter(({ text }) => !taken.has(text))
    .map(({ text, kind, detail, about }, index): CompletionItem => {
      const value = yamlText(text, quote);
      const inList = at === 'word' ? `- ${value}` : `[${value}]`;
      return {
        label: text,
        kind,
        ...(detail !== undefined && { detail }),
        ...(about !== undefined && markdown(about)),
        sortText: String(index).padStart(4, '0'),
        ...(quote !== '' && { filterText: quote + text }),
        textEdit: { range, newText: gap + (isList ? inList : value) },
      };
    });
}

function othersInList({ root }: Matter, path: YamlPath): readonly unknown[] {
  const index = path.at(-1);
  const list = typeof index === 'number' ? nodeAtPath(root, path.slice(0, -1)) : undefined;
  return list?.items.filter((_, at) => at !== index).map(({ value }) => value) ?? [];
}

/** A text as a value of YAML, in quotes where it would mean something else without them. */
export function yamlText(text: string, quote = ''): string {
  if (quote === "'") return `'${text.replaceAll("'", "''")}'`;
  const isPlain =
    /^[A-Za-z$/.](?:[\w$/.*,()-]|[: ](?=\S))*$/.test(text) && !/: | #|^(?:true|false|null|~)$/i.test(text);
  return quote === '' && isPlain ? text : JSON.stringify(text);
}

export async function matterHover(
  file: ConfigDocument,
  offset: number,
  vocabulary: MatterVocabulary,
  workspace: Workspace,
): Promise<Hover | undefined> {
  const matter = matterOf(file);
  const place = matter && matterAt(matter, offset);
  if (!matter || !place) return undefined;
  const { path, part, node, span } = place;
  const range = file.rangeOf(inFile(matter, span));
  const hover = (value: string): Hover => ({ contents: { kind: MarkupKind.Markdown, value }, range });
  const about =
    part === 'value' && typeof node.value === 'string'
      ? await vocabulary.about?.(keyOf(path), node.value, workspace)
      : undefined;
  if (about !== undefined) return hover(about);
  if (part === 'value') return undefined;
  const { description } = schemasFor(vocabulary.schemas(matter.root), path, matter.root)[0] ?? {};
  return description === undefined ? undefined : hover(description);
}

function markdown(value: string): Pick<CompletionItem, 'documentation'> {
  return { documentation: { kind: MarkupKind.Markdown, value } };
}
