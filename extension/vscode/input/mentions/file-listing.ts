import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { Disposable } from '../../base/disposable.ts';
import { FileIndex } from './file-index.ts';

/** Listing a large workspace for the first time takes longer. The first `@` shows what was found until then in 150 ms. */
const FIRST_WAIT_MS = 80;
/** A minimum interval: a build that writes thousands of files would otherwise cause endless listing. */
const LIST_EVERY_MS = 2000;
/** A shown list follows a long listing, but it does not move all the time. */
const GROWN_EVERY_MS = 500;
/** Takes about a millisecond. Adding 200,000 files at once would delay the next key by a quarter of a second. */
const ADDED_AT_ONCE = 1000;

export interface FileListingParts {
  /** Reports every path, and resolves after the last one. */
  list(onPath: (path: string) => void): Promise<void>;
  /** There are other files than before. */
  grown(): void;
  failed(error: unknown): void;
  /** Resolves after this time; a timer by default. */
  pause?(ms: number): Promise<unknown>;
}

/** The index of the files of a workspace, which are listed before they are first needed, and again after a change. */
export class FileListing extends Disposable {
  private current = new FileIndex();
  private isStale = true;
  private listing: Promise<void> | undefined;
  /** When the last listing ended. 0 while the first one is not complete. */
  private listedAt = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Called when files were added while the first listing is not complete. */
  private onAdded: (() => void) | undefined;

  constructor(private readonly parts: FileListingParts) {
    super();
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  /** Files have come or gone. */
  stale(): void {
    this.isStale = true;
  }

  /** Forgets all files, because the folders are others now. */
  startOver(): void {
    this.current = new FileIndex();
    this.listedAt = 0;
    this.stale();
  }

  /** Begins the first listing. */
  prepare(): void {
    if (this.listedAt === 0) this.refresh(false);
  }

  /**
   * Returns the files that are known, and lists them again if they may have changed. Only the first listing is awaited,
   * for a moment, until `enough` files are known.
   */
  async files(isUnsure: boolean, enough = Number.POSITIVE_INFINITY): Promise<FileIndex> {
    this.refresh(isUnsure);
    const { pause = delay } = this.parts;
    if (this.listedAt === 0 && this.current.fileCount < enough) {
      const found = new Promise<void>((resolve) => {
        this.onAdded = () => {
          if (this.current.fileCount >= enough) resolve();
        };
      });
      await Promise.race([this.listing, found, pause(FIRST_WAIT_MS)]);
    }
    return this.current;
  }

  private refresh(isUnsure: boolean): void {
    if (!(this.isStale || isUnsure) || this.listing || this.timer) return;
    const wait = this.listedAt + LIST_EVERY_MS - Date.now();
    if (wait > 0) {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.refresh(true);
      }, wait);
      return;
    }
    this.isStale = false;
    this.listing = this.list();
  }

  private async list(): Promise<void> {
    const index = new FileIndex();
    // What the first listing finds is offered at once; a later one replaces the files that are known.
    if (this.listedAt === 0) this.current = index;
    try {
      await this.fill(index);
      this.current = index;
    } catch (error) {
      this.isStale = true;
      this.parts.failed(error);
    }
    this.listing = undefined;
    this.listedAt = Date.now();
    this.parts.grown();
  }

  /** Adds the files as they arrive, a few at once, so that keys are answered in between. */
  private async fill(index: FileIndex): Promise<void> {
    let arrived: string[] = [];
    let adding: Promise<void> | undefined;
    let toldAt = Date.now();
    const add = async (): Promise<void> => {
      while (arrived.length > 0) {
        const paths = arrived;
        arrived = [];
        for (let at = 0; at < paths.length; at += ADDED_AT_ONCE) {
          await nextTurn();
          for (const path of paths.slice(at, at + ADDED_AT_ONCE)) index.add(path);
          if (index !== this.current) continue;
          this.onAdded?.();
          if (Date.now() - toldAt < GROWN_EVERY_MS) continue;
          toldAt = Date.now();
          this.parts.grown();
        }
      }
      adding = undefined;
    };
    await this.parts.list((path) => {
      arrived.push(path);
      adding ??= add();
    });
    await adding;
  }
}
