import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** One save causes several events, and editors write a file in steps. */
const SETTLE_MS = 100;

/** Reports when one of the folders or files, which need not exist yet, may have changed. */
export class FolderWatch {
  private watchers: FSWatcher[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(
    private readonly paths: () => Promise<readonly string[]>,
    private readonly changed: () => void,
  ) {}

  /** Called again after every change: a missing folder may exist now, an existing one may be gone. */
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
      // Occurs, for example, when the folder is deleted; its parent is watched from then on.
      watcher.on('error', () => this.settle());
      this.watchers.push(watcher);
    } catch {
      // Watching is not possible (a system limit, a network drive): the rules are reloaded only by command.
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

/** The folder itself, or its nearest existing parent with the name to wait for in it. */
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
