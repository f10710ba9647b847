import { closeSync, fdatasync, fstatSync, openSync, readSync, writeSync, writevSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, syncFolder } from '../../files/durable-files.ts';
import { errorCode } from '../../files/error-code.ts';
import type { SessionRecord } from '../session-record.ts';
import { type LogFailure, logFailure, unwritableRecord } from './log-failure.ts';

/** A power failure loses at most this much plus the duration of a sync. A shorter delay would keep slow disks busy. */
const SYNC_DELAY_MS = 500;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5000;

/** The operating system accepts up to 1,024 buffers per write. */
const LINES_PER_WRITE = 1000;
const NEWLINE = 0x0a;
/** Pipes, devices and some network drives can't be synced, which is not a failure. */
const CANNOT_SYNC: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

export interface LogFileOptions {
  /** Called once per outage. */
  onFailure?(failure: LogFailure): void;
  /** Called when everything that had to wait is in the file. */
  onRecovered?(): void;
  /** Called before every write. `false` ends all writing permanently; an exception counts as a disk failure. */
  mayWrite?(): boolean;
}

/**
 * The log file of a conversation. Records have reached the operating system when `append` returns, so a killed process
 * loses nothing. They are on disk within about a second, so a power failure loses little. Records that can't be written
 * wait in memory, in order.
 */
export class LogFile {
  private fd: number | undefined;
  private readonly waiting: Buffer[] = [];
  /** The number of bytes of the first waiting line that are already in the file. */
  private written = 0;
  /** The length of the file after the last write of this process. */
  private end = 0;
  private created = false;
  private closed: Promise<void> | undefined;

  private outage = false;
  private retryMs = FIRST_RETRY_MS;
  private retryTimer: NodeJS.Timeout | undefined;

  private unsynced = false;
  private syncFailed = false;
  private syncTimer: NodeJS.Timeout | undefined;
  private syncing: Promise<void> | undefined;
  private nextSync: Promise<void> | undefined;

  constructor(
    readonly path: string,
    private readonly options: LogFileOptions = {},
  ) {}

  /** Writes complete lines in one write. Never throws: a conversation continues without its disk. */
  append(...records: readonly SessionRecord[]): void {
    if (this.closed) return;
    this.waiting.push(...records.flatMap((record) => this.line(record) ?? []));
    this.flush();
  }

  /** Resolves when everything appended so far is on disk, or can't be written for now. */
  synced(): Promise<void> {
    if (!this.unsynced) return this.syncing ?? Promise.resolve();
    this.nextSync ??= (this.syncing ?? Promise.resolve()).then(() => {
      this.syncing = this.nextSync;
      this.nextSync = undefined;
      return this.sync();
    });
    return this.nextSync;
  }

  close(): Promise<void> {
    this.closed ??= this.finish();
    return this.closed;
  }

  /** Closes the file without writing anything more, because another process owns it now. */
  abandon(): void {
    this.closed ??= Promise.resolve();
    this.waiting.length = 0;
    this.stopTimers();
    this.letGo();
  }

  private line(record: SessionRecord): Buffer | undefined {
    try {
      return Buffer.from(`${JSON.stringify(record)}\n`);
    } catch (error) {
      this.options.onFailure?.(unwritableRecord(this.path, error));
      return undefined;
    }
  }

  private async finish(): Promise<void> {
    this.flush();
    await this.synced();
    this.stopTimers();
    this.letGo();
  }

  private flush(): void {
    let failure: { readonly error: unknown } | undefined;
    try {
      if (this.waiting.length > 0 && this.options.mayWrite?.() === false) this.abandon();
      while (this.waiting.length > 0) {
        this.fd ??= this.open();
        this.write(this.fd);
      }
    } catch (error) {
      failure = { error };
      // The next attempt opens the file again: it may have been unmounted, replaced or removed in the meantime.
      this.letGo();
    }
    if (this.unsynced) this.scheduleSync();
    if (failure) this.failed(failure.error);
    else this.recoverIfWhole();
  }

