import type { Span } from './text-range.ts';
import { scanToml, type TomlEntry, type TomlHeader, type TomlName, type TomlValue } from './toml-syntax.ts';

/** A part of a text, and what replaces it. */
export interface TextReplacement extends Span {
  readonly text: string;
}

/** A statement with the comment after it, or a comment of its own. */
interface Row extends Span {
  readonly kind: 'header' | 'entry' | 'comment' | 'broken';
  /** How it should be written. What is broken stays as it is. */
  readonly text: string;
  /** Whether it begins a table of a list, such as `[[rule]]`. */
  readonly begins: boolean;
}

/** Whether the texts of a key stay in the quotes that they have, such as regular expressions. */
type KeepsQuotes = (key: string) => boolean;

/**
 * The replacements that format a TOML text: blanks, indentation, blank lines, and quotes that make no difference.
 * Comments stay where they are, and lines that are no TOML stay as they are.
 */
export function formatToml(text: string, keepsQuotes: KeepsQuotes = () => false): readonly TextReplacement[] {
  const rows = rowsOf(text, keepsQuotes);
  // After a text of several lines without an end, nothing is what it looks like, and TOML knows no other line ends.
  if (!rows || /\r(?!\n)/.test(text)) return [];
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  const found: TextReplacement[] = [];
  const replace = (start: number, end: number, wanted: string): void => {
    if (text.slice(start, end) !== wanted) found.push({ start, end, text: wanted });
  };
  const replaceBlanks = (start: number, end: number, wanted: string): void => {
    // Other white space is no TOML, and removing it would repair the file.
    if (/^[ \t\r\n]*$/.test(text.slice(start, end))) replace(start, end, wanted);
  };
  const leads = leadingRows(rows, text);
  let end = text.startsWith('\uFEFF') ? 1 : 0;
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    if (row.kind !== 'broken' && before?.kind !== 'broken') {
      const lines = lineEndsIn(text, end, row.start);
      const isParted = leads.has(row) ? !(before?.kind === 'comment' && lines === 1) : lines > 1;
      replaceBlanks(end, row.start, before ? lineEnd.repeat(isParted ? 2 : 1) : '');
    }
    replace(row.start, row.end, row.text);
    end = row.end;
  }
  const last = rows.at(-1);
  if (last && last.kind !== 'broken') replaceBlanks(end, text.length, lineEnd);
  return found;
}

export function applyReplacements(text: string, replacements: readonly TextReplacement[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const one of replacements) {
    parts.push(text.slice(end, one.start), one.text);
    end = one.end;
  }
  return [...parts, text.slice(end)].join('');
}

/** The rows that begin a table of a list, with the comments right above it. A blank line is before the first of them. */
function leadingRows(rows: readonly Row[], text: string): ReadonlySet<Row> {
  const leading = new Set<Row>();
  for (const [at, row] of [...rows.entries()].reverse()) {
    const next = rows[at + 1];
    const isAbove = row.kind === 'comment' && next && leading.has(next) && lineEndsIn(text, row.end, next.start) === 1;
    if (row.begins || isAbove) leading.add(row);
  }
  return leading;
}

/** Undefined if a text of several lines has no end. */
function rowsOf(source: string, keepsQuotes: KeepsQuotes): readonly Row[] | undefined {
  const blocks = scanToml(source);
  const comments = blocks.flatMap((block) => block.comments);
  const entries = blocks.flatMap((block) => block.entries);
  if (entries.some(({ value }) => value && isEndless(value, source))) return undefined;
  const writer = new Writer(source, comments, keepsQuotes);
  const broken = (span: Span): Row => {
    return { ...span, kind: 'broken', text: source.slice(span.start, span.end), begins: false };
  };
  const rows: Row[] = [
    ...blocks.flatMap(({ header }) => (header ? (header.isBroken ? broken(header) : writer.header(header)) : [])),
    ...entries.map((entry) => (isSound(entry, source) ? writer.entry(entry) : broken(entry))),
    ...blocks.flatMap((block) => block.broken.map(broken)),
  ].sort(byStart);
  const joined: Row[] = [];
  for (const row of [...rows, ...writer.unused(rows)].sort(byStart)) {
    const last = joined.at(-1);
    const isApart = !last || (last.end <= row.start && lineEndsIn(source, last.end, row.start) > 0);
    if (isApart) joined.push(row);
    else joined.splice(-1, 1, broken({ start: last.start, end: Math.max(last.end, row.end) }));
  }
  return joined;
}

