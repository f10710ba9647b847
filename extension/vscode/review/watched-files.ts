import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../disposable.ts';
import { findDocument } from '../open-documents.ts';

/** Somebody who types is not done yet. */
const SETTLE_MS = 300;

/** Tells when a file, or the editor that has it open, has another text. */
export class WatchedFiles extends Disposable {
  private readonly watchers = new Map<string, vscode.FileSystemWatcher>();
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly changed: (path: string) => void) {
    super();
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0 || document.uri.scheme !== 'file') return;
        for (const path of this.watchers.keys()) if (findDocument(path) === document) this.later(path);
      }),
    );
    this.register({ dispose: () => this.watch([]) });
  }

  /** These and no others. */
  watch(paths: readonly string[]): void {
    for (const [path, watcher] of this.watchers) {
      if (paths.includes(path)) continue;
      watcher.dispose();
      this.watchers.delete(path);
      clearTimeout(this.timers.get(path));
      this.timers.delete(path);
    }
    for (const path of paths) if (!this.watchers.has(path)) this.watchers.set(path, this.watcherOf(path));
  }

  private watcherOf(path: string): vscode.FileSystemWatcher {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(path)), globFor(basename(path)));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) event(() => this.later(path));
    return watcher;
  }

  private later(path: string): void {
    clearTimeout(this.timers.get(path));
    this.timers.set(
      path,
      setTimeout(() => {
        this.timers.delete(path);
        this.changed(path);
      }, SETTLE_MS),
    );
  }
}

/** A file's name may look like a pattern. */
function globFor(name: string): string {
  return name.replace(/[[\]{}*?]/g, (sign) => `[${sign}]`);
}
