import { rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { makeFolder } from '../../files/durable-files.ts';
import { errorCode, isMissing } from '../../files/error-code.ts';
import type { Logger } from '../../ports/logger.ts';
import { DAY_MS, withDescendants } from './retention.ts';
import { SessionError } from './session-error.ts';
import { sessionFolder, TRASH_NAME } from './session-folder.ts';
import { takeLock } from './session-lock.ts';
import type { SessionSummary } from './session-summary.ts';
import { listSummaries, sessionIds } from './summary-index.ts';

export interface TrashedSession extends SessionSummary {
  readonly deletedAt: number;
}

/** Deleted sessions, unchanged, until the trash is emptied. */
export class SessionTrash {
  private readonly folder: string;

  constructor(
    private readonly root: string,
    private readonly owner: { readonly label: string },
    private readonly log: Logger,
  ) {
    this.folder = join(root, TRASH_NAME);
  }

  /** Moves a session and those of `sessions` that work for it to the trash. Of the latter, those in use are kept. */
  async discard(id: string, sessions: readonly SessionSummary[], now: number): Promise<string[]> {
    await this.discardOne(id, now);
    const moved = [id];
    for (const child of withDescendants(id, sessions).slice(1)) {
      try {
        await this.discardOne(child, now);
        moved.push(child);
      } catch (error) {
        this.log.warn(`${child}, which works for ${id}, was not deleted with it: ${String(error)}`);
      }
    }
    return moved;
  }

  async restore(id: string): Promise<string[]> {
    const restored: string[] = [];
    for (const each of withDescendants(id, await listSummaries(this.folder, this.log))) {
      await this.restoreOne(each);
      restored.push(each);
    }
    return restored;
  }

  /** The latest first. */
  async list(): Promise<TrashedSession[]> {
    const trashed: TrashedSession[] = [];
    for (const summary of await listSummaries(this.folder, this.log)) {
      const deletedAt = await this.deletedAt(summary.id);
      if (deletedAt !== undefined) trashed.push({ ...summary, deletedAt });
    }
    return trashed.sort((a, b) => b.deletedAt - a.deletedAt);
  }

  async empty(olderThanDays: number, now: number): Promise<string[]> {
    const removed: string[] = [];
    for (const id of await sessionIds(this.folder)) {
      const age = now - ((await this.deletedAt(id)) ?? now);
      if (age < olderThanDays * DAY_MS) continue;
      await rm(join(this.folder, id), { recursive: true, force: true });
      removed.push(id);
    }
    return removed;
  }

  /** The folder's own time, which is set when it is moved here and does not change. Undefined if the folder is gone. */
  private async deletedAt(id: string): Promise<number | undefined> {
    return (await stat(join(this.folder, id)).catch(() => undefined))?.mtimeMs;
  }

  private async discardOne(id: string, now: number): Promise<void> {
    const from = sessionFolder(this.root, id);
    const lock = await this.locked(from, id);
    try {
      makeFolder(this.folder);
      const to = await this.freePlace(id);
      await rename(from, to);
      // The lock of this process was moved along with the folder.
      await rm(join(to, 'lock'), { force: true });
      await utimes(to, now / 1000, now / 1000);
    } finally {
      await lock.release();
    }
  }

  private async locked(folder: string, id: string): Promise<{ release(): Promise<void> }> {
    const taken = await takeLock(folder, this.owner).catch((error: unknown) => {
      throw isMissing(error)
        ? new SessionError('unknown-session', l10n.t('There is no session {0} in {1}.', id, this.root))
        : error;
    });
    if (taken.kind === 'held') return taken;
    throw new SessionError(
      'locked',
      l10n.t(
        'Session {0} is open in {1}, so it was not deleted. Close it there and delete it again.',
        id,
        taken.by.label,
      ),
    );
  }

  /**
   * Normally the session's id. A session that was deleted, copied back by hand and deleted again is in the trash twice.
   */
  private async freePlace(id: string): Promise<string> {
    for (let count = 1; ; count++) {
      const place = join(this.folder, count === 1 ? id : `${id}.${count}`);
      if (!(await exists(place))) return place;
    }
  }

  private async restoreOne(id: string): Promise<void> {
    const from = sessionFolder(this.folder, id);
    const to = sessionFolder(this.root, id);
    if (await exists(to)) {
      throw new SessionError('exists', l10n.t('A session {0} already exists. The deleted one stays in the trash.', id));
    }
    try {
      await rename(from, to);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      throw new SessionError('unknown-session', l10n.t('There is no session {0} in the trash.', id));
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
