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

/**
 * The disk at one moment, such as the beginning of a step: a path is examined once, however many parts of Gantry ask
 * about it.
 */
export class DiskView {
  private readonly examined = new Map<string, Promise<BigIntStats | undefined>>();
  /** Kept, because a file that was written just now gets a random stamp. */
  private readonly stamps = new Map<string, Promise<string>>();
  private readonly absent = new Map<string, Promise<boolean>>();

  constructor(private readonly options: DiskViewOptions = {}) {}

  /** What an editor has open, if anybody asked for that. */
  get open(): OpenTexts | undefined {
    return this.options.open;
  }

  /** Follows links. Returns undefined if there is nothing. */
  stats(path: string): Promise<BigIntStats | undefined> {
    const known = this.examined.get(path) ?? this.examine(path);
    this.examined.set(path, known);
    return known;
  }

  /** Changes whenever the file or the entries of the folder do; empty if there is neither. */
  stamp(path: string): Promise<string> {
    const known = this.stamps.get(path) ?? this.findStamp(path);
    this.stamps.set(path, known);
    return known;
  }

  /** Whether nothing can appear at this path, not even a link, without another stamp of its folder. */
  isAbsent(path: string, folder: string): Promise<boolean> {
    const known = this.absent.get(path) ?? isAbsentIn(path, folder);
    this.absent.set(path, known);
    return known;
  }

  private async findStamp(path: string): Promise<string> {
    const open = this.open?.textOf(path);
    if (open !== undefined) return `open ${createHash('sha256').update(open).digest('base64')}`;
    return stampOf(await this.stats(path), this.options.now?.());
  }

  private async examine(path: string): Promise<BigIntStats | undefined> {
    try {
      if (this.options.mayWaitFor?.(path)) return statSync(path, { bigint: true, throwIfNoEntry: false });
      return await stat(path, { bigint: true });
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
