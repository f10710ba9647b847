import type { TranscriptEntries } from './transcript-entries.ts';
import type { Entry, TranscriptChange } from './transcript-entry.ts';

/** Takes away what a rewind takes away, and brings it back when that is undone. */
export class RewoundEntries {
  /** What the last rewind took away. */
  private cut: { readonly rewindId: string; readonly entries: readonly Entry[] } | undefined;

  constructor(private readonly shown: TranscriptEntries) {}

  /** From the message on; without one only files went back. */
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

  /** The conversation continues, so there is nothing left to undo. */
  forget(): void {
    this.cut = undefined;
  }
}

export function isMessageEntry(entry: Entry, messageId: string): boolean {
  return entry.kind === 'user' && entry.messageId === messageId;
}

/** A snapshot of what was said before the message that is left: it is still sent. */
function outlives(entry: Entry, entries: readonly Entry[], at: number): boolean {
  if (entry.kind !== 'compacted' || entry.keptFrom === undefined) return false;
  const { keptFrom } = entry;
  const first = entries.findIndex((other) => isMessageEntry(other, keptFrom));
  return first >= 0 && first <= at;
}
