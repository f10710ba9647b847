import { parse } from 'smol-toml';
import { LruMap } from '../../base/lru-map.ts';
import { onceEach } from '../../base/once.ts';
import { type PolicyPart, scanPolicyPart, type TableKind } from '../../policy/rules/policy-part.ts';
import { lengthProblem } from '../../policy/rules/read-policy-file.ts';
import { changeBetween } from '../../text/changed-part.ts';
import type { Span } from '../../text/text-range.ts';
import { entryOf, type TomlBlock, type TomlEntry, type TomlHeader, type TomlValue } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';

/** A part of a file as it is written. All places in it count from `offset`, and are places in its text. */
export interface WrittenPart {
  readonly part: PolicyPart;
  readonly offset: number;
  /** The first line, counted from 1. */
  readonly line: number;
}

/** One `[[rule]]` or `[[safety_checker]]` as it is written, with the tables below it. */
export interface WrittenTable extends Span {
  readonly kind: TableKind;
  readonly header: TomlHeader;
  /** The text that the places are in. */
  readonly source: string;
  /** The offset in the file that the places count from. */
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

interface Scanned {
  readonly part: PolicyPart;
  readonly lineBreaks: number;
}

/** Scans a file again and again while it changes, but only the parts that have changed. */
class PartScanner {
  private text = '';
  private scanned: readonly Scanned[] = [];
  private last: { readonly of: ConfigDocument; readonly parts: readonly WrittenPart[] } | undefined;

  partsOf(file: ConfigDocument): readonly WrittenPart[] {
    if (this.last?.of !== file) this.last = { of: file, parts: placed(this.scan(file.text)) };
    return this.last.parts;
  }

  private scan(text: string): readonly Scanned[] {
    const { start, same } = changeBetween(this.text, text);
    const old = this.scanned;
    const scanned: Scanned[] = [];
    let end = 0;
    for (const one of old) {
      // A part ends before a header, so that has to be the same too.
      const line = this.text.indexOf('\n', end + one.part.length);
      if (one.part.looksAhead || line === -1 || line >= start) break;
      scanned.push(one);
      end += one.part.length;
    }
    const shift = text.length - this.text.length;
    let [next, nextStart] = [scanned.length, end];
    while (end < text.length) {
      for (; nextStart < end - shift && next < old.length; next++) nextStart += old[next]?.part.length ?? 0;
      if (next < old.length && nextStart === end - shift && end >= text.length - same) {
        scanned.push(...old.slice(next));
        break;
      }
      const part = scanPolicyPart(text, end);
      scanned.push({ part, lineBreaks: part.text.split('\n').length - 1 });
      end += part.length;
    }
    [this.text, this.scanned] = [text, scanned];
    return scanned;
  }
}

function placed(scanned: readonly Scanned[]): readonly WrittenPart[] {
  let [offset, line] = [0, 1];
  return scanned.map(({ part, lineBreaks }) => {
    const written = { part, offset, line };
    [offset, line] = [offset + part.length, line + lineBreaks];
    return written;
  });
}

/** People look at a few documents at a time. Keeping the parts of all that are open would take more memory than their rules. */
const MOST_SCANNED = 8;

const scanners = new LruMap<PartScanner>(MOST_SCANNED);

function scannerOf({ uri }: ConfigDocument): PartScanner {
  const scanner = scanners.get(uri) ?? new PartScanner();
  scanners.set(uri, scanner);
  return scanner;
}

/** Nothing of such a file is in force, and answers about all of it would take seconds. */
export const isTooLong = onceEach(({ path, text }: ConfigDocument) => lengthProblem(path, text) !== undefined);

export function writtenParts(file: ConfigDocument): readonly WrittenPart[] {
  return isTooLong(file) ? [] : scannerOf(file).partsOf(file);
}

export function writtenTables(file: ConfigDocument): readonly WrittenTable[] {
  return writtenParts(file).flatMap((part) => tableOf(part) ?? []);
}

/** The table that contains the offset of the file, with its comments and blank lines. */
export function tableAt(file: ConfigDocument, at: number): WrittenTable | undefined {
  const written = writtenParts(file).findLast(({ offset }) => offset <= at);
  return written && tableOf(written);
}

function tableOf({ part, offset, line }: WrittenPart): WrittenTable | undefined {
  const { kind, blocks, text, length } = part;
  const [, own, ...below] = blocks;
  if (kind === undefined || !own?.header || own.header.names.length > 1) return undefined;
  const { header, entries, comments } = own;
  return { kind, header, source: text, offset, line, entries, comments, below, start: 0, end: length };
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
