import * as l10n from '@vscode/l10n';
import { parse, TomlError } from 'smol-toml';
import type { Span } from '../../text/text-range.ts';
import type { TomlBlock, TomlEntry, TomlHeader, TomlValue } from '../../text/toml-syntax.ts';
import type { PartFault, PolicyPart } from './policy-part.ts';

type Table = Record<string, unknown>;

export interface Salvaged {
  readonly document: Readonly<Table>;
  /** At least one. */
  readonly faults: readonly PartFault[];
}

/** Nobody reads more of them about one table. */
const MOST_FAULTS = 20;

/**
 * Parses each statement by itself. One that is invalid is ignored, and so are two that contradict each other, because
 * nobody can tell which of them was meant.
 */
export function salvage({ text, blocks }: Pick<PolicyPart, 'text' | 'blocks'>, error: unknown): Salvaged {
  const salvaging = new Salvaging(text);
  for (const block of blocks) salvaging.add(block);
  const { document, faults } = salvaging;
  return { document, faults: faults.length > 0 ? faults : [fault(placeOf(error, text), messageOf(error))] };
}

class Salvaging {
  readonly document = emptyTable();
  readonly faults: PartFault[] = [];
  /** By table, the keys that are invalid or there twice. */
  private readonly dropped = new Map<Table, Set<string>>();

  constructor(private readonly text: string) {}

  add({ header, entries, broken }: TomlBlock): void {
    const table = header ? this.tableOf(header) : this.document;
    let next = 0;
    const strayBefore = (end: number): void => {
      for (let stray = broken[next]; stray && stray.start < end; stray = broken[++next]) {
        this.report(stray, l10n.t('a line is a header, or a key with a value'));
      }
    };
    for (const entry of entries) {
      strayBefore(entry.start);
      // What is wrong inside of a value is reported with the value.
      while ((broken[next]?.start ?? entry.end) < entry.end) next++;
      const rest = broken[next];
      if (rest && rest.start < endOfLine(this.text, entry.end)) {
        next++;
        this.report(rest, l10n.t('nothing but a comment can follow a value in its line'));
        this.drop(table, entry.names[0]?.text);
      } else this.addEntry(table, entry);
    }
    strayBefore(this.text.length);
  }

  private addEntry(table: Table, entry: TomlEntry): void {
    const [key] = entry.names;
    const read = readEntry(entry, this.text);
    if ('reason' in read) {
      this.report(read, read.reason, read.instead);
      this.drop(table, key?.text);
    } else if (!this.dropped.get(table)?.has(key?.text ?? '') && !mergeInto(table, read.values)) {
      this.report(key ?? entry, l10n.t('"{0}" is there twice', key?.text ?? ''));
      this.drop(table, key?.text);
    }
  }

  /** The table below a header. If something else has its place, the header is reported, and what is below it ignored. */
  private tableOf(header: TomlHeader): Table {
    const { names, isList, isBroken } = header;
    const path = names.map(({ text }) => text).join('.');
    const isOneOfList = isList || (isBroken && names.length === 1);
    if (isBroken) {
      const instead = isOneOfList ? `[[${path}]]` : `[${path}]`;
      this.report(header, l10n.t('the brackets of the header do not match'), instead);
    }
    let table = this.document;
    for (const [at, { text }] of names.entries()) {
      const known = table[text];
      const isNew = at === names.length - 1 && isOneOfList;
      const inside = Array.isArray(known) && !isNew ? known.at(-1) : known;
      if (inside !== undefined && !(isNew ? Array.isArray(inside) : isTable(inside))) {
        this.report(header, l10n.t('"{0}" is there twice', text));
        this.drop(table, text);
        return emptyTable();
      }
      const below = isTable(inside) ? inside : emptyTable();
      if (isNew) table[text] = [...(Array.isArray(known) ? known : []), below];
      else if (inside === undefined) table[text] = below;
      table = below;
    }
    return table;
  }

  private drop(table: Table, key = ''): void {
    const keys = this.dropped.get(table) ?? new Set();
    this.dropped.set(table, keys.add(key));
    delete table[key];
  }

