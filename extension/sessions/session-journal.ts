import type { Clock } from '../runtime/host.ts';
import { SessionHistory } from './session-history.ts';
import type { RecordBody, SessionHeader, SessionRecord } from './session-record.ts';

/** Where records go. */
export interface RecordLog {
  /** Handed to the operating system when it returns. Never throws: what cannot be written waits in memory. */
  append(record: SessionRecord): void;
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

type Listener = (record: SessionRecord) => void;

/** The one way anything happens in a session: written first, then taken into the history, then told. */
export class SessionJournal {
  readonly history = new SessionHistory();
  private readonly listeners: Listener[] = [];
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
    for (const record of records) this.log.append(record);
  }

  append(body: RecordBody): void {
    const record = { ...body, at: new Date(this.clock.now()).toISOString() };
    // A session that says nothing leaves no trace: the log writes the header with the first record.
    this.log.append(record);
    if (!this.history.header) this.take(this.header);
    this.take(record);
  }

  synced(): Promise<void> {
    return this.log.synced();
  }

  /** What happens from here on is not kept. */
  async close(): Promise<void> {
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
