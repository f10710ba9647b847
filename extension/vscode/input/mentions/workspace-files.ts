import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../../ports/logger.ts';
import { Disposable } from '../../base/disposable.ts';
import { fileFolders } from '../../base/workspace.ts';
import { uriAttachment } from '../../context/attachments.ts';
import type { RuntimeLoader } from '../../runtime-loader.ts';
import type { Mention, MentionSource } from '../../suggestions/mention-source.ts';
import type { FileIndex, FoundPath } from './file-index.ts';
import { FileListing } from './file-listing.ts';
import { hiddenGlobs, prefixesOf, rootOf } from './file-places.ts';

const SHOWN = 8;
/** VS Code's watcher starts with a delay and misses changes until then. */
const UNSURE_MS = 10_000;

/** The files and folders of the workspace. They are listed before the first `@`, and again after files came or went. */
export class WorkspaceFiles extends Disposable implements MentionSource {
  readonly title = l10n.t('Files and folders');
  private readonly listing: FileListing;
  private watching: vscode.Disposable | undefined;
  private watchedSince = 0;
  private readonly ending = new AbortController();
  private readonly changed = this.register(new vscode.EventEmitter<void>());

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly runtime: RuntimeLoader,
    log: Logger,
  ) {
    super();
    this.listing = this.register(
      new FileListing({
        list: (onPath) => this.list(onPath),
        grown: () => this.changed.fire(),
        failed: (error) => {
          log.warn(`The files of the workspace could not be listed for mentions: ${String(error)}`);
        },
      }),
    );
    this.register({ dispose: () => this.ending.abort() });
    this.register({ dispose: () => this.watching?.dispose() });
    this.register(vscode.workspace.onDidChangeWorkspaceFolders(() => this.foldersChanged()));
    this.register(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('files.exclude') || event.affectsConfiguration('search.exclude'))
          this.listing.stale();
      }),
    );
  }

  /** Lists the files for the first time, so that the first `@` doesn't have to wait for them. */
  prepare(): void {
    this.watching ??= this.watch();
    this.listing.prepare();
  }

  async search(query: string): Promise<readonly Mention[]> {
    this.watching ??= this.watch();
    const open = openPaths();
    const enough = query === '' ? SHOWN - open.size : Number.POSITIVE_INFINITY;
    const files = await this.listing.files(Date.now() - this.watchedSince < UNSURE_MS, enough);
    const found = query === '' ? withoutQuery(files, open) : files.search(query, SHOWN, (path) => open.has(path));
    return found.map(mentionOf);
  }

  private async list(onPath: (path: string) => void): Promise<void> {
    const { messageContext } = await this.runtime.load();
    for (const { folder, prefix } of prefixesOf(fileFolders())) {
      await messageContext.listFiles({
        folder: folder.uri.fsPath,
        excluded: hiddenGlobs(
          vscode.workspace.getConfiguration('files', folder.uri).get('exclude'),
          vscode.workspace.getConfiguration('search', folder.uri).get('exclude'),
        ),
        signal: this.ending.signal,
        onPath: (path) => onPath(prefix + path),
      });
    }
  }

  /** Watches for added and deleted files. Changed contents only matter for ignore files. */
  private watch(): vscode.Disposable {
    this.watchedSince = Date.now();
    const watchers = fileFolders().flatMap((folder) => {
      const all = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**/*'), false, true);
      const rules = new vscode.RelativePattern(folder, '**/{.gitignore,.geminiignore}');
      const ruleFiles = vscode.workspace.createFileSystemWatcher(rules, true, false, true);
      all.onDidCreate(() => this.listing.stale());
      all.onDidDelete(() => this.listing.stale());
      ruleFiles.onDidChange(() => this.listing.stale());
      return [all, ruleFiles];
    });
    return vscode.Disposable.from(...watchers);
  }

  private foldersChanged(): void {
    this.watching?.dispose();
    this.watching = undefined;
    this.listing.startOver();
  }
}

/** Returns the open files, followed by those at the top of the index. */
function withoutQuery(files: FileIndex, open: ReadonlySet<string>): readonly FoundPath[] {
  const opened = [...open].slice(0, SHOWN).map((path) => ({ path, isFolder: false, positions: [], score: 0 }));
  const others = files.search('', SHOWN).filter(({ path }) => !open.has(path));
  return [...opened, ...others].slice(0, SHOWN);
}

function mentionOf({ path, isFolder, positions }: FoundPath): Mention {
  const nameStart = path.lastIndexOf('/') + 1;
  const isInName = positions.every((at) => at >= nameStart);
  const label = isInName ? path.slice(nameStart) : path;
  return {
    icon: isFolder ? 'folder' : 'file',
    label,
    marks: isInName ? positions.map((at) => at - nameStart) : positions,
    detail: isInName ? path.slice(0, Math.max(0, nameStart - 1)) : '',
    name: path,
    attach: () => uriAttachment(uriOf(path)),
  };
}

function uriOf(path: string): vscode.Uri {
  const { folder, rest } = rootOf(path, prefixesOf(fileFolders()));
  return vscode.Uri.joinPath(folder.uri, rest);
}

/** The open files in the order of their tabs, active tabs first. */
function openPaths(): ReadonlySet<string> {
  const groups = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
  const tabs = [...groups].sort((left, right) => Number(right.isActive) - Number(left.isActive));
  const roots = prefixesOf(fileFolders());
  const paths = tabs.flatMap(({ input }) => {
    if (!(input instanceof vscode.TabInputText) || input.uri.scheme !== 'file') return [];
    const root = roots.find(({ folder }) => input.uri.path.startsWith(`${folder.uri.path.replace(/\/$/, '')}/`));
    return root ? [root.prefix + input.uri.path.slice(root.folder.uri.path.replace(/\/$/, '').length + 1)] : [];
  });
  return new Set(paths);
}
