import * as l10n from '@vscode/l10n';
import { type DocumentSymbol, type FoldingRange, FoldingRangeKind, SymbolKind } from 'vscode-languageserver-types';
import { inFile, type Span } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';
import { textsUnder, type WrittenTable, writtenParts, writtenTables } from './policy-syntax.ts';

/** The rules of a file, each with what it decides about which calls. */
export function policyOutline(file: ConfigDocument): readonly DocumentSymbol[] {
  return writtenTables(file).map((table) => ({
    name: nameOf(table),
    detail: detailOf(table),
    kind: table.kind === 'rule' ? SymbolKind.Object : SymbolKind.Interface,
    range: file.rangeOf(inFile(table, { start: table.header.start, end: lastOf(table) })),
    selectionRange: file.rangeOf(inFile(table, table.header)),
  }));
}

function nameOf(table: WrittenTable): string {
  const [server] = textsUnder(table, 'mcpName');
  const tools = textsUnder(table, 'toolName').map(({ text }) => text);
  const named = tools.length === 0 ? l10n.t('no tool') : tools.join(', ');
  return server ? l10n.t('{0} of {1}', named, server.text) : named;
}

function detailOf(table: WrittenTable): string {
  const [decision] = textsUnder(table, 'decision');
  const about = ['commandPrefix', 'commandRegex', 'argsPattern'].flatMap((key) => textsUnder(table, key));
  const texts = [...(decision ? [decision.text] : []), ...about.map(({ text }) => text)];
  return table.kind === 'rule' ? texts.join(' · ') : l10n.t('safety checker');
}

/** The end of the last thing in a table, without blank lines and comments after it. */
function lastOf({ header, entries, below }: WrittenTable): number {
  const ends = [header, ...entries, ...below.flatMap((block) => [block.header ?? header, ...block.entries])];
  return Math.max(...ends.map(({ end }) => end));
}

/** Rules, long values, and comments of several lines. */
export function policyFolding(file: ConfigDocument): readonly FoldingRange[] {
  const tables = writtenTables(file).map((table) => inFile(table, { start: table.header.start, end: lastOf(table) }));
  const parts = writtenParts(file).flatMap(({ part, offset }) => part.blocks.map((block) => ({ ...block, offset })));
  const values = parts.flatMap((block) => block.entries.flatMap(({ value }) => (value ? inFile(block, value) : [])));
  const comments = parts.flatMap((block) => block.comments.map((comment) => inFile(block, comment)));
  return [
    ...[...tables, ...values].flatMap((span) => folded(file, span) ?? []),
    ...runs(file, comments).flatMap((span) => folded(file, span, FoldingRangeKind.Comment) ?? []),
  ];
}

function folded(file: ConfigDocument, span: Span, kind?: FoldingRangeKind): FoldingRange | undefined {
  const { start, end } = file.rangeOf(span);
  return end.line > start.line ? { startLine: start.line, endLine: end.line, ...(kind && { kind }) } : undefined;
}

/** Comments on lines of their own that follow each other. */
function runs(file: ConfigDocument, comments: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  for (const comment of comments) {
    const line = file.text.lastIndexOf('\n', comment.start - 1) + 1;
    if (file.text.slice(line, comment.start).trim() !== '') continue;
    const last = found.at(-1);
    const isNext = last && /^\r?\n[ \t]*$/.test(file.text.slice(last.end, comment.start));
    if (isNext) found.splice(-1, 1, { start: last.start, end: comment.end });
    else found.push(comment);
  }
  return found;
}
