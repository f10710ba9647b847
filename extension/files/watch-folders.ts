import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** One save makes several events, and editors write a file in steps. */
const SETTLE_MS = 100;

/** Tells when something may have changed in one of the folders or files, which need not exist yet. */
export class FolderWatch {
  private watchers: FSWatcher[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(
    private readonly paths: () => Promise<readonly string[]>,
    private readonly changed: () => void,
  ) {}

  /** Again after every change: a folder that was missing may be there now, one that was there may be gone. */
  async arm(): Promise<void> {
    const paths = await this.paths();
    this.close();
    if (this.isDisposed) return;
    for (const path of new Set(paths)) this.watchNearest(path);
  }

  dispose(): void {
    this.isDisposed = true;
    this.close();
    clearTimeout(this.timer);
  }

  private watchNearest(path: string): void {
    const { folder, awaited } = nearestFolder(path);
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (awaited === undefined || name === null || name === awaited) this.settle();
      });
      // Such as when the folder is deleted; its parent is watched from then on.
      watcher.on('error', () => this.settle());
      this.watchers.push(watcher);
    } catch {
      // No watcher to be had (a limit of the system, a network drive): rules are read again by command only.
    }
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.changed(), SETTLE_MS);
    this.timer.unref();
  }

  private close(): void {
    for (const watcher of this.watchers) watcher.close();
    this.watchers = [];
  }
}

/** The folder itself, or the nearest one above that exists, with the name in it that is waited for. */
function nearestFolder(path: string): { readonly folder: string; readonly awaited?: string } {
  let folder = path;
  let awaited: string | undefined;
  while (!isFolder(folder) && dirname(folder) !== folder) {
    awaited = basename(folder);
    folder = dirname(folder);
  }
  return { folder, ...(awaited !== undefined && { awaited }) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
