import type { Entry, TranscriptChange } from './transcript-entry.ts';

/** The displayed entries in order. Every modification is also returned as a change, for readers that follow. */
export class TranscriptEntries {
  private readonly byId = new Map<string, Entry>();

  get all(): Entry[] {
    return [...this.byId.values()];
  }

  get last(): Entry | undefined {
    return this.all.at(-1);
  }

  get(id: string | undefined): Entry | undefined {
    return this.byId.get(id ?? '');
  }

  put(entry: Entry): TranscriptChange {
    this.byId.set(entry.id, entry);
    return { op: 'put', entry };
  }

  remove(entries: readonly Entry[]): TranscriptChange[] {
    for (const { id } of entries) this.byId.delete(id);
    return entries.length === 0 ? [] : [{ op: 'remove', ids: entries.map(({ id }) => id) }];
  }

  removeById(id: string | undefined): TranscriptChange[] {
    const entry = this.get(id);
    return entry ? this.remove([entry]) : [];
  }

  append(id: string, text: string): TranscriptChange {
    const entry = this.byId.get(id);
    if (entry && 'text' in entry) this.byId.set(id, { ...entry, text: entry.text + text });
    return { op: 'append', id, text };
  }
}

/** Removes the entries that a rewind removes, and restores them if the rewind is undone. */
export class RewoundEntries {
  /** The entries that the last rewind removed. */
  private cut: { readonly rewindId: string; readonly entries: readonly Entry[] } | undefined;

  constructor(private readonly shown: TranscriptEntries) {}

  /** Removes the entries from the message on. Without a message, only files were rewound. */
  rewind(rewindId: string, messageId: string | undefined): TranscriptChange[] {
    const entries = this.shown.all;
    const at = entries.findIndex((entry) => messageId !== undefined && isMessageEntry(entry, messageId));
    const gone = at < 0 ? [] : entries.slice(at).filter((entry) => !outlives(entry, entries, at));
    this.cut = { rewindId, entries: gone };
    return this.shown.remove(gone);
  }

  undo(rewindId: string): TranscriptChange[] {
    const { cut } = this;
    if (cut?.rewindId !== rewindId) return [];
    this.cut = undefined;
    return cut.entries.map((entry) => this.shown.put(entry));
  }

  /** The conversation continues, so the rewind can no longer be undone. */
  forget(): void {
    this.cut = undefined;
  }
}

export function isMessageEntry(entry: Entry, messageId: string): boolean {
  return entry.kind === 'user' && entry.messageId === messageId;
}

/** Whether the entry is a snapshot of only earlier messages than the one rewound to, so it is still sent. */
function outlives(entry: Entry, entries: readonly Entry[], at: number): boolean {
  if (entry.kind !== 'compacted' || entry.keptFrom === undefined) return false;
  const { keptFrom } = entry;
  const first = entries.findIndex((other) => isMessageEntry(other, keptFrom));
  return first >= 0 && first <= at;
}
