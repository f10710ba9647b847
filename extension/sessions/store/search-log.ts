import { readFile, stat } from 'node:fs/promises';
import { parseRecord, type SessionRecord } from '../session-record.ts';

/** Words of a session, and what stands around them. */
export interface LogHit {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Reading more would take longer than anybody waits for a list. */
const MAX_BYTES = 32 * 1024 * 1024;
/** What fits into a line of the panel, and a little more for wide ones. */
const BEFORE = 24;
const AFTER = 120;

/** Where all these words are in one thing that was said. Lower case. */
export async function searchLog(path: string, words: readonly string[]): Promise<LogHit | undefined> {
  const [first] = words;
  if (first === undefined || (await stat(path)).size > MAX_BYTES) return undefined;
  const log = await readFile(path, 'utf8');
  const stored = words.map((word) => JSON.stringify(word).slice(1, -1));
  for (const line of log.split('\n')) {
    // Most lines do not have them, and reading one costs far more than looking.
    const folded = line.toLowerCase();
    if (!stored.every((word) => folded.includes(word))) continue;
    const parsed = parseRecord(line);
    const hit = parsed.kind === 'record' ? hitIn(saidIn(parsed.record), words, first) : undefined;
    if (hit) return hit;
  }
  return undefined;
}

function hitIn(text: string, words: readonly string[], first: string): LogHit | undefined {
  const folded = text.toLowerCase();
  // Some letters are longer in lower case: then places in one text are not those in the other.
  if (folded.length !== text.length || !words.every((word) => folded.includes(word))) return undefined;
  const at = folded.indexOf(first);
  const end = at + first.length;
  const start = Math.max(0, at - BEFORE);
  const oneLine = (part: string): string => part.replace(/\s+/g, ' ');
  return {
    before: `${start > 0 ? '…' : ''}${oneLine(text.slice(start, at))}`,
    match: oneLine(text.slice(at, end)),
    after: oneLine(text.slice(end, end + AFTER)),
  };
}

/** The words of the user as they were shown, and those of the model's answers. */
function saidIn(record: SessionRecord): string {
  switch (record.type) {
    case 'sent':
      return textOf(record.shown ?? record.event?.content?.parts);
    case 'pending':
      return textOf(record.shown);
    case 'event':
      return record.event.content?.role === 'model' ? textOf(record.event.content.parts) : '';
    default:
      return '';
  }
}

function textOf(parts: readonly object[] | undefined): string {
  return (parts ?? []).map(wordsOf).join('');
}

function wordsOf(part: object): string {
  const isThought = 'thought' in part && part.thought === true;
  return !isThought && 'text' in part && typeof part.text === 'string' ? part.text : '';
}
