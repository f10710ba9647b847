import { isUtf8 } from 'node:buffer';
import { type ParsedRecord, parseRecord } from '../session-record.ts';

export interface LogLine {
  /** Counted from 1, blank lines too. */
  readonly number: number;
  /** As it is in the file, without the line end. */
  readonly raw: Buffer;
  readonly parsed: ParsedRecord;
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Every line that says something. The last one counts whether or not its newline was still written. */
export function* logLines(bytes: Buffer): Generator<LogLine> {
  // One look at everything is faster than one at each of ten thousand lines, and nearly always enough.
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
/** File systems that had made the file longer but not yet written to it, when the power went, fill it with zeros. */
const ZEROS: ParsedRecord = { kind: 'damaged', reason: 'it is filled with zeros' };

function parseLine(raw: Buffer): ParsedRecord {
  const parsed = parseRecord(raw.toString('utf8'));
  return parsed.kind === 'damaged' && raw.at(-1) === 0 ? ZEROS : parsed;
}
