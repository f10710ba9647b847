import { appendFileSync, closeSync, fstatSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../files/durable-files.ts';
import { errorCode } from '../../files/error-code.ts';
import type { Clock } from '../../ports/clock.ts';

/**
 * A file that several processes append lines to. It stays open between writes. If another process renames or removes
 * it, later lines go to a new file; only lines of the same burst can still go to the old one.
 */
export class AuditFile {
  private opened: { readonly fd: number; readonly dev: bigint; readonly ino: bigint } | undefined;
  private checkAt = 0;
  /** The number of characters that may be written before the file is checked again. */
  private unchecked = 0;

  constructor(
    private readonly path: string,
    private readonly clock: Pick<Clock, 'now'>,
    /** The size in bytes at which the file is renamed and a new one is started. */
    private readonly longest = LONGEST_FILE,
  ) {}

  /**
   * Appends whole lines in one write, which has reached the operating system when this returns. In a burst, the file is
   * not checked before every write.
   */
  append(lines: string, isBurst: boolean): void {
    try {
      this.check(isBurst);
      this.opened ??= this.open();
      this.unchecked -= lines.length;
      // Not asynchronous: the page cache takes microseconds, a round trip through the thread pool much longer.
      appendFileSync(this.opened.fd, lines);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** A later `append` opens the file again. */
  close(): void {
    const { opened } = this;
    this.opened = undefined;
    this.checkAt = 0;
    if (opened) closeSync(opened.fd);
  }

  /** Other windows write to the same file, so its actual size and place are checked. */
  private check(isBurst: boolean): void {
    const now = this.clock.now();
    // A clock that was set back must not postpone the check.
    if (isBurst && now < this.checkAt && now >= this.checkAt - CHECK_MS && this.unchecked > 0) return;
    const there = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    const isOurs = there?.dev === this.opened?.dev && there?.ino === this.opened?.ino;
    const isLong = there !== undefined && there.size > this.longest;
    if (!isOurs || isLong) this.close();
    if (isLong) renameSync(this.path, `${this.path}.1`);
    this.checkAt = now + CHECK_MS;
    this.unchecked = this.longest * BETWEEN_CHECKS;
  }

  private open(): NonNullable<AuditFile['opened']> {
    const fd = openIn(this.path);
    try {
      const { dev, ino } = fstatSync(fd, { bigint: true });
      return { fd, dev, ino };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }
}

/** Creates the folder if it is missing: at the first line, or if somebody deleted it. */
function openIn(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    makeFolder(dirname(path));
    return openSync(path, 'a', 0o600);
  }
}

/** Enough for years of ordinary use. The previous file is kept as well. */
const LONGEST_FILE = 20 * 1024 * 1024;
/** As a share of the maximum file size. */
const BETWEEN_CHECKS = 0.01;
/** Reading calls follow each other within milliseconds and share one check. */
const CHECK_MS = 1000;