const INDENT = '  ';
const SIMPLE_KEY = /^[A-Za-z0-9_-]+$/;
/** Means the same in both kinds of quotes. */
const SIMPLE_TEXT = /^[^'"\\\p{Cc}]*$/u;

/** Writes statements as they should be. */
class Writer {
  private readonly used = new Set<Span>();

  constructor(
    private readonly source: string,
    private readonly comments: readonly Span[],
    private readonly keepsQuotes: KeepsQuotes,
  ) {}

  header({ names, isList, start, end }: TomlHeader): Row {
    const path = this.path(names);
    const begins = isList && names.length === 1;
    return this.row({ kind: 'header', text: isList ? `[[${path}]]` : `[${path}]`, begins, start, end });
  }

  entry({ names, value, start, end }: TomlEntry): Row {
    const keeps = this.keepsQuotes(names.at(-1)?.text ?? '');
    const text = `${this.path(names)} = ${value ? this.value(value, keeps, 1) : ''}`;
    return this.row({ kind: 'entry', text, begins: false, start, end });
  }

  /** The comments that are in no statement and after none. */
  unused(rows: readonly Row[]): readonly Row[] {
    return this.comments.flatMap((comment): Row[] => {
      const around = rows[lastIndexBefore(rows, comment.start + 1)];
      if (this.used.has(comment) || (around && comment.start < around.end)) return [];
      const text = trimmed(this.source.slice(comment.start, comment.end));
      return [{ kind: 'comment', text, begins: false, start: comment.start, end: comment.start + text.length }];
    });
  }

  /** With the comment in the same line. */
  private row(row: Row): Row {
    const comment = this.comments[lastIndexBefore(this.comments, row.end) + 1];
    if (!comment || lineEndsIn(this.source, row.end, comment.start) > 0) return row;
    if (trimmed(this.source.slice(row.end, comment.start)) !== '') return row;
    this.used.add(comment);
    const text = trimmed(this.source.slice(comment.start, comment.end));
    return { ...row, text: `${row.text} ${text}`, end: comment.start + text.length };
  }

  private path(names: readonly TomlName[]): string {
    return names
      .map(({ text, start, end }) => (SIMPLE_KEY.test(text) ? text : this.source.slice(start, end)))
      .join('.');
  }

  private value(value: TomlValue, keepsQuotes: boolean, depth: number): string {
    const raw = this.source.slice(value.start, value.end);
    if (value.kind === 'list') return this.list(value, keepsQuotes, depth) ?? raw;
    if (value.kind === 'table') return this.table(value, depth) ?? raw;
    const isPlain = value.kind === 'string' && !keepsQuotes && raw.startsWith("'") && !raw.startsWith("'''");
    const inner = raw.slice(1, -1);
    return isPlain && SIMPLE_TEXT.test(inner) ? `"${inner}"` : raw;
  }

  /** Undefined for tables of several lines, which TOML 1.0 doesn't have. */
  private table({ entries, start, end }: TomlValue, depth: number): string | undefined {
    if (this.source.slice(start, end).includes('\n')) return undefined;
    const [first, last] = [entries[0], entries.at(-1)];
    const gaps = entries.slice(1).map((entry, at) => trimmed(this.source.slice(entries[at]?.end, entry.start)));
    const edges =
      first && last ? [this.source.slice(start + 1, first.start), this.source.slice(last.end, end - 1)] : [];
    if (gaps.some((gap) => gap !== ',') || edges.some((edge) => trimmed(edge) !== '')) return undefined;
    const written = entries.map(({ names, value }) => {
      const keeps = this.keepsQuotes(names.at(-1)?.text ?? '');
      return `${this.path(names)} = ${value ? this.value(value, keeps, depth) : ''}`;
    });
    return written.length === 0 ? '{}' : `{ ${written.join(', ')} }`;
  }

  /** A list keeps its lines. Undefined if its commas are where nobody expects them. */
  private list(list: TomlValue, keepsQuotes: boolean, depth: number): string | undefined {
    const { items, start, end } = list;
    const parts: string[] = [];
    let from = start + 1;
    for (const [at, item] of items.entries()) {
      const gap = this.gap(from, item.start, at > 0 ? ',' : '', INDENT.repeat(depth));
      if (gap === undefined) return undefined;
      parts.push(gap, this.value(item, keepsQuotes, depth + 1));
      from = item.end;
    }
    const hasComma = trimmed(this.source.slice(from, end)).startsWith(',');
    const last = this.gap(from, end - 1, hasComma ? ',' : '', INDENT.repeat(depth - 1), true);
    return last === undefined ? undefined : `[${[...parts, last].join('')}]`;
  }

  /** What is between two values of a list: a comma, comments and line ends. */
  private gap(start: number, end: number, comma: '' | ',', indent: string, isLast = false): string | undefined {
    const raw = this.source.slice(start, end);
    const [first = '', ...others] = raw.split(/\r?\n/).map(trimmed);
    if (!first.startsWith(comma) || (comma === '' && first.startsWith(','))) return undefined;
    const comment = trimmed(first.slice(comma.length));
    const lines = others.slice(0, -1);
    if ([comment, ...lines].some((line) => line !== '' && !line.startsWith('#')) || others.at(-1)) return undefined;
    // A comma at the end of a line keeps later changes small.
    if (others.length === 0) return isLast || comma === '' ? '' : ', ';
    const lineEnd = raw.includes('\r\n') ? '\r\n' : '\n';
    const kept = lines.filter((line, at) => line !== '' || lines[at - 1] !== '');
    const inner = isLast ? `${indent}${INDENT}` : indent;
    return [
      `${comma}${comment === '' ? '' : ` ${comment}`}`,
      ...kept.map((line) => (line === '' ? '' : `${inner}${line}`)),
      indent,
    ].join(lineEnd);
  }
}

/** Without the blanks of TOML, which are fewer than those of JavaScript. */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
}

