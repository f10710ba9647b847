import type { Clock } from '../ports/clock.ts';
import { SessionHistory } from './session-history.ts';
import type { RecordBody, SessionHeader, SessionRecord } from './session-record.ts';

/** Where records go. */
export interface RecordLog {
  /**
   * In one write, handed to the operating system when it returns. Never throws: what cannot be written waits in memory.
   */
  append(...records: readonly SessionRecord[]): void;
  /** Resolves when everything so far is on disk, or when it is known that the disk cannot take it now. */
  synced(): Promise<void>;
  /** Resolves when it is written and nobody holds it any more. */
  close(): Promise<void>;
}

/** For conversations that are not kept. */
export const NO_LOG: RecordLog = {
  append: () => undefined,
  synced: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const RECORDS_AT_ONCE = 1000;

type Listener = (record: SessionRecord) => void;

/** The one way anything happens in a session: written first, then taken into the history, then told. */
export class SessionJournal {
  readonly history = new SessionHistory();
  private readonly listeners: Listener[] = [];
  /** Words that arrived in this tick and are not written yet. */
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

  /** Nothing is kept any more. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** Told of every record, the replayed ones included. */
  onRecord(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Takes in what is in the log already. */
  replay(records: readonly SessionRecord[]): void {
    for (const record of [this.header, ...records]) this.take(record);
  }

  /** Writes records that were made elsewhere. They are taken in with `replay`. */
  write(records: readonly SessionRecord[]): void {
    // Not all at once: they are arguments of a call, which takes no more than about a hundred thousand.
    for (let at = 0; at < records.length; at += RECORDS_AT_ONCE) {
      this.log.append(...records.slice(at, at + RECORDS_AT_ONCE));
    }
  }

  append(body: RecordBody): void {
    this.gathered.push({ ...body, at: new Date(this.clock.now()).toISOString() });
    // A fast model sends dozens of words at once: they cost one write together, and nothing waits for them.
    if (body.type === 'delta') this.gathering ??= setImmediate(() => this.flush());
    else this.flush();
  }

  /** Writes what was gathered, takes it in and tells of it. */
  flush(): void {
    clearImmediate(this.gathering);
    this.gathering = undefined;
    const records = this.gathered;
    if (records.length === 0) return;
    this.gathered = [];
    this.log.append(...records);
    // A session that says nothing leaves no trace: the log writes the header with the first record.
    if (!this.history.header) this.take(this.header);
    for (const record of records) this.take(record);
  }

  synced(): Promise<void> {
    return this.log.synced();
  }

  /** What happens from here on is not kept. */
  async close(): Promise<void> {
    this.flush();
    const { log } = this;
    this.closed = true;
    this.log = NO_LOG;
    await log.close();
  }

  private take(record: SessionRecord): void {
    this.history.take(record);
    for (const listener of this.listeners) listener(record);
  }
}
