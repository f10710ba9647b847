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
