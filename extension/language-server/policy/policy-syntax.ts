import { parse } from 'smol-toml';
import { onceEach } from '../../base/once.ts';
import { TABLE_KINDS, type TableKind } from '../../policy/rules/policy-part.ts';
import type { Span } from '../../text/text-range.ts';
import { scanToml, type TomlBlock, type TomlEntry, type TomlHeader, type TomlValue } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';

/**
 * One `[[rule]]` or `[[safety_checker]]` as it is written, with the tables below it. All places in it count from
 * `offset`, and are places in `source`.
 */
export interface WrittenTable extends Span {
  readonly kind: TableKind;
  readonly header: TomlHeader;
  readonly source: string;
  readonly offset: number;
  /** Counted from 1. */
  readonly line: number;
  readonly entries: readonly TomlEntry[];
  readonly comments: readonly Span[];
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
      const { entries, comments, start, end } = block;
      tables.push({ kind, header, source: file.text, offset: 0, line, entries, comments, below: [], start, end });
    } else if (last && kind === last.kind && header.names.length > 1) {
      last.below.push({ header, ...block });
      last.end = block.end;
    }
  }
  return tables;
});

/** The table that contains the offset of the file, with its comments and blank lines. */
export function tableAt(file: ConfigDocument, at: number): WrittenTable | undefined {
  return writtenTables(file).find(({ offset, start, end }) => offset + start <= at && at <= offset + end);
}

/** A place in a table as a place in the file. */
export function inFile({ offset }: WrittenTable, { start, end }: Span): Span {
  return { start: offset + start, end: offset + end };
}

export function entryOf(table: Pick<WrittenTable, 'entries'>, key: string): TomlEntry | undefined {
  return table.entries.find(({ names }) => names.length === 1 && names[0]?.text === key);
}

/** The texts under a key: one, or those of a list. */
export function textsUnder(
  { source, entries }: Pick<WrittenTable, 'source' | 'entries'>,
  key: string,
): readonly WrittenText[] {
  const value = entryOf({ entries }, key)?.value;
  if (!value) return [];
  return (value.kind === 'list' ? value.items : [value]).flatMap((item) => writtenText(source, item) ?? []);
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
