import type { Entry, TranscriptChange } from '../../protocol/transcript/transcript-entry.ts';

/** A question that waits for a person. */
export interface PendingApproval {
  /** Absent when it is about the model, which does not answer. */
  readonly callId?: string;
  /** Of a session that is not the one shown. */
  readonly sessionId?: string;
  readonly approval: NonNullable<Extract<Entry, { kind: 'tool' }>['approval']>;
}

/** The questions of a conversation that wait, in the order they were asked. A change costs what it changes. */
export class PendingList {
  private readonly byEntry = new Map<string, PendingApproval>();

  get items(): readonly PendingApproval[] {
    return [...this.byEntry.values()];
  }

  /** Each returns whether other questions wait than before. */
  reset(entries: readonly Entry[]): boolean {
    const before = this.ids();
    this.byEntry.clear();
    for (const entry of entries) this.put(entry);
    return this.ids() !== before;
  }

  apply(changes: readonly TranscriptChange[]): boolean {
    let changed = false;
    for (const change of changes) {
      if (change.op === 'put') changed = this.put(change.entry) || changed;
      if (change.op === 'remove') for (const id of change.ids) changed = this.byEntry.delete(id) || changed;
    }
    return changed;
  }

  private put(entry: Entry): boolean {
    const pending = pendingIn(entry);
    if (!pending) return this.byEntry.delete(entry.id);
    const isNew = this.byEntry.get(entry.id)?.approval.requestId !== pending.approval.requestId;
    this.byEntry.set(entry.id, pending);
    return isNew;
  }

  private ids(): string {
    return JSON.stringify(this.items.map(({ approval }) => approval.requestId));
  }
}

function pendingIn(entry: Entry): PendingApproval | undefined {
  if (entry.kind === 'tool') return entry.approval && { callId: entry.id, approval: entry.approval };
  if (entry.kind !== 'choice') return undefined;
  const { id: requestId, title, message, options } = entry;
  return { approval: { requestId, title, message, decisions: options.map(({ decision }) => decision) } };
}
