import type { Span } from '../../text/text-range.ts';
import type { TomlBlock, TomlEntry, TomlValue } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';
import { isInSpan, tableAt, type WrittenTable, writtenText } from './policy-syntax.ts';

interface Place {
  readonly table: WrittenTable;
  /** The names of the key and of those above it, below the table. */
  readonly path: readonly string[];
}

/** What is under the cursor in a table. All places count from the table's `offset`. */
export type Cursor = Place &
  (
    | { readonly what: 'header'; readonly span: Span }
    | { readonly what: 'key'; readonly span: Span; readonly entry: TomlEntry }
    | {
        readonly what: 'value';
        readonly span: Span;
        readonly value: TomlValue;
        /** The value as a text, if it is one. */
        readonly text: string | undefined;
        /** The list that contains the value. */
        readonly list?: TomlValue;
      }
    /** After a `=` without a value. */
    | { readonly what: 'no value' }
    /** Between the values of a list. */
    | { readonly what: 'in list'; readonly list: TomlValue }
    /** Where a key could be. The path is that of the table around it. */
    | { readonly what: 'no key'; readonly inline: boolean; readonly taken: readonly TomlEntry[] }
  );

export function cursorAt(file: ConfigDocument, offset: number): Cursor | undefined {
  const table = tableAt(file, offset);
  return table && new Finder(table, offset - table.offset).find();
}

class Finder {
  constructor(
    private readonly table: WrittenTable,
    private readonly at: number,
  ) {}

  find(): Cursor | undefined {
    const { table, at } = this;
    if (isInSpan(table.header, at)) return { what: 'header', table, path: [], span: table.header };
    const block = [table, ...table.below].findLast(({ start }) => start <= at) ?? table;
    if (block.comments.some(({ start, end }) => start < at && at <= end)) return undefined;
    const isBelow = block !== table;
    const { names = [] } = block.header ?? {};
    if (isBelow && block.header && isInSpan(block.header, at)) return undefined;
    const path = isBelow ? names.slice(1).map(({ text }) => text) : [];
    return this.inEntries(block.entries, path) ?? this.nothing(block, path);
  }

  private inEntries(entries: readonly TomlEntry[], above: readonly string[]): Cursor | undefined {
    const entry = entries.findLast(({ start }) => start <= this.at);
    return entry && this.inEntry(entry, above);
  }

  private inEntry(entry: TomlEntry, above: readonly string[]): Cursor | undefined {
    const { table, at } = this;
    const { names, afterEquals, value } = entry;
    const path = [...above, ...names.map(({ text }) => text)];
    const nameAt = names.findIndex((name) => isInSpan(name, at));
    const name = names[nameAt];
    if (name) return { what: 'key', table, path: path.slice(0, above.length + nameAt + 1), span: name, entry };
    if (afterEquals === undefined || at < afterEquals) return undefined;
    if (!value) return this.isBlank(afterEquals) ? { what: 'no value', table, path } : undefined;
    return this.inValue(value, path);
  }

  private inValue(value: TomlValue, path: readonly string[], list?: TomlValue): Cursor | undefined {
    const { table, at } = this;
    if (value.kind === 'list') {
      const item = value.items.find((one) => isInSpan(one, at));
      if (item) return this.inValue(item, path, value);
      return this.isInside(value) ? { what: 'in list', table, path, list: value } : undefined;
    }
    if (value.kind === 'table') {
      if (!this.isInside(value)) return undefined;
      const found = this.inEntries(value.entries, path);
      return found ?? { what: 'no key', table, path, inline: true, taken: value.entries };
    }
    if (!isInSpan(value, at)) return undefined;
    const text = writtenText(table.source, value);
    const about = { table, path, value, text: text?.text, span: text?.inner ?? value, ...(list && { list }) };
    return { what: 'value', ...about };
  }

  /** Between the brackets of a list or table. If the last one is missing, only blanks and commas may follow. */
  private isInside({ start, end, isOpen }: TomlValue): boolean {
    const { at, table } = this;
    if (at <= start) return false;
    if (!isOpen) return at < end;
    return at <= end || /^[\s,]*$/.test(table.source.slice(end, at));
  }

  private nothing(block: Pick<TomlBlock, 'entries'>, path: readonly string[]): Cursor | undefined {
    const { table } = this;
    const line = table.source.lastIndexOf('\n', this.at - 1) + 1;
    if (!this.isBlank(line)) return undefined;
    return { what: 'no key', table, path, inline: false, taken: block.entries };
  }

  private isBlank(from: number): boolean {
    return /^[ \t]*$/.test(this.table.source.slice(from, this.at));
  }
}
