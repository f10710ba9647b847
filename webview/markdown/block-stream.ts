import type { Token } from 'marked';
import { lexed } from './lexed.ts';

/**
 * Splits growing Markdown into blocks. A block that later text can no longer change is returned once, as settled. Only
 * the rest is parsed again, so the cost of new text does not grow with the text before it.
 */
export class BlockStream {
  private rest = '';
  private newLine = false;
  /** True if a link definition (`[id]: url`) was found, which may belong to a settled block. */
  hasDefinitions = false;

  append(text: string): void {
    this.rest += text.replaceAll('\r', '');
    this.newLine ||= text.includes('\n');
  }

  /** Blocks that became final since the last call. */
  settle(): readonly Token[] {
    if (!this.newLine) return [];
    this.newLine = false;
    // A line that is still being written is ambiguous: "2" may become "2. next item" of the list before it.
    const blocks = this.lex(this.rest.slice(0, this.rest.lastIndexOf('\n') + 1));
    const last = blocks.findLastIndex((block) => block.type !== 'space');
    const settled = blocks.slice(0, Math.max(last, 0));
    this.rest = this.rest.slice(settled.reduce((length, block) => length + block.raw.length, 0));
    return visible(settled);
  }

  /** The blocks after the settled ones, as far as they can be shown. */
  live(): readonly Token[] {
    return visible(this.lex(presentable(this.rest)));
  }

  /** Ends the text and returns the remaining blocks, which are now final. */
  finish(): readonly Token[] {
    const blocks = this.lex(this.rest);
    this.rest = '';
    this.newLine = false;
    return visible(blocks);
  }

  private lex(source: string): Token[] {
    const blocks = lexed(source);
    this.hasDefinitions ||= blocks.some((block) => block.type === 'def');
    return blocks;
  }
}

function visible(blocks: readonly Token[]): readonly Token[] {
  return blocks.filter((block) => block.type !== 'space' && block.type !== 'def');
}

/**
 * The part of unfinished Markdown that can be shown so that nothing on screen must be withdrawn when the rest arrives:
 * a table row is hidden until it is complete, a lone `-` is not yet a heading, an open `**` is already bold.
 */
export function presentable(source: string): string {
  const lastLineStart = source.lastIndexOf('\n') + 1;
  const lastLine = source.slice(lastLineStart);
  if (hasOpenFence(source.slice(0, lastLineStart))) {
    return CLOSING_FENCE.test(lastLine) ? source.slice(0, lastLineStart) : source;
  }
  if (BARE_MARKER.test(lastLine)) return source.slice(0, lastLineStart);
  const withoutRow = withoutUnfinishedRow(source);
  return withoutRow === source ? source.slice(0, lastLineStart) + closeInline(lastLine) : withoutRow;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const CLOSING_FENCE = /^ {0,3}(?:`+|~+)\s*$/;
/** A line that so far is only the marker of a list, heading, quote, rule, fence or setext underline. */
const BARE_MARKER = /^\s*(?:[-*+_=]+|\d+[.)]?|#{1,6}|>|`{1,3}|~{1,3})\s*$/;
const ROW = /^\s*\|/;
const DELIMITER_ROW = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

function hasOpenFence(lines: string): boolean {
  let fence: string | undefined;
  for (const line of lines.split('\n')) {
    const match = FENCE.exec(line);
    if (!match?.[1]) continue;
    if (fence === undefined) fence = match[1];
    else if (match[1].startsWith(fence) && match[2]?.trim() === '') fence = undefined;
  }
  return fence !== undefined;
}

function withoutUnfinishedRow(source: string): string {
  const lines = source.split('\n');
  let first = lines.length;
  while (first > 0 && ROW.test(lines[first - 1] ?? '')) first--;
  const rows = lines.slice(first);
  // After a line break, the last line is empty, and a header row may still lack its delimiter row.
  if (rows.length === 0) {
    const header = lines.length - 2;
    const isHeader = lines.at(-1) === '' && ROW.test(lines[header] ?? '') && !ROW.test(lines[header - 1] ?? '');
    return isHeader ? lines.slice(0, header).join('\n') : source;
  }
  const isTable = rows.length > 2 && DELIMITER_ROW.test(rows[1] ?? '');
  if (isTable) return `${lines.slice(0, -1).join('\n')}\n`;
  return rows.length <= 2 ? lines.slice(0, first).join('\n') : source;
}

const OPEN_LINK = /!?\[([^\]\n]*)(?:\]\([^)\n]*|\])?$/;

function closeInline(line: string): string {
  const code = line.split('`').length % 2 === 0;
  if (code) return line.endsWith('`') ? line.slice(0, -1) : `${line}\``;
  const text = line.replace(OPEN_LINK, '$1');
  if (text.split('**').length % 2 === 1) return text;
  return /\*\*\s*$/.test(text) ? text.replace(/\*\*\s*$/, '') : `${text.replace(/\*$/, '')}**`;
}
