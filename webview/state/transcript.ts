import type { TranscriptChange } from '../../extension/protocol/panel-messages.ts';
import type { Entry } from '../../extension/protocol/transcript-entry.ts';
import { EntryCell } from './entry-cell.ts';

export interface Applied {
  /** Entries were added: the list has to be drawn again. */
  readonly grown: boolean;
  /** Entries that came to their end with these changes, for the screen reader. */
  readonly finished: readonly Entry[];
}

/** The conversation as a list of cells, kept up to date from the host's messages. */
export class Transcript {
  private list: readonly EntryCell[] = [];
  private readonly byId = new Map<string, EntryCell>();

  /** A new array whenever entries were added, the same one otherwise. */
  get cells(): readonly EntryCell[] {
    return this.list;
  }

  get entries(): readonly Entry[] {
    return this.list.map((cell) => cell.entry);
  }

  reset(entries: readonly Entry[]): void {
    this.byId.clear();
    this.list = entries.flatMap((entry) => this.put(entry) ?? []);
  }

  apply(changes: readonly TranscriptChange[]): Applied {
    const added: EntryCell[] = [];
    const finished: Entry[] = [];
    for (const change of changes) {
      if (change.op === 'append') {
        // An append to an unknown entry can only be older than the transcript we were given.
        this.byId.get(change.id)?.append(change.text);
        continue;
      }
      const earlier = this.byId.get(change.entry.id)?.entry;
      const cell = this.put(change.entry);
      if (cell) added.push(cell);
      if (isFinished(change.entry) && !(earlier && isFinished(earlier))) finished.push(change.entry);
    }
    if (added.length > 0) this.list = [...this.list, ...added];
    return { grown: added.length > 0, finished };
  }

  /** Returns the cell when the entry is new. */
  private put(entry: Entry): EntryCell | undefined {
    const known = this.byId.get(entry.id);
    if (known) {
      known.put(entry);
      return undefined;
    }
    const cell = new EntryCell(entry);
    this.byId.set(entry.id, cell);
    return cell;
  }
}

function isFinished(entry: Entry): boolean {
  return entry.kind === 'note' || (entry.kind === 'answer' && entry.state !== 'streaming');
}

/**
 * The problem whose buttons still mean something: the newest one, as long as the conversation has not gone on after it.
 */
export function openProblem(entries: readonly Entry[]): string | undefined {
  const last = entries.findLast((entry) => entry.kind !== 'note' && entry.kind !== 'usage');
  return last?.kind === 'problem' ? last.id : undefined;
}

export function countOfUserText(entries: readonly Entry[], text: string): number {
  return entries.reduce((count, entry) => (entry.kind === 'user' && entry.text === text ? count + 1 : count), 0);
}
