import type { BigIntStats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { isMissing } from './error-code.ts';
import { stampOf } from './file-stamp.ts';

/**
 * The disk at one moment, such as the beginning of a step: a path is examined once, however many parts of Gantry ask
 * about it.
 */
export class DiskView {
  private readonly examined = new Map<string, Promise<BigIntStats | undefined>>();
  private readonly absent = new Map<string, Promise<boolean>>();

  constructor(
    /**
     * Whether files that were missing are still missing as long as their folder is unchanged. Some network drives do
     * not update the times of folders, so only steps rely on it, and not the first step after a message.
     */
    readonly reliesOnFolders = false,
  ) {}

  /** Follows links. Returns undefined if there is nothing. */
  stats(path: string): Promise<BigIntStats | undefined> {
    const known = this.examined.get(path) ?? stat(path, { bigint: true }).catch(() => undefined);
    this.examined.set(path, known);
    return known;
  }

  /** Changes whenever the file does; empty if there is no file. */
  async stamp(path: string): Promise<string> {
    return stampOf(await this.stats(path));
  }

  /** Whether there is nothing at this path, not even a link that leads nowhere. */
  isAbsent(path: string): Promise<boolean> {
    const known = this.absent.get(path) ?? lstat(path).then(() => false, isMissing);
    this.absent.set(path, known);
    return known;
  }
}
