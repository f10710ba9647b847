import { Emitter } from '../../extension/base/emitter.ts';
import type { ToPanel, TranscriptFacts, Waiting, WindowChange } from '../../extension/protocol/panel/panel-messages.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';

type EntryChange = { readonly op: 'put' } | { readonly op: 'append'; readonly text: string };

/** One entry, to which its view subscribes, so that a change updates only that view. */
export class EntryCell {
  private readonly changes = new Emitter<EntryChange>();
  readonly subscribe = this.changes.on;

  constructor(private current: Entry) {}

  get entry(): Entry {
    return this.current;
  }

  /** The text of an answer or of thinking; empty for other kinds. */
  get text(): string {
    return 'text' in this.current ? this.current.text : '';
  }

  get streaming(): boolean {
    const { current } = this;
    return current.kind === 'answer' ? current.state === 'streaming' : current.kind === 'thinking' && current.running;
  }

  put(entry: Entry): void {
    this.current = entry;
    this.changes.fire({ op: 'put' });
  }

  append(text: string): void {
    const grown = withAppended(this.current, text);
    if (grown === this.current) return;
    this.current = grown;
    this.changes.fire({ op: 'append', text });
  }
}

/** Appends to the displayed text: the text of an entry, or the result of a tool. */
export function withAppended(entry: Entry, text: string): Entry {
  if ('text' in entry) return { ...entry, text: entry.text + text };
  if (entry.kind === 'tool') return { ...entry, detail: entry.detail + text };
  return entry;
}

type Window = Pick<Extract<ToPanel, { type: 'window' }>, 'total' | 'start' | 'entries'>;

/** A change to the indices of entries, for code that stores data by index. */
export type Reshaping = Extract<WindowChange, { op: 'cut' }> | { readonly op: 'grow'; readonly count: number };

const NO_FACTS: TranscriptFacts = { waiting: [], unanswered: [], open: [], retrying: false, pending: [] };

/**
 * The conversation as the panel knows it: the number of entries, the entries near the reader as cells, and the host's
 * facts about the whole conversation.
 */
export class PanelTranscript {
  /** The number of all entries, loaded or not. */
  total = 0;
  /** The index of the first loaded entry. */
  start = 0;
  facts = NO_FACTS;
  /** Incremented for each conversation. Indices of an earlier generation are invalid. */
  generation = 0;
  /** Incremented for each window of entries that the host sends. */
  holds = 0;
  private list: readonly EntryCell[] = [];
  private readonly byId = new Map<string, EntryCell>();
  private reshapings: Reshaping[] = [];

  /** The loaded entries. The array is replaced when entries were added or removed, and otherwise stays the same. */
  get cells(): readonly EntryCell[] {
    return this.list;
  }

  get end(): number {
    return this.start + this.list.length;
  }

  get entries(): readonly Entry[] {
    return this.list.map((cell) => cell.entry);
  }

  /** True if an entry waits for the user. */
  get waiting(): boolean {
    return this.facts.waiting.length > 0;
  }

  /** The pending cards in order, including those that are not loaded. */
  get questions(): readonly WaitingQuestion[] {
    return this.facts.waiting.filter(isQuestion);
  }

  /** The newest entry that only a rewind can remove. */
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

  /** Starts another conversation. */
  reset(window: Window, facts: TranscriptFacts): void {
    this.byId.clear();
    this.reshapings = [];
    this.generation++;
    this.facts = facts;
    this.hold(window);
  }

  /** Loads other entries of the same conversation. Existing cells are kept, because they are up to date and in use. */
  hold({ total, start, entries }: Window): void {
    const cells = entries.map((entry) => this.byId.get(entry.id) ?? new EntryCell(entry));
    this.byId.clear();
    for (const cell of cells) this.byId.set(cell.entry.id, cell);
    this.total = total;
    this.start = start;
    this.list = cells;
    this.holds++;
  }

  /** Returns true if the elements around the entries must be drawn again. */
  apply(changes: readonly WindowChange[], facts?: TranscriptFacts): boolean {
    const added: EntryCell[] = [];
    let isReshaped = facts !== undefined;
    if (facts) this.facts = facts;
    for (const change of changes) {
      switch (change.op) {
        case 'append':
          // An append to an unknown entry can only be older than the transcript that the panel received.
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

  /** The changes to indices since the last call. */
  takeReshapings(): readonly Reshaping[] {
    return this.reshapings.splice(0);
  }

  /** Returns true if the entry is new. */
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
