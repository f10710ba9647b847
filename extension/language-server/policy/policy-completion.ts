import * as l10n from '@vscode/l10n';
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  MarkupKind,
  type Range,
} from 'vscode-languageserver-types';
import type { Tier } from '../../policy/policy-types.ts';
import { isShellTool, SHELL_TOOL } from '../../policy/rules/known-tools.ts';
import { inFile, type Span } from '../../text/text-range.ts';
import { entryOf } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { type Cursor, cursorAt } from './policy-cursor.ts';
import { type KeyText, keysOf, type ValueKind } from './policy-keys.ts';
import { tableAt, textsUnder, type WrittenTable } from './policy-syntax.ts';
import { type KnownValue, knownValues, type TableFacts } from './policy-values.ts';
import { prioritiesFor } from './rule-neighbours.ts';

/** Proposes what can be written at the cursor, also in text that is half typed. */
export async function policyCompletions(
  file: ConfigDocument,
  offset: number,
  tier: Tier,
  workspace: Workspace,
): Promise<readonly CompletionItem[]> {
  const ways = { snippets: workspace.options.can.snippets, asksAgain: workspace.options.commands.includes(SUGGEST) };
  const line = file.text.slice(file.text.lastIndexOf('\n', offset - 1) + 1, offset);
  const begun = HEADER_START.exec(line)?.[1];
  if (begun !== undefined)
    return tableItems(file, { start: offset - begun.length, end: endOfHeader(file, offset) }, ways);
  const cursor = cursorAt(file, offset);
  if (!cursor) return tableAt(file, offset) ? [] : new Proposals(file, offset, ways).tables(line);
  const proposals = new Proposals(file, offset, ways);
  switch (cursor.what) {
    case 'header':
      return [];
    case 'key':
      return [...proposals.keysAt(cursor), ...(cursor.entry.afterEquals === undefined ? proposals.tables(line) : [])];
    case 'no key':
      return [...proposals.keys(cursor), ...(cursor.inline ? [] : proposals.tables(line))];
    default:
      return proposals.values(cursor, (kind) => factsOf(cursor.table, kind, { file, tier, workspace }), workspace);
  }
}

/** What the client can do with a completion. */
interface Ways {
  readonly snippets: boolean;
  /** It proposes texts for the first place of a snippet when it has inserted it. */
  readonly asksAgain: boolean;
}

/** VS Code's own command. */
const SUGGEST = 'editor.action.triggerSuggest';

