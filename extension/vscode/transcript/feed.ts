import type { ToHost } from '../../protocol/panel/host-messages.ts';
import type { ToPanel } from '../../protocol/panel/panel-messages.ts';
import type { TranscriptChange } from '../../protocol/transcript/transcript-change.ts';
import type { Entry } from '../../protocol/transcript/transcript-entry.ts';
import { type EntryList, Facts } from './facts.ts';
import { Finder } from './find.ts';
import { MOST_HELD, type Range, rangeAfterCut, rangeAround } from './held-range.ts';
import { News } from './news.ts';
import { wasSaid } from './was-said.ts';
import { WindowChanges } from './window-changes.ts';

/** The conversation as it is now. */
export interface FeedSource {
  readonly entries: readonly Entry[];
  entry(id: string): Entry | undefined;
}

/** A fast model sends hundreds of pieces a second, a screen shows sixty pictures. */
const FRAME_MS = 17;

/**
 * Tells a panel of a conversation of any length. The panel holds the entries around its reader and asks for others; of the
 * rest it is told how many there are, and what is true of the whole. Changes are gathered for a frame.
 */
export class TranscriptFeed implements EntryList {
  private order: string[] = [];
  private readonly known = new Set<string>();
  private held: Range = { start: 0, end: 0 };
  private readonly heldIds = new Set<string>();
  private readonly changes = new WindowChanges();
  private readonly facts = new Facts();
  private readonly news = new News();
  private readonly finder = new Finder(this);
  private toldFacts = '';
  private timer: NodeJS.Timeout | undefined;

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

  /** From the end: what changes is mostly there. */
  indexOf(id: string): number {
    return this.known.has(id) ? this.order.lastIndexOf(id) : -1;
  }

  /** The panel listens now, or another conversation is shown. */
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

  /** The panel wants to hold what is around this entry. */
  show(index: number): void {
    this.flush();
    this.post({ type: 'window', ...this.hold(index) });
  }

  /** Looks through all of it, also what the panel does not hold. */
  find(request: Extract<ToHost, { type: 'find' }>): void {
    this.flush();
    this.post({ type: 'found', ref: request.ref, ...this.finder.find(request) });
  }

  /** The source has taken them in already. */
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

  /** What was gathered is not told any more. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.changes.take();
    this.news.collect();
  }

  /** Tells at once what was gathered. */
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
    // A rewind to long before the reader's place took all that the panel held.
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

/** Places next to each other together; given and returned from the last to the first. */
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
