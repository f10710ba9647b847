import { type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import * as vscode from 'vscode';
import { Disposable } from '../base/disposable.ts';

/** Waits until the user has stopped typing. */
const SETTLE_MS = 300;

/** Moves of files by VS Code. Without both events, a moved file looks like a deleted one. */
export interface Moves {
  begins(path: string): void;
  ended(path: string, to: string): void;
}

/** Reports when the text of a file or of its open editor changes, and when VS Code moves the file. */
export class WatchedReviewFiles extends Disposable {
  private readonly watchers = new Map<string, vscode.Disposable>();
  private readonly timers = new Map<string, NodeJS.Timeout>();

  /** The watched paths by the address of their documents, which may have been opened through symbolic links. */
  private shown: ReadonlyMap<string, string> | undefined;

  constructor(
    private readonly changed: (path: string) => void,
    private readonly moves?: Moves,
  ) {
    super();
    this.register(vscode.workspace.onDidOpenTextDocument(({ uri }) => this.documentsChanged(uri)));
    this.register(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.documentsChanged(uri)));
    this.register(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const path = contentChanges.length === 0 ? undefined : this.pathAt(document.uri);
        if (path !== undefined) this.later(path);
      }),
    );
    this.register(
      vscode.workspace.onWillRenameFiles(({ files }) => this.renamed(files, (path) => this.moves?.begins(path))),
    );
    this.register(
      vscode.workspace.onDidRenameFiles(({ files }) => this.renamed(files, (path, to) => this.moves?.ended(path, to))),
    );
    this.register({ dispose: () => this.watch([]) });
  }

  /** Watches these paths and no others. */
  watch(paths: readonly string[]): void {
    for (const [path, watcher] of this.watchers) {
      if (paths.includes(path)) continue;
      watcher.dispose();
      this.watchers.delete(path);
      clearTimeout(this.timers.get(path));
      this.timers.delete(path);
    }
    for (const path of paths) if (!this.watchers.has(path)) this.watchers.set(path, this.watcherOf(path));
    this.shown = undefined;
  }

  /** The watched file at this address, or the one that a document with this address shows. */
  pathAt(uri: vscode.Uri): string | undefined {
    if (uri.scheme !== 'file' || this.watchers.size === 0) return undefined;
    this.shown ??= addressesOf([...this.watchers.keys()]);
    return this.shown.get(uri.toString());
  }

  private documentsChanged({ scheme }: vscode.Uri): void {
    if (scheme === 'file') this.shown = undefined;
  }

  private renamed(files: vscode.FileRenameEvent['files'], tell: (path: string, to: string) => void): void {
    for (const { oldUri, newUri } of files) {
      const { fsPath: from } = oldUri;
      for (const path of this.watchers.keys()) {
        if (path === from || path.startsWith(from + sep)) tell(path, newUri.fsPath + path.slice(from.length));
      }
    }
  }

  private watcherOf(path: string): vscode.Disposable {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(path)), globFor(basename(path)));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) event(() => this.later(path));
    const atOnce = this.watchAtOnce(path);
    return vscode.Disposable.from(watcher, { dispose: () => atOnce?.close() });
  }

  /** VS Code's own watcher starts with a delay and misses changes until then. */
  private watchAtOnce(path: string): FSWatcher | undefined {
    const wanted = basename(path);
    try {
      const watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
        if (name === null || name === wanted) this.later(path);
      });
      watcher.on('error', () => this.later(path));
      return watcher;
    } catch {
      // The folder may be gone, or a system limit is reached. VS Code's watcher still works.
      return undefined;
    }
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

/** Escapes the glob characters in a file name. */
function globFor(name: string): string {
  return name.replace(/[[\]{}*?]/g, (sign) => `[${sign}]`);
}

/** Resolving links needs the file system, so the result is cached and not computed for every key press. */
function addressesOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const addresses = new Map(paths.map((path) => [vscode.Uri.file(path).toString(), path]));
  const real = new Map(paths.map((path) => [realPath(path), path]));
  for (const { uri, isClosed } of vscode.workspace.textDocuments) {
    if (uri.scheme !== 'file' || isClosed || addresses.has(uri.toString())) continue;
    const path = real.get(realPath(uri.fsPath));
    if (path !== undefined) addresses.set(uri.toString(), path);
  }
  return addresses;
}

/** Returns the given path for a file that does not exist. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
