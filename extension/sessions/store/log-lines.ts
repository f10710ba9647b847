import { isUtf8 } from 'node:buffer';
import { type ParsedRecord, parseRecord } from '../session-record.ts';

export interface LogLine {
  /** Starts at 1 and includes blank lines. */
  readonly number: number;
  /** Without the line ending. The bytes in the file are its UTF-8, unless the line is damaged. */
  readonly text: string;
  readonly parsed: ParsedRecord;
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** Lines are decoded together, which takes half as long as one by one, but not all: a text can't be as long as a file. */
const BLOCK_BYTES = 1024 * 1024;

/** Every line that is not empty. The last line counts even if its newline was not written. */
export function* logLines(bytes: Buffer): Generator<LogLine> {
  let start = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  let number = 1;
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start + BLOCK_BYTES) + 1 || bytes.length;
    const block = bytes.subarray(start, end);
    const sound = isUtf8(block);
    const text = block.toString(sound ? 'utf8' : 'latin1');
    for (let from = 0; from < text.length; number++) {
      const to = text.indexOf('\n', from);
      const line = withoutReturn(text.slice(from, to < 0 ? undefined : to));
      if (line !== '') yield sound ? { number, text: line, parsed: parseLine(line) } : lineOfBytes(number, line);
      from = to < 0 ? text.length : to + 1;
    }
    start = end;
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

const NOT_UTF8: ParsedRecord = { kind: 'damaged', reason: 'it is not UTF-8' };
/** After a power failure, some file systems fill a part of a file that was allocated but not written with zeros. */
const ZEROS: ParsedRecord = { kind: 'damaged', reason: 'it is filled with zeros' };

/** A line with one character for each byte, because another line near it is damaged. */
function lineOfBytes(number: number, characters: string): LogLine {
  const bytes = Buffer.from(characters, 'latin1');
  const text = bytes.toString('utf8');
  return { number, text, parsed: isUtf8(bytes) ? parseLine(text) : NOT_UTF8 };
}

function parseLine(text: string): ParsedRecord {
  const parsed = parseRecord(text);
  return parsed.kind === 'damaged' && text.endsWith('\0') ? ZEROS : parsed;
}
