import type { Event } from '@google/adk';
import type { RecordOf } from './session-record.ts';

/** A snapshot that replaces the conversation up to an event. */
export type Summary = Pick<RecordOf<'compacted'>, 'upToEventId' | 'summary'>;

/** An output that is shortened in requests, and the file with the whole output. */
export interface CutOutput {
  readonly threshold: number;
  readonly file: string | undefined;
}

export type CompactionRecord = RecordOf<'compacted' | 'compaction_gave_nothing' | 'outputs_cut'>;

/** What changes in requests: summaries and shortened outputs. The history knows which events exist. */
export class Compactions {
  /** By call. */
  readonly cuts = new Map<string, CutOutput>();
  private readonly records: RecordOf<'compacted'>[] = [];
  private noGain: RecordOf<'compaction_gave_nothing'> | undefined;
  private readonly countedWith = new Map<string, RecordOf<'compacted'> | undefined>();
  private readonly madeBehind = new Map<RecordOf<'compacted'>, string>();

  constructor(private readonly isKnown: (eventId: string) => boolean) {}

  /** The newest summary whose event still exists. */
  get inForce(): RecordOf<'compacted'> | undefined {
    return this.records.findLast(({ upToEventId }) => this.isKnown(upToEventId));
  }

  /** The last summary saved nothing: until one does, or the user asks, only outputs are shortened. */
  get gaveNothing(): boolean {
    return this.noGain !== undefined && this.isKnown(this.noGain.upToEventId);
  }

  take(record: CompactionRecord, newestEvent: string | undefined): void {
    switch (record.type) {
      case 'compacted':
        this.records.push(record);
        this.madeBehind.set(record, newestEvent ?? record.upToEventId);
        this.noGain = undefined;
        return;
      case 'compaction_gave_nothing':
        this.noGain = record;
        return;
      case 'outputs_cut':
        for (const { callId, file } of record.outputs) this.cuts.set(callId, { threshold: record.threshold, file });
    }
  }

  /** Remembers the snapshot in force when the server counted the request of this answer. */
  takeEvent({ id, usageMetadata }: Event): void {
    if (usageMetadata?.promptTokenCount) this.countedWith.set(id, this.inForce);
  }

  /** The newest event when this snapshot was made: later events are not in its token counts. */
  lastEventOf(record: RecordOf<'compacted'>): string {
    return this.madeBehind.get(record) ?? record.upToEventId;
  }

  /** Whether the server's count for this answer still applies: the same snapshot is in force as then. */
  countStands({ id }: Event): boolean {
    return this.countedWith.has(id) && this.countedWith.get(id) === this.inForce;
  }
}
