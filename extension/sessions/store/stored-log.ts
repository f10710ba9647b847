import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../files/durable-files.ts';
import type { SessionHeader, SessionRecord } from '../session-record.ts';
import type { LockOwner } from './lock-file.ts';
import type { LogFailure } from './log-failure.ts';
import { LogFile } from './log-file.ts';
import { LOG_NAME } from './session-folder.ts';
import { type HeldLock, type LockTimes, takeLockNow } from './session-lock.ts';

export interface LogObserver {
  /** Called once per outage: records wait in memory. */
  onFailure?(failure: LogFailure): void;
  onRecovered?(): void;
  /**
   * Called once if another process has the session, so that nothing more is written. Undefined: the owner is unknown.
   */
  onLockLost?(by: LockOwner | undefined): void;
}

/** The right to write: the log has the lock, or takes it with the first record of a new session. */
export type WriteRight = HeldLock | NewSession;

export interface NewSession {
  readonly kind: 'new';
  readonly header: SessionHeader;
  readonly owner: { readonly label: string };
  readonly lockTimes: LockTimes;
}

/**
 * The log of one session, together with the right to write it. A new session writes nothing to disk before its first
 * record: then its folder is created, its lock taken and its header written, all before `append` returns.
 */
export class StoredLog {
  private readonly file: LogFile;
  private headerWritten = false;
  private lost = false;

  constructor(
    readonly folder: string,
    private readonly observer: LogObserver,
    private right: WriteRight,
  ) {
    this.file = new LogFile(join(folder, LOG_NAME), {
      onFailure: (failure) => observer.onFailure?.(failure),
      onRecovered: () => observer.onRecovered?.(),
      mayWrite: () => this.mayWrite(),
    });
  }

  append(...records: readonly SessionRecord[]): void {
    if (this.right.kind !== 'new' || this.headerWritten) {
      this.file.append(...records);
    } else {
      this.headerWritten = true;
      this.file.append(this.right.header, ...records);
    }
  }

  /** Resolves when everything appended so far is on disk, or can't be written for now. */
  synced(): Promise<void> {
    return this.file.synced();
  }

  /** Writes everything to disk, then releases the lock. */
  async close(): Promise<void> {
    await this.file.close();
    if (this.right.kind === 'held') await this.right.release();
  }

  lockLost(by: LockOwner | undefined): void {
    if (this.lost) return;
    this.lost = true;
    this.file.abandon();
    this.observer.onLockLost?.(by);
  }

  private mayWrite(): boolean {
    if (this.right.kind === 'new') this.takeRight(this.right);
    if (this.right.kind === 'held' && !this.right.confirm()) this.lockLost(undefined);
    return !this.lost;
  }

  private takeRight({ owner, lockTimes }: NewSession): void {
    makeFolder(this.folder);
    const taken = takeLockNow(this.folder, owner, { ...lockTimes, onLost: (by) => this.lockLost(by) });
    if (taken.kind === 'taken') {
      this.lockLost(taken.by);
    } else if (existsSync(join(this.folder, LOG_NAME))) {
      // An existing session with the same id must not be continued with a second header.
      void taken.release();
      this.lockLost(undefined);
    } else {
      this.right = taken;
    }
  }
}
