import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Content } from '@google/genai';
import { textTokens } from '../../extension/context/tokens/text-tokens.ts';
import { newNamingKey } from '../../extension/safety/placeholder.ts';
import { RequestCleaner } from '../../extension/safety/request-cleaner.ts';
import { median } from './statistics.ts';

const RUNS = 9;

/** Megabytes a second through the search for secrets and hidden characters, in the code of this repository. */
export function measureScan(): number {
  const code = codeOf('extension');
  const rates = Array.from({ length: RUNS }, () => code.length / 1e3 / timeOf(() => newCleaner().text(code)));
  return median(rates);
}

/** The same in a text of this length that repeats one piece. */
export function measureHostileScan(piece: string, length: number): number {
  const text = piece.repeat(Math.ceil(length / piece.length));
  const rates = Array.from({ length: 3 }, () => text.length / 1e3 / timeOf(() => newCleaner().text(text)));
  return median(rates);
}

/** Megabytes a second through the estimate of tokens, in the same code. */
export function measureEstimate(): number {
  const code = codeOf('extension');
  return median(Array.from({ length: RUNS }, () => code.length / 1e3 / timeOf(() => textTokens(code))));
}

export interface RequestScan {
  /** All of it is new, as after a restart. */
  readonly first: number;
  /** One exchange is new. */
  readonly next: number;
}

/** Milliseconds for a request with so many events, a kilobyte each, some with a secret. */
export function measureRequestScan(events: number): RequestScan {
  const code = codeOf('extension');
  const contents = Array.from({ length: events }, (_, index) => eventOf(code, index));
  const cleaner = newCleaner();
  const first = timeOf(() => cleaner.clean({ contents }));
  const next = Array.from({ length: RUNS }, (_, index) => {
    contents.push(eventOf(code, events + index));
    return timeOf(() => cleaner.clean({ contents }));
  });
  return { first, next: median(next) };
}

function eventOf(code: string, index: number): Content {
  const from = (index * 997) % (code.length - 1000);
  const secret = index % 50 === 0 ? `\nDB_PASSWORD=pass${index}word\n` : '';
  const output = code.slice(from, from + 1000) + secret;
  return { role: 'user', parts: [{ functionResponse: { id: `${index}`, name: 'read_file', response: { output } } }] };
}

function newCleaner(): RequestCleaner {
  return new RequestCleaner({ key: newNamingKey(), own: [], redacts: true });
}

/** Of the processor, so that what else the machine does is not counted. */
function timeOf(work: () => void): number {
  const started = process.cpuUsage();
  work();
  return process.cpuUsage(started).user / 1000;
}

function codeOf(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter(({ name }) =>
    name.endsWith('.ts'),
  );
  return files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8')).join('\n');
}
