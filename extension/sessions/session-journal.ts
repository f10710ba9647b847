import { Emitter } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import { SessionHistory } from './session-history.ts';
import type { RecordBody, SessionHeader, SessionRecord } from './session-record.ts';

/** Stores records. */
export interface RecordLog {
  /**
   * Appends records in one write, which has reached the operating system when this returns. Never throws: records that
   * can't be written wait in memory.
   */
  append(...records: readonly SessionRecord[]): void;
  /** Resolves when everything so far is on disk, or when writing has failed for now. */
  synced(): Promise<void>;
  /** Resolves when everything is written and the lock is released. */
  close(): Promise<void>;
}

/** For conversations that are not stored. */
export const NO_LOG: RecordLog = {
  append: () => undefined,
  synced: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const RECORDS_AT_ONCE = 1000;

/**
 * Everything that happens in a session goes through the journal: a record is written, added to the history, and
 * reported.
 */
export class SessionJournal {
  readonly history = new SessionHistory();
  private readonly recorded = new Emitter<SessionRecord>();
  /** Gets every record, including replayed ones. */
  readonly onRecord = this.recorded.on;
  /** Text that arrived in this tick and isn't written yet. */
  private gathered: SessionRecord[] = [];
  private gathering: NodeJS.Immediate | undefined;
  private closed = false;

  constructor(
    readonly header: SessionHeader,
    private log: RecordLog,
    private readonly clock: Clock,
  ) {}

  get id(): string {
    return this.header.id;
  }

  /** Whether the journal is closed, so that nothing more is stored. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** Replays the records of the log. */
  replay(records: readonly SessionRecord[]): void {
    for (const record of [this.header, ...records]) this.take(record);
  }

  /** Writes records from elsewhere; `replay` then adds them to the history. */
  write(records: readonly SessionRecord[]): void {
    // In batches, because records are passed as arguments, and a call accepts only about a hundred thousand of them.
    for (let at = 0; at < records.length; at += RECORDS_AT_ONCE) {
      this.log.append(...records.slice(at, at + RECORDS_AT_ONCE));
    }
  }

  append(body: RecordBody): void {
    this.gathered.push({ ...body, at: new Date(this.clock.now()).toISOString() });
    // A fast model sends dozens of deltas at once. They share one write, because nothing waits for them.
    if (body.type === 'delta') this.gathering ??= setImmediate(() => this.flush());
    else this.flush();
  }

  /** Writes the collected records, adds them to the history and reports them. */
  flush(): void {
    clearImmediate(this.gathering);
    this.gathering = undefined;
    const records = this.gathered;
    if (records.length === 0) return;
    this.gathered = [];
    this.log.append(...records);
    // The header is written with the first record, so that an unused session leaves no trace.
    if (!this.history.header) this.take(this.header);
    for (const record of records) this.take(record);
  }

  synced(): Promise<void> {
    return this.log.synced();
  }

  /** Closes the log. Nothing that happens afterwards is stored. */
  async close(): Promise<void> {
    this.flush();
    const { log } = this;
    this.closed = true;
    this.log = NO_LOG;
    await log.close();
  }

  private take(record: SessionRecord): void {
    this.history.take(record);
    this.recorded.fire(record);
  }
}