  private report(span: Span, message: string, instead?: string): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(fault(span, message, instead));
  }
}

type ReadEntry = { readonly values: Readonly<Table> } | (Span & { readonly reason: string; readonly instead?: string });

function readEntry(entry: TomlEntry, text: string): ReadEntry {
  const { names, value, start, end } = entry;
  const key = names.map((name) => name.text).join('.');
  if (!value) return { start, end, reason: l10n.t('"{0}" has no value', key) };
  const written = text.slice(value.start, value.end);
  const about = { start: value.start, end: value.end };
  if (value.isOpen) return { ...about, reason: missingEnd(value, written), ...suggested([withEnd(value, written)]) };
  try {
    return { values: parse(text.slice(start, end).replaceAll('\r\n', '\n')) };
  } catch (error) {
    if (value.kind === 'broken') {
      return { ...about, reason: l10n.t('a text needs quotes'), ...suggested(quoted(written)) };
    }
    return { ...about, reason: messageOf(error), ...suggested(repaired(written)) };
  }
}

function missingEnd({ kind }: TomlValue, written: string): string {
  if (kind === 'string') return l10n.t('the text has no {0} at its end', fenceOf(written));
  return l10n.t('the closing {0} is missing', kind === 'list' ? ']' : '}');
}

function withEnd({ kind, items }: TomlValue, written: string): string {
  if (kind === 'string') return `${written}${fenceOf(written)}`;
  const last = items.at(-1);
  const inside = last?.isOpen && last.kind === 'string' ? fenceOf(written.slice(last.start - last.end)) : '';
  return `${written}${inside}${kind === 'list' ? ']' : '}'}`;
}

function fenceOf(written: string): string {
  return /^("""|'''|.)/.exec(written)?.[0] ?? '';
}

/** A word without quotes, or with those that word processors write. */
function quoted(written: string): readonly string[] {
  const word = written.replace(/^[“”„‘’`]|[“”`’]$/g, '');
  return [written.toLowerCase(), JSON.stringify(word)];
}

/** A backslash is meant as such in most patterns, which TOML allows in single quotes. */
function repaired(written: string): readonly string[] {
  return /^"[^'\r\n]*"$/.test(written) ? [`'${written.slice(1, -1)}'`] : [];
}

/** The first of these values that is valid. */
function suggested(values: readonly string[]): { readonly instead?: string } {
  const instead = values.find((value) => isValue(value));
  return instead === undefined ? {} : { instead };
}

function isValue(written: string): boolean {
  try {
    return 'value' in parse(`value = ${written}`);
  } catch {
    return false;
  }
}

/** Adds tables that are inside each other. Returns false if a key has a value already, and adds nothing more. */
function mergeInto(table: Table, more: Readonly<Table>): boolean {
  return Object.entries(more).every(([key, value]) => {
    const known = table[key];
    if (known === undefined) {
      table[key] = value;
      return true;
    }
    return isTable(known) && isTable(value) && mergeInto(known, value);
  });
}

function fault(span: Span, message: string, instead?: string): PartFault {
  const { start, end } = span;
  const reason = l10n.t('This is not TOML: {0}.', message);
  return { kind: 'toml_parse', severity: 'error', start, end, reason, ...(instead !== undefined && { instead }) };
}

function messageOf(error: unknown): string {
  if (!(error instanceof TomlError)) return String(error);
  const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1);
  return message;
}

/** From where the parser stopped to the end of that line. */
function placeOf(error: unknown, text: string): Span {
  if (!(error instanceof TomlError)) return { start: 0, end: endOfLine(text, 0) };
  let start = 0;
  for (let line = 1; line < error.line; line++) start = text.indexOf('\n', start) + 1;
  const at = Math.min(start + error.column - 1, text.length);
  return { start: at, end: Math.max(at, endOfLine(text, at)) };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Without a prototype, as the parser makes them, so that no key is special. */
function emptyTable(): Table {
  return Object.create(null);
}
