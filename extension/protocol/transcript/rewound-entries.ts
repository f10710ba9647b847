import type { TranscriptEntries } from './transcript-entries.ts';
import type { Entry, TranscriptChange } from './transcript-entry.ts';

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
