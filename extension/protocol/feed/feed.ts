import type { ToHost } from '../panel/host-messages.ts';
import type { ToPanel, WindowChange } from '../panel/panel-messages.ts';
import type { Entry, TranscriptChange } from '../transcript/transcript-entry.ts';
import { type EntryList, Facts } from './facts.ts';
import { Finder } from './find.ts';
import { FeedNews } from './news.ts';

/** The current conversation. */
export interface FeedSource {
  readonly entries: readonly Entry[];
  entry(id: string): Entry | undefined;
}

/** A fast model sends hundreds of pieces a second, but a screen shows sixty frames. */
const FRAME_MS = 17;

/**
 * Sends a conversation of any length to the panel. The panel holds the entries around the reading position and requests
 * others. For the rest, it only gets their number and facts about the whole. Changes are batched per frame.
 */
export class TranscriptFeed implements EntryList {
  private order: string[] = [];
  private readonly known = new Set<string>();
  private held: Range = { start: 0, end: 0 };
  private readonly heldIds = new Set<string>();
  private readonly changes = new WindowChanges();
  private readonly facts = new Facts();
  private readonly news = new FeedNews();
  private readonly finder = new Finder(this);
  private toldFacts = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly source: FeedSource,
    private readonly post: (message: ToPanel) => void,
  ) {}

  get length(): number {
    return this.order.length;
  }

  at(index: number): Entry | undefined {
    const id = this.order[index];
    return id === undefined ? undefined : this.source.entry(id);
  }

  /** Searches from the end, where most changes happen. */
  indexOf(id: string): number {
    return this.known.has(id) ? this.order.lastIndexOf(id) : -1;
  }

  /** Starts when the panel listens, or when another conversation is shown. */
  open({ place, sent }: Pick<Extract<ToHost, { type: 'ready' }>, 'place' | 'sent'> = {}): void {
    this.stop();
    const { entries } = this.source;
    this.order = entries.map(({ id }) => id);
    this.known.clear();
    for (const id of this.order) this.known.add(id);
    this.facts.reset(entries);
    const told = this.news.reset(entries);
    const index = place !== undefined && this.known.has(place) ? this.indexOf(place) : this.length - 1;
    const facts = this.facts.of(this);
    this.toldFacts = JSON.stringify(facts);
    this.post({
      type: 'transcript',
      ...this.hold(index),
      facts,
      ...(told.spoken !== undefined && { spoken: told.spoken }),
      ...(sent && { wasSaid: wasSaid(entries, sent) }),
    });
  }

  /** Sends the entries around this one. */
  show(index: number): void {
    this.flush();
    this.post({ type: 'window', ...this.hold(index) });
  }

  /** Searches the whole conversation, including entries that the panel does not hold. */
  find(request: Extract<ToHost, { type: 'find' }>): void {
    this.flush();
    this.post({ type: 'found', ref: request.ref, ...this.finder.find(request) });
  }

  /** Adds changes, which the source has already applied. */
  take(changes: readonly TranscriptChange[]): void {
    for (const change of changes) {
      this.news.take(change, change.op === 'put' && !this.known.has(change.entry.id));
      this.facts.take(change);
      if (change.op === 'put') this.put(change.entry);
      else if (change.op === 'remove') this.remove(change.ids);
      else if (this.heldIds.has(change.id)) this.changes.append(change.id, change.text, this.source.entry(change.id));
    }
    this.timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  /** Discards the batched changes. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.changes.take();
    this.news.collect();
  }

  /** Sends the batched changes at once. */
  flush(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    const changes = this.changes.take();
    const told = this.news.collect();
    const facts = this.facts.of(this);
    const known = JSON.stringify(facts);
    const isTold = known === this.toldFacts;
    this.toldFacts = known;
    if (changes.length === 0 && isTold && Object.keys(told).length === 0) return;
    this.post({ type: 'changes', changes, ...(!isTold && { facts }), ...told });
    // A rewind to long before the reading position removed all entries that the panel held.
    if (this.held.start === this.held.end && this.length > 0) this.show(this.length - 1);
  }

  private hold(index: number): { total: number; start: number; entries: Entry[] } {
    this.held = rangeAround(index, this.length, (at) => this.at(at));
    const { start, end } = this.held;
    const ids = this.order.slice(start, end);
    this.heldIds.clear();
    for (const id of ids) this.heldIds.add(id);
    return { total: this.length, start, entries: ids.flatMap((id) => this.source.entry(id) ?? []) };
  }

  private put(entry: Entry): void {
    if (this.heldIds.has(entry.id)) {
      this.changes.put(entry);
      return;
    }
    if (this.known.has(entry.id)) return;
    this.known.add(entry.id);
    const { start, end } = this.held;
    const isNext = end === this.order.push(entry.id) - 1 && end - start < MOST_HELD;
    if (!isNext) {
      this.changes.grow();
      return;
    }
    this.held = { start, end: end + 1 };
    this.heldIds.add(entry.id);
    this.changes.put(entry);
  }

  private remove(ids: readonly string[]): void {
    const places = ids
      .map((id) => this.indexOf(id))
      .filter((index) => index >= 0)
      .sort((a, b) => b - a);
    for (const id of ids) {
      this.known.delete(id);
      this.heldIds.delete(id);
    }
    for (const { at, count } of runsOf(places)) {
      this.order.splice(at, count);
      this.held = rangeAfterCut(this.held, at, count);
      this.changes.cut(at, count);
    }
  }
}

