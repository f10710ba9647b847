import { type DocumentSymbol, type FoldingRange, SymbolKind } from 'vscode-languageserver-types';
import { inFile } from '../../text/text-range.ts';
import type { YamlNode } from '../../text/yaml-tree.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { SemanticToken } from '../semantic-tokens.ts';
import { MAX_LENGTH, type Matter, matterOf, textsIn } from './matter.ts';

/** The keys of the front matter, and the headings of the text below. */
export function matterOutline(file: ConfigDocument): readonly DocumentSymbol[] {
  const matter = matterOf(file);
  return [...(matter?.root ? symbolsOf(file, matter, matter.root) : []), ...headingSymbols(file)];
}

function symbolsOf(file: ConfigDocument, matter: Matter, node: YamlNode): readonly DocumentSymbol[] {
  const ofKeys = node.entries.map(({ name, key, node: value }): DocumentSymbol => {
    const range = file.rangeOf(inFile(matter, { start: key.start, end: Math.max(key.end, value.end) }));
    const detail = shortValue(value);
    return {
      // A name must not be empty.
      name: name || '""',
      kind: KINDS[value.kind],
      range,
      selectionRange: file.rangeOf(inFile(matter, key)),
      ...(detail !== undefined && { detail }),
      children: [...symbolsOf(file, matter, value)],
    };
  });
  const ofItems = node.items
    .filter(({ kind }) => kind === 'object')
    .map((item): DocumentSymbol => {
      const range = file.rangeOf(inFile(matter, item));
      const name = item.entries.find((entry) => entry.name === 'name')?.node.value;
      const children = [...symbolsOf(file, matter, item)];
      return { name: `${name ?? '-'}`, kind: SymbolKind.Object, range, selectionRange: range, children };
    });
  return [...ofKeys, ...ofItems];
}

const KINDS: Readonly<Record<YamlNode['kind'], SymbolKind>> = {
  object: SymbolKind.Object,
  list: SymbolKind.Array,
  string: SymbolKind.String,
  number: SymbolKind.Number,
  boolean: SymbolKind.Boolean,
  null: SymbolKind.Null,
};

/** More does not fit in the outline. */
const MAX_DETAIL = 60;

function shortValue({ kind, value, items }: YamlNode): string | undefined {
  if (kind === 'list') return items.every((item) => item.kind === 'string') ? shortened(String(value)) : undefined;
  return kind === 'object' || kind === 'null' ? undefined : shortened(String(value));
}

function shortened(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > MAX_DETAIL ? `${line.slice(0, MAX_DETAIL)}…` : line;
}

interface Heading {
  readonly level: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The headings of Markdown with their text up to the next heading of the same or a higher level. */
export function headingSymbols(file: ConfigDocument): readonly DocumentSymbol[] {
  const ended = withEnds(headingsOf(file.text), file.text.length);
  const top: DocumentSymbol[] = [];
  const open: { readonly level: number; readonly children: DocumentSymbol[] }[] = [];
  for (const { level, name, start, end, until } of ended) {
    const children: DocumentSymbol[] = [];
    const range = file.rangeOf({ start, end: start + file.text.slice(start, until).trimEnd().length });
    const symbol = { name, kind: SymbolKind.String, range, selectionRange: file.rangeOf({ start, end }), children };
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    (open.at(-1)?.children ?? top).push(symbol);
    open.push({ level, children });
  }
  return top;
}

/** Each heading with the place of the next one of the same or a higher level. */
function withEnds(headings: readonly Heading[], end: number): readonly (Heading & { readonly until: number })[] {
  const next = Array.from({ length: 7 }, () => end);
  const ended = headings.toReversed().map((heading) => {
    const until = Math.min(...next.slice(0, heading.level + 1));
    next[heading.level] = heading.start;
    return { ...heading, until };
  });
  return ended.reverse();
}

/** More than anybody finds something in. */
const MAX_HEADINGS = 2000;

function headingsOf(text: string): readonly Heading[] {
  if (text.length > MAX_LENGTH) return [];
  const headings: Heading[] = [];
  let fence: string | undefined;
  for (const { 0: line, index } of text.matchAll(/^.*$/gm)) {
    const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== '' && fence === undefined) fence = mark;
    else if (fence !== undefined && mark.startsWith(fence)) fence = undefined;
    const [, marks = '', rest = ''] = (fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(.*)/.exec(line) : null) ?? [];
    const name = withoutClosing(rest);
    if (name === '') continue;
    headings.push({ level: marks.length, name: shortened(name), start: index, end: index + line.length });
    if (headings.length === MAX_HEADINGS) break;
  }
  return headings;
}

/** A heading may end with marks as well. */
function withoutClosing(heading: string): string {
  let end = heading.length;
  while (end > 0 && ' \t\r#'.includes(heading[end - 1] ?? '')) end--;
  return heading.slice(0, end);
}

/** The front matter, and the parts below headings. */
export function matterFolding(file: ConfigDocument): readonly FoldingRange[] {
  const matter = matterOf(file);
  const ofKeys = matter?.root ? symbolsOf(file, matter, matter.root) : [];
  const header = matter && file.rangeOf({ start: 0, end: matter.offset + matter.header.length });
  const whole = header && header.end.line > 0 ? [{ startLine: 0, endLine: header.end.line + 1 }] : [];
  return [...whole, ...foldsOf([...ofKeys, ...headingSymbols(file)])];
}

export function foldsOf(symbols: readonly DocumentSymbol[]): readonly FoldingRange[] {
  return symbols.flatMap(({ range: { start, end }, children = [] }) => [
    ...(end.line > start.line ? [{ startLine: start.line, endLine: end.line }] : []),
    ...foldsOf(children),
  ]);
}

/** Marks the variables in the front matter, which look like any other text otherwise. */
export function variableTokens(
  file: ConfigDocument,
  isVariable: (path: readonly (string | number)[]) => boolean,
): readonly SemanticToken[] {
  const matter = matterOf(file);
  if (!matter?.root) return [];
  return [...textsIn(matter.root)].flatMap(({ path, node }) => {
    if (!isVariable(path)) return [];
    const written = matter.header.slice(node.start, node.end);
    return [...written.matchAll(/\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*(?::-[^}]*)?\})/g)].map(({ index, 0: whole }) => {
      const start = matter.offset + node.start + index;
      return { type: 'keyword' as const, start, end: start + whole.length };
    });
  });
}
