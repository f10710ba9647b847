import { setTimeout as delay } from 'node:timers/promises';
import { Disposable } from '../../base/disposable.ts';
import { FileIndex } from './file-index.ts';

/** Listing a large workspace for the first time takes longer. The first `@` shows what was found until then in 150 ms. */
const FIRST_WAIT_MS = 80;
/** A minimum interval: a build that writes thousands of files would otherwise cause endless listing. */
const LIST_EVERY_MS = 2000;

export interface FileListingParts {
  /** Reports every path, and resolves after the last one. */
  list(onPath: (path: string) => void): Promise<void>;
  /** A listing has ended, with an error if it failed. */
  ended(error?: unknown): void;
  /** Resolves after this time; a timer by default. */
  pause?(ms: number): Promise<unknown>;
}

/** The index of the files of a workspace, which are listed when they are first needed, and again after a change. */
export class FileListing extends Disposable {
  private current = new FileIndex();
  private isStale = true;
  private listing: Promise<void> | undefined;
  /** When the last listing ended. 0 while the first one is not complete. */
  private listedAt = 0;
  private timer: NodeJS.Timeout | undefined;

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

  /** Returns the files that are known, and lists them again if they may have changed. Only the first listing is awaited, for a moment. */
  async files(isUnsure: boolean): Promise<FileIndex> {
    this.refresh(isUnsure);
    const { pause = delay } = this.parts;
    if (this.listedAt === 0) await Promise.race([this.listing, pause(FIRST_WAIT_MS)]);
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
    let failure: unknown;
    try {
      await this.parts.list((path) => index.add(path));
      this.current = index;
    } catch (error) {
      failure = error;
      this.isStale = true;
    }
    this.listing = undefined;
    this.listedAt = Date.now();
    this.parts.ended(failure);
  }
}
