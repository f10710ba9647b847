import { createHash } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { isMissing } from './error-code.ts';
import { dependsOnEntries, stampOf } from './file-stamp.ts';
import type { OpenTexts } from './read-beginning.ts';

export interface DiskViewOptions {
  readonly now?: () => number;
  /**
   * Whether this thread may wait for the disk to answer about the path. Asking through another thread takes five times
   * as long, but does not block when the disk is slow.
   */
  readonly mayWaitFor?: (path: string) => boolean;
  /** The documents of an editor. They count as files. */
  readonly open?: OpenTexts;
}

/** A value, or a promise of it if another thread has to be asked. A step has hundreds of such values. */
export type Soon<T> = T | Promise<T>;

/**
 * The disk at one moment, such as the beginning of a step: a path is examined once, however many parts of Gantry ask
 * about it.
 */
export class DiskView {
  private readonly examined = new Map<string, Soon<BigIntStats | undefined>>();
  /** Kept, because a file that was written just now gets a random stamp. */
  private readonly stamps = new Map<string, Soon<string>>();
  private readonly absent = new Map<string, Promise<boolean>>();

  constructor(private readonly options: DiskViewOptions = {}) {}

  /** What an editor has open, if anybody asked for that. */
  get open(): OpenTexts | undefined {
    return this.options.open;
  }

  /** Follows links. Returns undefined if there is nothing. */
  stats(path: string): Soon<BigIntStats | undefined> {
    if (!this.examined.has(path)) this.examined.set(path, this.examine(path));
    return this.examined.get(path);
  }

  /** Changes whenever the file or the entries of the folder do; empty if there is neither. */
  stamp(path: string): Soon<string> {
    const known = this.stamps.get(path);
    if (known !== undefined) return known;
    const stamp = this.findStamp(path);
    this.stamps.set(path, stamp);
    return stamp;
  }

  /** Whether nothing can appear at this path, not even a link, without another stamp of its folder. */
  isAbsent(path: string, folder: string): Promise<boolean> {
    const known = this.absent.get(path) ?? isAbsentIn(path, folder);
    this.absent.set(path, known);
    return known;
  }

  private findStamp(path: string): Soon<string> {
    const open = this.open?.textOf(path);
    if (open !== undefined) return `open ${createHash('sha256').update(open).digest('base64')}`;
    const stats = this.stats(path);
    return stats instanceof Promise ? stats.then((later) => this.stampOf(later)) : this.stampOf(stats);
  }

  private stampOf(stats: BigIntStats | undefined): string {
    return stampOf(stats, this.options.now?.());
  }

  private examine(path: string): Soon<BigIntStats | undefined> {
    if (!this.options.mayWaitFor?.(path)) return stat(path, { bigint: true }).catch(() => undefined);
    try {
      return statSync(path, { bigint: true, throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  }
}

async function isAbsentIn(path: string, folder: string): Promise<boolean> {
  const isThere = await lstat(path).then(
    () => true,
    (error) => !isMissing(error),
  );
  return !isThere && (await dependsOnEntries(folder).catch(() => false));
}
