import { isUtf8 } from 'node:buffer';
import { type ParsedRecord, parseRecord } from '../session-record.ts';

export interface LogLine {
  /** Starts at 1 and includes blank lines. */
  readonly number: number;
  /** The bytes in the file, without the line ending. */
  readonly raw: Buffer;
  readonly parsed: ParsedRecord;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Every line that is not empty. The last line counts even if its newline was not written. */
export function* logLines(bytes: Buffer): Generator<LogLine> {
  // Checking everything once is faster than checking each of ten thousand lines, and nearly always sufficient.
  const sound = isUtf8(bytes);
  let start = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  for (let number = 1; start < bytes.length; number++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const next = newline < 0 ? bytes.length : newline + 1;
    let end = newline < 0 ? bytes.length : newline;
    if (end > start && bytes[end - 1] === CARRIAGE_RETURN) end--;
    if (end > start) {
      const raw = bytes.subarray(start, end);
      yield { number, raw, parsed: sound || isUtf8(raw) ? parseLine(raw) : NOT_UTF8 };
    }
    start = next;
  }
}

const NOT_UTF8: ParsedRecord = { kind: 'damaged', reason: 'it is not UTF-8' };
/** After a power failure, some file systems fill a part of a file that was allocated but not written with zeros. */
const ZEROS: ParsedRecord = { kind: 'damaged', reason: 'it is filled with zeros' };

function parseLine(raw: Buffer): ParsedRecord {
  const parsed = parseRecord(raw.toString('utf8'));
  return parsed.kind === 'damaged' && raw.at(-1) === 0 ? ZEROS : parsed;
}
