import { parse } from 'smol-toml';
import { onceEach } from '../../base/once.ts';
import { TABLE_KINDS, type TableKind } from '../../policy/rules/policy-part.ts';
import type { Span } from '../../text/text-range.ts';
import { scanToml, type TomlBlock, type TomlEntry, type TomlHeader, type TomlValue } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';

/** One `[[rule]]` or `[[safety_checker]]` as it is written, with the tables below it. */
export interface WrittenTable extends Span {
  readonly kind: TableKind;
  readonly header: TomlHeader;
  /** Counted from 1. */
  readonly line: number;
  readonly entries: readonly TomlEntry[];
  /** The tables below it, such as `[safety_checker.checker]`. */
  readonly below: readonly TomlBlock[];
}

/** A text in quotes. */
export interface WrittenText extends Span {
  /** The text that it means. */
  readonly text: string;
  /** What is between the quotes. */
  readonly inner: Span;
  readonly isOpen: boolean;
}

export const policyBlocks = onceEach(({ text }: ConfigDocument) => scanToml(text));

export const writtenTables = onceEach((file: ConfigDocument): readonly WrittenTable[] => {
  const tables: (WrittenTable & { below: TomlBlock[]; end: number })[] = [];
  for (const { header, ...block } of policyBlocks(file)) {
    if (!header) continue;
    const [first] = header.names;
    const kind = TABLE_KINDS.find((name) => name === first?.text);
    const last = tables.at(-1);
    if (kind !== undefined && header.isList && header.names.length === 1) {
      const line = file.rangeOf(header).start.line + 1;
      tables.push({ kind, header, line, entries: block.entries, below: [], start: block.start, end: block.end });
    } else if (last && kind === last.kind && header.names.length > 1) {
      last.below.push({ header, ...block });
      last.end = block.end;
    }
  }
  return tables;
});

/** The table that contains the offset, with its comments and blank lines. */
export function tableAt(file: ConfigDocument, offset: number): WrittenTable | undefined {
  const tables = writtenTables(file);
  return tables.findLast(({ start }) => start <= offset) ?? undefined;
}

export function entryOf(table: Pick<WrittenTable, 'entries'>, key: string): TomlEntry | undefined {
  return table.entries.find(({ names }) => names.length === 1 && names[0]?.text === key);
}

/** The texts of a value: of a text, or of a list of texts. */
export function writtenTexts(source: string, value: TomlValue | undefined): readonly WrittenText[] {
  if (!value) return [];
  return (value.kind === 'list' ? value.items : [value]).flatMap((item) => writtenText(source, item) ?? []);
}

export function textUnder(source: string, table: Pick<WrittenTable, 'entries'>, key: string): string | undefined {
  return writtenTexts(source, entryOf(table, key)?.value)[0]?.text;
}

export function writtenText(source: string, { kind, start, end, isOpen }: TomlValue): WrittenText | undefined {
  if (kind !== 'string') return undefined;
  const quote = source[start] ?? '"';
  const width = source.startsWith(quote.repeat(3), start) ? 3 : 1;
  const inner = { start: Math.min(start + width, end), end: isOpen ? end : end - width };
  const raw = source.slice(inner.start, inner.end);
  const isPlain = width === 1 && (quote === "'" || !raw.includes('\\'));
  const text = isPlain || isOpen ? raw : meaningOf(source.slice(start, end));
  return text === undefined ? undefined : { text, inner, isOpen, start, end };
}

function meaningOf(raw: string): string | undefined {
  try {
    const { value } = parse(`value = ${raw}`);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isInSpan({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}
