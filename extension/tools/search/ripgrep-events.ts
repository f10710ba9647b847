import { sep } from 'node:path';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { RecordSplitter } from './record-splitter.ts';

export interface FoundLine {
  /** Counted from 1. */
  readonly number: number;
  /** The text without its line end. */
  readonly text: string;
  /** False for a context line around a match. */
  readonly isMatch: boolean;
}

export interface MatchedFile {
  /** The path as ripgrep got it, with forward slashes and without a leading `./`. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/**
 * The limit for one line in ripgrep's JSON, which lists every match in it: 50 bytes for every "a" in a minified file.
 * Larger lines are data that nobody reads.
 */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Text that is not UTF-8 is encoded as base64. */
const text = once(() =>
  z.union([
    z.object({ text: z.string() }).transform((value) => value.text),
    z.object({ bytes: z.base64() }).transform((value) => Buffer.from(value.bytes, 'base64').toString('utf8')),
  ]),
);
const line = once(() => z.object({ lines: text(), line_number: z.int() }));
const event = once(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('begin'), data: z.object({ path: text() }) }),
    z.object({ type: z.literal('match'), data: line() }),
    z.object({ type: z.literal('context'), data: line() }),
    z.object({ type: z.literal('end'), data: z.object({ binary_offset: z.int().nullable() }) }),
  ]),
);

/** Collects ripgrep's `--json` output by file. The files are complete, but in no particular order. */
export class MatchedFiles {
  /** The number of files with a match and then a NUL. They are not text, so they are not shown. */
  binary = 0;
  private path = '';
  private lines: FoundLine[] = [];
  private readonly splitter: RecordSplitter;

  constructor(private readonly onFile: (file: MatchedFile) => void) {
    this.splitter = new RecordSplitter(NEWLINE, MAX_RECORD_BYTES, (record) => this.read(record));
  }

  /** The number of lines that were too long to parse. */
  get tooLong(): number {
    return this.splitter.tooLong;
  }

  add(chunk: Buffer): void {
    this.splitter.add(chunk);
  }

  private read(record: string): void {
    const parsed = event().safeParse(parseJson(record));
    if (!parsed.success) return;
    const { type, data } = parsed.data;
    if (type === 'begin') {
      this.path = plainPath(data.path);
      this.lines = [];
    } else if (type === 'end') {
      if (data.binary_offset !== null) this.binary += 1;
      else if (this.lines.length > 0) this.onFile({ path: this.path, lines: this.lines });
    } else {
      const shown = data.lines.replace(/\r?\n$/, '');
      this.lines.push({ number: data.line_number, text: shown, isMatch: type === 'match' });
    }
  }
}

/** `./src/a.ts` and `.\src\a.ts` become `src/a.ts`. */
export function plainPath(path: string): string {
  const plain = sep === '/' ? path : path.replaceAll(sep, '/');
  return plain.startsWith('./') ? plain.slice(2) : plain;
}

function parseJson(record: string): unknown {
  try {
    return JSON.parse(record);
  } catch {
    return undefined;
  }
}
