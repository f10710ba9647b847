import type { Event } from '@google/adk';
import type { RecordOf } from './session-record.ts';

/** A snapshot that stands for the conversation up to an event. */
export type Summary = Pick<RecordOf<'compacted'>, 'upToEventId' | 'summary'>;

/** An output that is sent in part, and where the whole of it is. */
export interface CutOutput {
  readonly threshold: number;
  readonly file: string | undefined;
}

/** What of the conversation is sent in another form. Which events there are is the history's to know. */
export class Compactions {
  /** By call. */
  readonly cuts = new Map<string, CutOutput>();
  private readonly records: RecordOf<'compacted'>[] = [];
  private readonly countedWith = new Map<string, RecordOf<'compacted'> | undefined>();
  private readonly madeBehind = new Map<RecordOf<'compacted'>, string>();

  constructor(private readonly isKnown: (eventId: string) => boolean) {}

  /** The newest one whose event no rewind took away. */
  get inForce(): RecordOf<'compacted'> | undefined {
    return this.records.findLast(({ upToEventId }) => this.isKnown(upToEventId));
  }

  take(record: RecordOf<'compacted' | 'outputs_cut'>, newestEvent: string | undefined): void {
    if (record.type === 'outputs_cut') {
      for (const { callId, file } of record.outputs) this.cuts.set(callId, { threshold: record.threshold, file });
      return;
    }
    this.records.push(record);
    this.madeBehind.set(record, newestEvent ?? record.upToEventId);
  }

  /** An answer says how long its request was, in the form that the conversation had then. */
  takeEvent({ id, usageMetadata }: Event): void {
    if (usageMetadata?.promptTokenCount) this.countedWith.set(id, this.inForce);
  }

  /** The newest event of the conversation when this snapshot was made: what came later is not in its numbers. */
  lastEventOf(record: RecordOf<'compacted'>): string {
    return this.madeBehind.get(record) ?? record.upToEventId;
  }

  /** Whether what the server counted for this answer is what would be sent again. */
  countStands({ id }: Event): boolean {
    return this.countedWith.has(id) && this.countedWith.get(id) === this.inForce;
  }
}