function byStart(one: Span, other: Span): number {
  return one.start - other.start;
}

/** The index of the last one that begins before an offset, or -1. They are in the order of the text. */
function lastIndexBefore(spans: readonly Span[], offset: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function lineEndsIn(text: string, start: number, end: number): number {
  return text.slice(start, end).split('\n').length - 1;
}

function isSound({ names, afterEquals, value, end }: TomlEntry, source: string): boolean {
  if (afterEquals === undefined || !value || !isSoundValue(value, source)) return false;
  // The scanner is content with `a. = 1`.
  const ends = [...names.slice(1).map(({ start }) => start), afterEquals];
  const between = names.map((name, at) => trimmed(source.slice(name.end, ends[at] ?? end)));
  return between.every((text, at) => text === (at === names.length - 1 ? '=' : '.'));
}

function isSoundValue({ kind, isOpen, items, entries }: TomlValue, source: string): boolean {
  if (kind === 'broken' || isOpen) return false;
  return items.every((item) => isSoundValue(item, source)) && entries.every((entry) => isSound(entry, source));
}

function isEndless({ kind, isOpen, items, entries, start }: TomlValue, source: string): boolean {
  if (kind === 'string') return isOpen && /^("""|''')/.test(source.slice(start, start + 3));
  return (
    items.some((item) => isEndless(item, source)) || entries.some(({ value }) => value && isEndless(value, source))
  );
}
