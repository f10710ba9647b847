import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isMissing } from '../../files/error-code.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SessionHeader, SessionRecord } from '../session-record.ts';
import type { LockOwner } from './lock-file.ts';
import { type LogContents, type LogDamage, readLog } from './read-log.ts';
import { repairLog } from './repair-log.ts';
import { type Family, givenUp, type RetentionRules } from './retention.ts';
import { type LogHit, searchLog } from './search-log.ts';
import { SessionError } from './session-error.ts';
import { LOG_NAME, sessionFolder } from './session-folder.ts';
import { type HeldLock, type LockTimes, lockOwner, takeLock } from './session-lock.ts';
import type { SessionSummary } from './session-summary.ts';
import { SessionTrash, type TrashedSession } from './session-trash.ts';
import { type LogObserver, StoredLog } from './stored-log.ts';
import { listSummaries } from './summary-index.ts';

export interface StoreOptions {
  /** The name that other processes show to their users. */
  readonly owner: { readonly label: string };
  readonly log: Logger;
  now?(): number;
  readonly lockTimes?: LockTimes;
}

export interface OpenedSession {
  readonly header: SessionHeader;
  readonly records: readonly SessionRecord[];
  readonly damage: readonly LogDamage[];
  /** The path of the original log, if it was repaired. */
  readonly keptDamaged?: string;
  readonly access: SessionAccess;
}

export type SessionAccess =
  | { readonly kind: 'write'; readonly log: StoredLog }
  /** `owner` has it open for writing; without an owner, the folder is not writable. `reason` is for the user. */
  | { readonly kind: 'read'; readonly reason: string; readonly owner?: LockOwner };

/** The sessions in one folder of the user, shared by all processes. */
export class SessionStore {
  private readonly trashed: SessionTrash;
  private readonly now: () => number;

  constructor(
    readonly root: string,
    private readonly options: StoreOptions,
  ) {
    this.now = options.now ?? Date.now;
    this.trashed = new SessionTrash(root, options.owner, options.log);
  }

  /** Nothing is written to disk before the first record is appended. */
  create(header: SessionHeader, observer: LogObserver = {}): StoredLog {
    const { owner, lockTimes = {} } = this.options;
    return new StoredLog(sessionFolder(this.root, header.id), observer, { kind: 'new', header, owner, lockTimes });
  }

  /** Takes the lock before reading, so that no other process writes in between. */
  async open(id: string, observer: LogObserver = {}): Promise<OpenedSession> {
    const folder = sessionFolder(this.root, id);
    const path = join(folder, LOG_NAME);
    if (!(await isFile(path)))
      throw new SessionError('unknown-session', l10n.t('There is no session {0} in {1}.', id, this.root));
    let log: StoredLog | undefined;
    const right = await this.rightToWrite(folder, (by) => log?.lockLost(by));
    if (right.kind === 'read') return { ...opened(id, await readLog(path)), access: right };
    try {
      const contents = await readLog(path);
      const keptDamaged = contents.damage.length > 0 ? await this.repair(path, contents) : undefined;
      log = new StoredLog(folder, observer, right);
      return {
        ...opened(id, contents),
        ...(keptDamaged === undefined ? {} : { keptDamaged }),
        access: { kind: 'write', log },
      };
    } catch (error) {
      await right.release();
      throw error;
    }
  }

  /** Newest first. Includes unreadable sessions, with their `problem`. */
  list(): Promise<SessionSummary[]> {
    return listSummaries(this.root, this.options.log);
  }

  /** The process that currently has the session open for writing, which may be this one. */
  holderOf(id: string): LockOwner | undefined {
    return lockOwner(sessionFolder(this.root, id), this.now());
  }

  /** Finds the first message or answer that contains all words, which must be in lower case. */
  find(id: string, words: readonly string[]): Promise<LogHit | undefined> {
    return searchLog(join(sessionFolder(this.root, id), LOG_NAME), words);
  }

  /** Moves the session, and those that work for it, to the trash. Returns the ids of all moved sessions. */
  async delete(id: string): Promise<string[]> {
    return this.trashed.discard(id, await this.list(), this.now());
  }

  /** Moves a session, and those that work for it, back from the trash. */
  restore(id: string): Promise<string[]> {
    return this.trashed.restore(id);
  }

  /** The deleted sessions, the latest first. */
  trash(): Promise<TrashedSession[]> {
    return this.trashed.list();
  }

  /** Permanently removes sessions that were deleted longer ago; 0 removes all. Returns the ids. */
  emptyTrash(olderThanDays: number): Promise<string[]> {
    return this.trashed.empty(olderThanDays, this.now());
  }

  /** Moves the sessions that the rules remove to the trash. Returns the ids. */
  async retain(rules: RetentionRules): Promise<string[]> {
    const sessions = await this.list();
    const moved: string[] = [];
    for (const family of givenUp(sessions, rules)) moved.push(...(await this.discardUnused(family)));
    return moved;
  }

  private async discardUnused(family: Family): Promise<string[]> {
    const [head] = family;
    try {
      const inUse = family.some(({ id }) => lockOwner(sessionFolder(this.root, id), Date.now()) !== undefined);
      return head && !inUse ? await this.trashed.discard(head.id, family, this.now()) : [];
    } catch (error) {
      this.options.log.warn(`${head?.id} is old, and was not moved to the trash: ${String(error)}`);
      return [];
    }
  }

  private async rightToWrite(
    folder: string,
    onLost: (by: LockOwner | undefined) => void,
  ): Promise<HeldLock | Extract<SessionAccess, { kind: 'read' }>> {
    try {
      const taken = await takeLock(folder, this.options.owner, { ...this.options.lockTimes, onLost });
      if (taken.kind === 'held') return taken;
      return { kind: 'read', owner: taken.by, reason: l10n.t('This session is open in {0}.', taken.by.label) };
    } catch (error) {
      this.options.log.warn(`${folder} cannot be locked, so its session is only read: ${String(error)}`);
      return { kind: 'read', reason: l10n.t('{0} cannot be written to.', folder) };
    }
  }

  /** A log that can't be repaired now is used as it is, because nothing is ever appended to a damaged line. */
  private async repair(path: string, contents: LogContents): Promise<string | undefined> {
    for (const { line, reason } of contents.damage) this.options.log.warn(`${path}:${line} is lost: ${reason}`);
    try {
      return await repairLog(path, contents);
    } catch (error) {
      this.options.log.error(`${path} could not be repaired`, error);
      return undefined;
    }
  }
}

/** Uses the folder's name as the id: the header of a folder that was copied by hand names the original session. */
function opened(
  id: string,
  { header, records, damage }: LogContents,
): Pick<OpenedSession, 'header' | 'records' | 'damage'> {
  return { header: { ...header, id }, records, damage };
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
