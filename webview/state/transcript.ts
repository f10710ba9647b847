import type { ToPanel, TranscriptFacts, Waiting, WindowChange } from '../../extension/protocol/panel/panel-messages.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { EntryCell } from './entry-cell.ts';

type Window = Pick<Extract<ToPanel, { type: 'window' }>, 'total' | 'start' | 'entries'>;

/** What happened to the places of entries, for whoever keeps something about each of them. */
export type Reshaping = Extract<WindowChange, { op: 'cut' }> | { readonly op: 'grow'; readonly count: number };

const NO_FACTS: TranscriptFacts = { waiting: [], unanswered: [], open: [], retrying: false, pending: [] };

/**
 * The conversation as the panel knows it: how many entries there are, those near the reader as cells, and what the host
 * says of the whole.
 */
export class PanelTranscript {
  /** Of all entries, held or not. */
  total = 0;
  /** The place of the first one that is held. */
  start = 0;
  facts = NO_FACTS;
  /** Counts conversations: what was remembered of places in the one before means nothing. */
  generation = 0;
  /** Counts the answers of the host to what the panel asked to hold. */
  holds = 0;
  private list: readonly EntryCell[] = [];
  private readonly byId = new Map<string, EntryCell>();
  private reshapings: Reshaping[] = [];

  /** Those held. A new array whenever entries came or went, the same one otherwise. */
  get cells(): readonly EntryCell[] {
    return this.list;
  }

  get end(): number {
    return this.start + this.list.length;
  }

  get entries(): readonly Entry[] {
    return this.list.map((cell) => cell.entry);
  }

  /** Gantry cannot continue before it has an answer. */
  get waiting(): boolean {
    return this.facts.waiting.length > 0;
  }

  /** The cards that wait, in the order they stand in, also those that are not held. */
  get questions(): readonly WaitingQuestion[] {
    return this.facts.waiting.filter(isQuestion);
  }

  /** The newest entry that only a rewind takes away. */
  get lastLasting(): string | undefined {
    return this.list.findLast(({ entry }) => LASTING.has(entry.kind))?.entry.id;
  }

  cell(id: string): EntryCell | undefined {
    return this.byId.get(id);
  }

  indexOf(id: string): number {
    const at = this.list.findIndex(({ entry }) => entry.id === id);
    return at < 0 ? -1 : this.start + at;
  }

  /** Another conversation. */
  reset(window: Window, facts: TranscriptFacts): void {
    this.byId.clear();
    this.reshapings = [];
    this.generation++;
    this.facts = facts;
    this.hold(window);
  }

  /** Other entries of the same one. Cells that stay are kept: they are up to date, and being drawn. */
  hold({ total, start, entries }: Window): void {
    const cells = entries.map((entry) => this.byId.get(entry.id) ?? new EntryCell(entry));
    this.byId.clear();
    for (const cell of cells) this.byId.set(cell.entry.id, cell);
    this.total = total;
    this.start = start;
    this.list = cells;
    this.holds++;
  }

  /** Whether entries came or went: what stands around them has to be drawn again. */
  apply(changes: readonly WindowChange[], facts?: TranscriptFacts): boolean {
    const added: EntryCell[] = [];
    let isReshaped = facts !== undefined;
    if (facts) this.facts = facts;
    for (const change of changes) {
      switch (change.op) {
        case 'append':
          // An append to an unknown entry can only be older than the transcript we were given.
          this.byId.get(change.id)?.append(change.text);
          continue;
        case 'put':
          if (this.put(change.entry, added)) break;
          continue;
        case 'grow':
          this.total += change.count;
          this.reshapings.push(change);
          break;
        case 'cut':
          this.list = [...this.list, ...added.splice(0)];
          this.cut(change);
          break;
      }
      isReshaped = true;
    }
    if (added.length > 0) this.list = [...this.list, ...added];
    return isReshaped;
  }

  /** What happened to places since the last time. */
  takeReshapings(): readonly Reshaping[] {
    return this.reshapings.splice(0);
  }

  /** True when the entry is new. */
  private put(entry: Entry, added: EntryCell[]): boolean {
    const known = this.byId.get(entry.id);
    if (known) {
      known.put(entry);
      return false;
    }
    const cell = new EntryCell(entry);
    this.byId.set(entry.id, cell);
    added.push(cell);
    this.total++;
    this.reshapings.push({ op: 'grow', count: 1 });
    return true;
  }

  private cut(change: Extract<WindowChange, { op: 'cut' }>): void {
    const { at, count } = change;
    const from = Math.max(0, at - this.start);
    const to = Math.max(from, at + count - this.start);
    for (const { entry } of this.list.slice(from, to)) this.byId.delete(entry.id);
    this.list = [...this.list.slice(0, from), ...this.list.slice(to)];
    this.start = Math.min(this.start, Math.max(at, this.start - count));
    this.total = Math.max(0, this.total - count);
    this.reshapings.push(change);
  }
}

const LASTING: ReadonlySet<Entry['kind']> = new Set([
  'user',
  'tool',
  'problem',
  'note',
  'protected',
  'compacted',
  'usage',
]);

/** A card that waits for its answer. */
export type WaitingQuestion = Waiting & { readonly requestId: string };

function isQuestion(waiting: Waiting): waiting is WaitingQuestion {
  return waiting.requestId !== undefined;
}

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

export type AskingEntry = ToolEntry & { readonly approval: NonNullable<ToolEntry['approval']> };

export function asks(entry: Entry): entry is AskingEntry {
  return entry.kind === 'tool' && entry.approval !== undefined;
}
