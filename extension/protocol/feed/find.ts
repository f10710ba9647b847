import type { ToHost } from '../panel/host-messages.ts';
import type { Found } from '../panel/panel-messages.ts';
import { compactedWords } from '../transcript/notes.ts';
import { protectedText } from '../transcript/protected-entry.ts';
import type { Entry } from '../transcript/transcript-entry.ts';
import type { EntryList } from './facts.ts';

type Request = Pick<Extract<ToHost, { type: 'find' }>, 'query' | 'from' | 'go'>;
type Answer = Pick<Found, 'total' | 'current'>;

/** An entry with matches: its index, the number of matches before it, and in it. */
interface Hit {
  readonly index: number;
  readonly before: number;
  readonly count: number;
}

/** Searches the whole conversation. */
export class Finder {
  /** A cache by entry. A changed entry is a new object. */
  private readonly texts = new WeakMap<Entry, string>();

  constructor(private readonly list: EntryList) {}

  find({ query, from, go }: Request): Answer {
    const { hits, total } = this.hitsOf(query.toLowerCase());
    if (total === 0) return { total };
    const here = from ? { index: this.list.indexOf(from.id), nth: from.nth } : { index: 0, nth: 0 };
    const n = wrapped(target(hits, here, go), total);
    const hit = hits.findLast(({ before }) => before < n);
    const id = hit && this.list.at(hit.index)?.id;
    if (!hit || id === undefined) return { total };
    return { total, current: { n, id, index: hit.index, nth: n - hit.before } };
  }

  private hitsOf(query: string): { hits: readonly Hit[]; total: number } {
    const hits: Hit[] = [];
    let total = 0;
    for (let index = 0; query !== '' && index < this.list.length; index++) {
      const entry = this.list.at(index);
      const count = entry ? countOf(this.textOf(entry), query) : 0;
      if (count > 0) hits.push({ index, before: total, count });
      total += count;
    }
    return { hits, total };
  }

  private textOf(entry: Entry): string {
    const known = this.texts.get(entry);
    if (known !== undefined) return known;
    const text = textToFind(entry).toLowerCase();
    this.texts.set(entry, text);
    return text;
  }
}

function countOf(text: string, query: string): number {
  let count = 0;
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) count++;
  return count;
}

/** The number of the match to go to, counted from 1. It may be one beyond either end. */
function target(hits: readonly Hit[], here: { index: number; nth: number }, go: Request['go']): number {
  const same = hits.find(({ index }) => index === here.index);
  const before = hits.findLast(({ index }) => index < here.index);
  const passed = before ? before.before + before.count : 0;
  const current = same && here.nth > 0 ? same.before + Math.min(here.nth, same.count) : undefined;
  switch (go) {
    case 'here':
      return current ?? passed + 1;
    case 'next':
      return (current ?? passed) + 1;
    case 'previous':
      return current === undefined ? passed : current - 1;
  }
}

function wrapped(n: number, total: number): number {
  return ((((n - 1) % total) + total) % total) + 1;
}

/** The searchable text of an entry: what is visible, and what is visible when it is expanded. */
export function textToFind(entry: Entry): string {
  switch (entry.kind) {
    case 'user':
    case 'note':
      return entry.text;
    case 'answer':
    case 'thinking':
      return withoutMarks(entry.text);
    case 'tool':
      return toolText(entry);
    case 'problem':
      return `${entry.problem.title}\n${entry.problem.detail}`;
    case 'compacted':
      return `${compactedWords(entry)}\n${entry.summary}`;
    case 'protected':
      return protectedText(entry);
    case 'retry':
      return entry.why;
    case 'choice':
      return `${entry.title}\n${entry.message}`;
    case 'usage':
      return '';
  }
}

function toolText({ subject, summary, detail, patch, approval, agent }: Extract<Entry, { kind: 'tool' }>): string {
  const steps = agent?.steps.flatMap((step) => [step.subject, step.summary]) ?? [];
  return [subject, summary, ...steps, agent?.words, detail, patch, approval?.title, approval?.message]
    .filter((part) => part)
    .join('\n');
}

const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*\n([\s\S]*?)(?:^ {0,3}\1[`~]*\s*$|$(?![\s\S]))/gm;

/** Approximates the rendered text of Markdown. Code keeps every character. */
function withoutMarks(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const fence of text.matchAll(FENCED)) {
    parts.push(wordsOf(text.slice(end, fence.index)), fence[2] ?? '');
    end = fence.index + fence[0].length;
  }
  return [...parts, wordsOf(text.slice(end))].join('\n');
}

function wordsOf(text: string): string {
  return text
    .replace(/^ {0,3}(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/(^|\W)([*_])(?=\S)([^*_\n]+)\2(?!\w)/g, '$1$3');
}
