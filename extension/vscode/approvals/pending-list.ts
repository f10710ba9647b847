import type { Entry, TranscriptChange } from '../../protocol/transcript/transcript-entry.ts';

/** A question that the user has to answer. */
export interface PendingApproval {
  /** Absent if the question is about a model that does not respond. */
  readonly callId?: string;
  /** The id of the session, if it is not the one shown. */
  readonly sessionId?: string;
  readonly approval: NonNullable<Extract<Entry, { kind: 'tool' }>['approval']>;
}

/** The pending questions of a conversation, in the order they were asked. An update only visits what changed. */
export class PendingList {
  private readonly byEntry = new Map<string, PendingApproval>();

  get items(): readonly PendingApproval[] {
    return [...this.byEntry.values()];
  }

  /** `reset` and `apply` return whether the pending questions changed. */
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