/** A header that somebody has begun to write: `[`, `[[`, `[[ru`. */
const HEADER_START = /^[ \t]*(\[\[?[\w-]*)$/;

function endOfHeader(file: ConfigDocument, offset: number): number {
  return offset + (/^[\w-]*\]{0,2}/.exec(file.text.slice(offset))?.[0].length ?? 0);
}

interface Asked {
  readonly file: ConfigDocument;
  readonly tier: Tier;
  readonly workspace: Workspace;
}

async function factsOf(table: WrittenTable, kind: ValueKind, asked: Asked): Promise<TableFacts> {
  const [server] = textsUnder(table, 'mcpName');
  const tools = textsUnder(table, 'toolName').map(({ text }) => text);
  return {
    tools,
    server: server?.text === '*' ? undefined : server?.text,
    priorities: kind === 'priority' ? await prioritiesFor(table, asked.file, asked.tier, asked.workspace) : [],
  };
}

type KeyCursor = Extract<Cursor, { what: 'key' }>;
type PlaceForKey = Extract<Cursor, { what: 'no key' }>;
type PlaceForValue = Exclude<Cursor, { what: 'key' | 'no key' | 'header' }>;

class Proposals {
  constructor(
    private readonly file: ConfigDocument,
    private readonly offset: number,
    private readonly ways: Ways,
  ) {}

  /** `[[rule]]` and `[[safety_checker]]`, where only blanks or a word are before the cursor. */
  tables(line: string): readonly CompletionItem[] {
    const { file, offset } = this;
    const [word] = /[\w-]*$/.exec(line) ?? [''];
    if (line.trim() !== word) return [];
    return tableItems(file, { start: offset - word.length, end: offset }, this.ways);
  }

  keys({ table, path, taken }: PlaceForKey): readonly CompletionItem[] {
    const range = this.file.rangeOf({ start: this.offset, end: this.offset });
    return this.keyItems(table, path, taken, range, true);
  }

  /** Another key in place of the one that is being written. */
  keysAt({ table, path, span, entry }: KeyCursor): readonly CompletionItem[] {
    const above = path.slice(0, -1);
    const block = [table, ...table.below].find(({ entries }) => entries.includes(entry));
    const others = (block?.entries ?? []).filter((one) => one !== entry);
    return this.keyItems(table, above, others, this.range(table, span), entry.afterEquals === undefined);
  }

  async values(
    cursor: PlaceForValue,
    factsFor: (kind: ValueKind) => Promise<TableFacts>,
    workspace: Workspace,
  ): Promise<readonly CompletionItem[]> {
    const { table, path } = cursor;
    const key = keysOf(table.kind, path.slice(0, -1))[path.at(-1) ?? ''];
    if (!key) return [];
    const values = await knownValues(key.values, await factsFor(key.values), workspace);
    const taken = takenTexts(cursor);
    return values
      .filter(({ text }) => !taken.has(text))
      .map((value, index) => this.valueItem(value, this.placed(value, cursor, key), index));
  }

  private keyItems(
    table: WrittenTable,
    path: readonly string[],
    taken: WrittenTable['entries'],
    range: Range,
    withValue: boolean,
  ): readonly CompletionItem[] {
    const names = new Set(taken.map(({ names: [name] }) => name?.text));
    const keys = Object.entries(keysOf(table.kind, path));
    const proposed = keys.filter(([name, key]) => !names.has(name) && !key.isOld && isPossible(name, path, table));
    return proposed.map(([label, key], index) => ({
      label,
      kind: CompletionItemKind.Property,
      documentation: { kind: MarkupKind.Markdown, value: key.about() },
      sortText: `${key.isRequired ? 0 : 1}${String(index).padStart(3, '0')}`,
      ...(withValue
        ? this.inserted(range, `${label} = ${placeholder(key)}`, `${label} = `)
        : { textEdit: { range, newText: label } }),
    }));
  }

  private inserted(range: Range, snippet: string, text: string): Partial<CompletionItem> {
    if (!this.ways.snippets) return { textEdit: { range, newText: text } };
    return asSnippet(range, snippet, this.ways);
  }

  private valueItem(
    { text, detail, about, kind }: KnownValue,
    { span, written }: Placed,
    index: number,
  ): CompletionItem {
    return {
      label: text,
      kind,
      ...(detail !== undefined && { detail }),
      ...(about !== undefined && { documentation: { kind: MarkupKind.Markdown, value: about } }),
      // What the client compares with the typed text must be what that text begins.
      filterText: /^["']/.exec(this.file.text.slice(span.start, span.end))?.[0].concat(text) ?? text,
      sortText: String(index).padStart(4, '0'),
      textEdit: { range: this.file.rangeOf(span), newText: written },
    };
  }

  /** How a value is written there: with the quotes, commas and brackets that are missing. */
  private placed(value: KnownValue, cursor: PlaceForValue, key: KeyText): Placed {
    const { table } = cursor;
    const quoted = value.isText ? JSON.stringify(value.text) : value.text;
    if (cursor.what === 'value') {
      const { list, text } = cursor;
      const end = list?.isOpen && list.items.at(-1) === cursor.value ? ']' : '';
      if (text === undefined) {
        const whole = key.list === 'must' && !list ? `[${quoted}]` : quoted;
        return { span: inFile(table, cursor.value), written: `${whole}${end}` };
      }
      return this.inText(value.text, cursor, end);
    }
    const here = { start: this.offset, end: this.offset };
    if (cursor.what === 'no value') {
      const blank = this.file.text[this.offset - 1] === '=' ? ' ' : '';
      return { span: here, written: `${blank}${key.list === 'must' ? `[${quoted}]` : quoted}` };
    }
    const before = this.file.text.slice(table.offset + cursor.list.start, this.offset).trimEnd();
    const isNext = !before.endsWith('[') && !before.endsWith(',');
    const blank = isNext ? ', ' : this.file.text[this.offset - 1] === ',' ? ' ' : '';
    return { span: here, written: `${blank}${quoted}${cursor.list.isOpen ? ']' : ''}` };
  }

  /** Inside of quotes, whose end may be missing. What is after the cursor belongs to another word then. */
  private inText(text: string, { table, value, span }: Extract<PlaceForValue, { what: 'value' }>, end: string): Placed {
    const quote = table.source[value.start] ?? '"';
    const last = value.isOpen ? this.offset : inFile(table, value).end;
    // A quote can't be written in a text with single quotes.
    if (quote === "'" && text.includes(quote)) {
      return { span: { start: table.offset + value.start, end: last }, written: `${JSON.stringify(text)}${end}` };
    }
    const written = quote === "'" ? text : JSON.stringify(text).slice(1, -1);
    return value.isOpen
      ? { span: { start: table.offset + span.start, end: last }, written: `${written}${quote}${end}` }
      : { span: inFile(table, span), written };
  }

  private range(table: WrittenTable, span: Span): Range {
    return this.file.rangeOf(inFile(table, span));
  }
}

interface Placed {
  /** The text of the file that it replaces. */
  readonly span: Span;
  readonly written: string;
}

function takenTexts(cursor: PlaceForValue): ReadonlySet<string> {
  const list = cursor.what === 'in list' ? cursor.list : cursor.what === 'value' ? cursor.list : undefined;
  const others = (list?.items ?? []).filter((item) => cursor.what !== 'value' || item !== cursor.value);
  return new Set(others.map(({ start, end }) => cursor.table.source.slice(start + 1, end - 1)));
}

/** Some keys exclude each other, and commands are only in calls of the shell tool. */
function isPossible(name: string, path: readonly string[], table: WrittenTable): boolean {
  if (path.length > 0) return true;
  const has = (key: string): boolean => entryOf(table, key) !== undefined;
  const tools = textsUnder(table, 'toolName').map(({ text }) => text);
  const isCommand = tools.every(isShellTool) && !has('mcpName');
  if (name === 'commandPrefix') return isCommand && !has('commandRegex') && !has('argsPattern');
  if (name === 'commandRegex') return isCommand && !has('commandPrefix') && !has('argsPattern');
  if (name === 'argsPattern') return !has('commandPrefix') && !has('commandRegex');
  if (name === 'allowRedirection') return isCommand && !has('allow_redirection');
  return name !== 'denyMessage' || !has('deny_message');
}

/** As a snippet: the value with places for the cursor. */
function placeholder({ values, list }: KeyText): string {
  const one = SNIPPETS[values] ?? '"$1"';
  return list === 'must' ? `[${one}]` : one;
}

const SNIPPETS: Partial<Readonly<Record<ValueKind, string>>> = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: this is the syntax of snippets
  // A rule whose decision nobody has chosen allows nothing.
  decision: '"${1|ask_user,allow,deny|}"',
  mode: '"${1|plan,default,autoEdit,yolo|}"',
  boolean: '${1|true,false|}',
  priority: '${1:100}',
  annotations: '{ ${1|readOnlyHint,destructiveHint,idempotentHint,openWorldHint|} = ${2|true,false|} }',
  checker: '{ type = "in-process", name = "allowed-path" }',
  'checker type': '"in-process"',
  'checker name': '"allowed-path"',
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: this is the syntax of snippets
};

const RULE = [
  '[[rule]]',
  'toolName = "$1"',
  `decision = ${SNIPPETS.decision?.replace('1', '2')}`,
  `priority = \${3:100}`,
  '$0',
];
const COMMAND_RULE = [
  '[[rule]]',
  `toolName = "${SHELL_TOOL}"`,
  'commandPrefix = "$1"',
  `decision = ${SNIPPETS.decision?.replace('1', '2')}`,
  `priority = \${3:100}`,
  '$0',
];
const CHECKER = ['[[safety_checker]]', 'toolName = "$1"', `checker = ${SNIPPETS.checker}`, '$0'];

function tableItems(file: ConfigDocument, span: Span, ways: Ways): readonly CompletionItem[] {
  const range = file.rangeOf(span);
  const items = [
    { label: '[[rule]]', detail: l10n.t('a rule'), lines: RULE },
    { label: '[[rule]] commandPrefix', detail: l10n.t('a rule for commands'), lines: COMMAND_RULE },
    { label: '[[safety_checker]]', detail: l10n.t('a check of calls that the rules do not refuse'), lines: CHECKER },
  ];
  return (ways.snippets ? items : items.filter(({ label }) => !label.includes(' '))).map(
    ({ label, detail, lines }, at) => ({
      label,
      detail,
      kind: CompletionItemKind.Snippet,
      // Clients compare what is typed with it, and a word without brackets should find it as well.
      filterText: file.text.slice(span.start, span.end).startsWith('[') ? label : label.replaceAll(/[[\]]/g, ''),
      sortText: `9${at}`,
      ...(ways.snippets ? asSnippet(range, lines.join('\n'), ways) : { textEdit: { range, newText: `${label}\n` } }),
    }),
  );
}

function asSnippet(range: Range, newText: string, { asksAgain }: Ways): Partial<CompletionItem> {
  // The first place is an empty text. The others have their choices in the snippet.
  const isNext = asksAgain && newText.includes('"$1"');
  return {
    textEdit: { range, newText },
    insertTextFormat: InsertTextFormat.Snippet,
    ...(isNext && { command: { title: '', command: SUGGEST } }),
  };
}
