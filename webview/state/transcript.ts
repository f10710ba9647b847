import type { TranscriptChange } from '../../extension/protocol/panel-messages.ts';
import type { Entry } from '../../extension/protocol/transcript-entry.ts';
import { commandOf } from './composer-state.ts';
import { EntryCell } from './entry-cell.ts';

export interface Applied {
  /** Entries came or went, or a question did: what stands around the entries has to be drawn again. */
  readonly reshaped: boolean;
  /** Entries that were not there before, also those that went again with the same changes. */
  readonly arrived: readonly Entry[];
  /** Entries that came to their end, or began to ask, with these changes: for the screen reader. */
  readonly spoken: readonly Entry[];
  /** What was said is gone, or is back. A message that never was delivered does not count. */
  readonly rewind: 'made' | 'undone' | undefined;
}

/** The conversation as a list of cells, kept up to date from the host's messages. */
export class Transcript {
  private list: readonly EntryCell[] = [];
  private readonly byId = new Map<string, EntryCell>();
  /** The tools that wait for a yes, or for somebody to type. */
  private readonly asking = new Set<string>();
  /** What rewinds took away; it may come back, and is not news then. */
  private readonly rewound = new Set<string>();

  /** A new array whenever entries came or went, the same one otherwise. */
  get cells(): readonly EntryCell[] {
    return this.list;
  }

  get entries(): readonly Entry[] {
    return this.list.map((cell) => cell.entry);
  }

  /** Gantry cannot go on before it has an answer. */
  get waiting(): boolean {
    return this.asking.size > 0;
  }

  /** In the order they stand in. */
  get questions(): readonly WaitingQuestion[] {
    return this.waiting ? this.entries.flatMap((entry) => questionOf(entry) ?? []) : [];
  }

  reset(entries: readonly Entry[]): void {
    this.byId.clear();
    this.asking.clear();
    this.rewound.clear();
    this.list = entries.flatMap((entry) => this.put(entry) ?? []);
  }

  apply(changes: readonly TranscriptChange[]): Applied {
    const wasAsking = [...this.asking].join();
    const added: EntryCell[] = [];
    const removed = new Map<string, EntryCell>();
    const arrived: Entry[] = [];
    const spoken: Entry[] = [];
    let undone = false;
    for (const change of changes) {
      if (change.op === 'append') {
        // An append to an unknown entry can only be older than the transcript we were given.
        this.byId.get(change.id)?.append(change.text);
        continue;
      }
      if (change.op === 'remove') {
        for (const id of change.ids) {
          const cell = this.remove(id);
          if (cell) removed.set(id, cell);
        }
        continue;
      }
      const { entry } = change;
      const earlier = this.byId.get(entry.id)?.entry;
      const cell = this.put(entry);
      if (cell) added.push(cell);
      const isBack = this.rewound.delete(entry.id);
      undone ||= isBack;
      if (cell && !isBack && !removed.has(entry.id)) arrived.push(entry);
      if (!isBack && isNews(entry, earlier)) spoken.push(entry);
    }
    const gone = [...removed.values()].filter(({ entry }) => !this.byId.has(entry.id));
    const isRewind = gone.some(({ entry }) => entry.kind === 'user' && !entry.pending);
    if (isRewind) for (const { entry } of gone) this.rewound.add(entry.id);
    if (added.length > 0 || removed.size > 0) {
      this.list = [...this.list, ...added].filter((cell) => this.byId.get(cell.entry.id) === cell);
    }
    return {
      reshaped: added.length > 0 || removed.size > 0 || [...this.asking].join() !== wasAsking,
      arrived,
      spoken,
      rewind: isRewind ? 'made' : undone ? 'undone' : undefined,
    };
  }

  /** Returns the cell when the entry is new. */
  private put(entry: Entry): EntryCell | undefined {
    if (needsUser(entry)) this.asking.add(entry.id);
    else this.asking.delete(entry.id);
    const known = this.byId.get(entry.id);
    if (known) {
      known.put(entry);
      return undefined;
    }
    const cell = new EntryCell(entry);
    this.byId.set(entry.id, cell);
    return cell;
  }

  private remove(id: string): EntryCell | undefined {
    const cell = this.byId.get(id);
    this.byId.delete(id);
    this.asking.delete(id);
    return cell;
  }
}

type ToolEntry = Extract<Entry, { kind: 'tool' }>;

export type AskingEntry = ToolEntry & { readonly approval: NonNullable<ToolEntry['approval']> };

/** A card with buttons that one of has to be pressed. */
export interface WaitingQuestion {
  readonly requestId: string;
  readonly words: string;
}

export function questionOf(entry: Entry): WaitingQuestion | undefined {
  if (entry.kind === 'choice') return { requestId: entry.id, words: entry.title };
  if (!asks(entry)) return undefined;
  const { requestId, title } = entry.approval;
  return { requestId, words: entry.subject === '' ? title : `${title} ${entry.subject}` };
}

/** Nothing goes on there before somebody does something. */
export function needsUser(entry: Entry): boolean {
  return questionOf(entry) !== undefined || waitsForInput(entry);
}

function waitsForInput(entry: Entry): boolean {
  return entry.kind === 'tool' && entry.command?.state === 'waiting';
}

export function asks(entry: Entry): entry is AskingEntry {
  return entry.kind === 'tool' && entry.approval !== undefined;
}

function isNews(entry: Entry, earlier: Entry | undefined): boolean {
  if (entry.kind === 'choice') return earlier === undefined;
  if (isFinished(entry)) return !(earlier && isFinished(earlier));
  if (waitsForInput(entry)) return !(earlier && waitsForInput(earlier));
  if (isGivenUp(entry)) return !(earlier && isGivenUp(earlier));
  if (entry.kind !== 'tool' || !entry.approval) return false;
  return earlier?.kind !== 'tool' || earlier.approval?.requestId !== entry.approval.requestId;
}

/** Nobody has answered its question in time. */
function isGivenUp(entry: Entry): boolean {
  return entry.kind === 'tool' && entry.unanswered !== undefined;
}

function isFinished(entry: Entry): boolean {
  return (
    entry.kind === 'note' || entry.kind === 'compacted' || (entry.kind === 'answer' && entry.state !== 'streaming')
  );
}

export function countOfUserText(entries: readonly Entry[], text: string): number {
  return entries.reduce((count, entry) => (isSaid(entry, text) ? count + 1 : count), 0);
}

function isSaid(entry: Entry, text: string): boolean {
  if (entry.kind === 'tool') return entry.command?.typed !== undefined && entry.command.typed === commandOf(text);
  return entry.kind === 'user' && entry.text === text;
}