/** Groups adjacent positions. Input and output are ordered from last to first. */
function runsOf(places: readonly number[]): { at: number; count: number }[] {
  const runs: { at: number; count: number }[] = [];
  for (const at of places) {
    const run = runs.at(-1);
    if (run && run.at === at + 1) {
      run.at = at;
      run.count++;
    } else {
      runs.push({ at, count: 1 });
    }
  }
  return runs;
}

/** Whether a message is in the conversation, after the last entry that its sender knew. */
export function wasSaid(
  entries: readonly Entry[],
  { text, after }: { text: string; after?: string | undefined },
): boolean {
  const from = after === undefined ? 0 : entries.findIndex(({ id }) => id === after) + 1;
  // The entry is gone, so old and new messages cannot be told apart: a duplicate in the input is better than a loss.
  if (after !== undefined && from === 0) return false;
  return entries.slice(from).some((entry) => isSaid(entry, text));
}

function isSaid(entry: Entry, text: string): boolean {
  if (entry.kind === 'tool') return entry.command?.typed !== undefined && `!${entry.command.typed}` === trimmed(text);
  return entry.kind === 'user' && entry.text === text;
}

/** The command as the extension receives it. */
function trimmed(text: string): string {
  return text.startsWith('!') ? `!${text.slice(1).trim()}` : text;
}

/** Batches the changes of a frame as compactly as possible: hundreds of words of one answer become one text. */
class WindowChanges {
  private list: WindowChange[] = [];
  /** The index of the newest change to each entry. A cut resets this, because it moves entries. */
  private readonly latest = new Map<string, number>();

  put(entry: Entry): void {
    const at = this.latest.get(entry.id);
    if (at !== undefined && this.list[at]?.op === 'put') this.list[at] = { op: 'put', entry };
    else this.latest.set(entry.id, this.list.push({ op: 'put', entry }) - 1);
  }

  /** `entry` is the current entry. */
  append(id: string, text: string, entry: Entry | undefined): void {
    const at = this.latest.get(id);
    const before = at === undefined ? undefined : this.list[at];
    if (at !== undefined && before?.op === 'put' && entry) this.list[at] = { op: 'put', entry };
    else if (at !== undefined && before?.op === 'append') this.list[at] = { ...before, text: before.text + text };
    else this.latest.set(id, this.list.push({ op: 'append', id, text }) - 1);
  }

  grow(): void {
    const last = this.list.at(-1);
    if (last?.op === 'grow') this.list[this.list.length - 1] = { op: 'grow', count: last.count + 1 };
    else this.list.push({ op: 'grow', count: 1 });
  }

  cut(at: number, count: number): void {
    this.list.push({ op: 'cut', at, count });
    this.latest.clear();
  }

  /** Returns all changes and starts a new batch. */
  take(): WindowChange[] {
    const { list } = this;
    this.list = [];
    this.latest.clear();
    return list;
  }
}

/** The entries from `start` to `end`, end excluded. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The number of entries on each side of the requested one: about ten screens of short entries. */
const AROUND = 100;

/** A limit for long entries. A panel that holds this much text is still small. */
const MAX_TEXT = 1_000_000;

/** While entries are added at the end, the panel holds more and more of them, up to this number. */
const MOST_HELD = 400;

/** The range to hold when the panel requests the entries around one. */
function rangeAround(index: number, length: number, at: (index: number) => Entry | undefined): Range {
  if (length === 0) return { start: 0, end: 0 };
  const middle = Math.min(Math.max(index, 0), length - 1);
  let [start, end] = [middle, middle + 1];
  let text = sizeOf(at(middle));
  while (text < MAX_TEXT) {
    const before = start > 0 && middle - start < AROUND;
    const after = end < length && end - middle <= AROUND;
    if (!before && !after) break;
    if (before) text += sizeOf(at(--start));
    if (after) text += sizeOf(at(end++));
  }
  return { start, end };
}

/** The range after entries were removed from the list. */
function rangeAfterCut({ start, end }: Range, at: number, count: number): Range {
  const moved = (edge: number): number => (edge <= at ? edge : Math.max(at, edge - count));
  return { start: moved(start), end: moved(end) };
}

function sizeOf(entry: Entry | undefined): number {
  if (!entry) return 0;
  if (entry.kind === 'tool') return entry.detail.length + (entry.patch?.length ?? 0);
  return 'text' in entry ? entry.text.length : 0;
}
