import { readFile, stat } from 'node:fs/promises';
import { parseRecord, type SessionRecord } from '../session-record.ts';

/** A search result with the text around it. */
export interface LogHit {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Searching a larger file would take too long for a list. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The text that fits into a line of the panel, with some more for wide panels. */
const BEFORE = 24;
const AFTER = 120;

/** Finds the first message or answer that contains all words, which must be in lower case. */
export async function searchLog(path: string, words: readonly string[]): Promise<LogHit | undefined> {
  const [first] = words;
  if (first === undefined || (await stat(path)).size > MAX_BYTES) return undefined;
  const log = await readFile(path, 'utf8');
  const stored = words.map((word) => JSON.stringify(word).slice(1, -1));
  for (const line of log.split('\n')) {
    // Most lines don't contain the words, and parsing a line costs far more than searching it.
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
  // Some letters are longer in lower case. Then the positions in both texts differ.
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

/** The user's text as it was shown, or the text of the model's answer. */
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