  private write(fd: number): void {
    const lines = this.waiting.slice(0, LINES_PER_WRITE);
    const [first, ...others] = lines as [Buffer, ...Buffer[]];
    const rest = this.written === 0 ? first : first.subarray(this.written);
    // For one line, which is the usual case, gathering takes longer than writing.
    const count = others.length === 0 ? writeSync(fd, rest) : writevSync(fd, [rest, ...others]);
    if (count === 0) throw new Error('nothing was written');
    this.end += count;
    this.unsynced = true;
    this.written += count;
    let whole = 0;
    for (const { length } of lines) {
      if (this.written < length) break;
      this.written -= length;
      whole++;
    }
    this.waiting.splice(0, whole);
  }

  private open(): number {
    makeFolder(dirname(this.path));
    const fd = openSync(this.path, 'a+', 0o600);
    try {
      const { size } = fstatSync(fd);
      this.created ||= size === 0;
      // The rest of a partly written line may only be appended if the file is as this process left it.
      if (size !== this.end) this.written = 0;
      this.end = size;
      if (this.written === 0 && size > 0 && lastByte(fd, size) !== NEWLINE) this.end += writeSync(fd, '\n');
      return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  private failed(error: unknown): void {
    if (!this.closed) this.scheduleRetry();
    if (this.outage) return;
    this.outage = true;
    this.options.onFailure?.(logFailure(this.path, error));
  }

  private recoverIfWhole(): void {
    if (!this.outage || this.syncFailed || this.waiting.length > 0) return;
    this.outage = false;
    this.retryMs = FIRST_RETRY_MS;
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
    this.options.onRecovered?.();
  }

  private scheduleRetry(): void {
    if (this.retryTimer) return;
    this.retryTimer = setTimeout(() => {
      this.retryTimer = undefined;
      this.flush();
      if (this.syncFailed) void this.synced();
    }, this.retryMs).unref();
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
  }

  private scheduleSync(): void {
    this.syncTimer ??= setTimeout(() => {
      this.syncTimer = undefined;
      void this.synced();
    }, SYNC_DELAY_MS).unref();
  }

  private async sync(): Promise<void> {
    const { fd } = this;
    if (fd !== undefined) {
      this.unsynced = false;
      try {
        await syncToDisk(fd);
        if (this.created) await this.syncFolders();
        this.syncFailed = false;
      } catch (error) {
        this.unsynced = true;
        this.syncFailed = true;
        this.failed(error);
      }
    }
    this.syncing = undefined;
    this.recoverIfWhole();
  }

  /** Syncs the folders, because the file is new in its folder, and the folder may be new in its parent. */
  private async syncFolders(): Promise<void> {
    this.created = false;
    const folder = dirname(this.path);
    await syncFolder(folder);
    await syncFolder(dirname(folder));
  }

  private letGo(): void {
    const { fd, syncing } = this;
    this.fd = undefined;
    if (fd === undefined) return;
    // If the descriptor were closed during a sync, it could belong to another file by the time the sync uses it.
    if (syncing) void syncing.then(() => closeQuietly(fd));
    else closeQuietly(fd);
  }

  private stopTimers(): void {
    clearTimeout(this.syncTimer);
    clearTimeout(this.retryTimer);
  }
}

const fdatasyncAsync = promisify(fdatasync);

async function syncToDisk(fd: number): Promise<void> {
  try {
    await fdatasyncAsync(fd);
  } catch (error) {
    if (!CANNOT_SYNC.has(errorCode(error))) throw error;
  }
}

/** Errors can be ignored here, because the sync before the close has reported them. */
function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {}
}

function lastByte(fd: number, size: number): number | undefined {
  const byte = Buffer.alloc(1);
  return readSync(fd, byte, 0, 1, size - 1) === 1 ? byte[0] : undefined;
}
