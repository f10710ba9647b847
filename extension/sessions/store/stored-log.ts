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
  /** Once per outage: records wait in memory. */
  onFailure?(failure: LogFailure): void;
  onRecovered?(): void;
  /** Once, when another process writes this session: nothing more is written here. Undefined: nobody knows who. */
  onLockLost?(by: LockOwner | undefined): void;
}

/** How a log comes by the right to write: it has it, or takes it with the first record of a new session. */
export type WriteRight = HeldLock | NewSession;

export interface NewSession {
  readonly kind: 'new';
  readonly header: SessionHeader;
  readonly owner: { readonly label: string };
  readonly lockTimes: LockTimes;
}

/**
 * The log of one session, together with the right to write it. A new session touches the disk with its first record:
 * then its folder is made, its lock taken and its header written, all before `append` returns.
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

  /** Resolves when everything appended so far is on disk, or cannot be brought there now. */
  synced(): Promise<void> {
    return this.file.synced();
  }

  /** Brings everything to disk, then lets others write the session. */
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
      // A session of the same name that was there before is not to be continued with a second header.
      void taken.release();
      this.lockLost(undefined);
    } else {
      this.right = taken;
    }
  }
}
