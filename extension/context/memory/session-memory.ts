import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import { DiskView } from '../../files/disk-view.ts';
import { FromFiles } from '../../files/from-files.ts';
import { type AllowedPath, guardPath } from '../../files/path-guard.ts';
import { checkVisibility } from '../../policy/ignore-rules.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { LoadedMemory } from './loaded-memory.ts';
import type { MemoryFiles } from './memory-files.ts';

/** Each of these folders is checked before every step. */
const MAX_TOUCHED = 50;

/** Third-party code in the workspace, whose files are not instructions of this project. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', 'vendor', 'third_party', 'site-packages', '.venv']);

/**
 * The instructions of one session: those of the user, of the open folders, and of each folder that its tools accessed.
 */
export class SessionMemory {
  private readonly untold = new Set<string>();
  private readonly touched = new Set<string>();
  /** Files of this step by the paths that led to them. */
  private readonly resolved = new Map<string, AllowedPath>();
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;
  private readonly fromFiles = new FromFiles<readonly LoadedMemory[]>();
  private files: readonly LoadedMemory[] = [];
  private parts: { readonly lasting: readonly LoadedMemory[]; readonly found?: readonly LoadedMemory[] } = {
    lasting: [],
  };

  constructor(
    private readonly shared: MemoryFiles,
    /** The workspace, with the trust that applies to the run. */
    private readonly workspace: () => WorkspacePort,
  ) {}

  /** The files as of the last step. */
  loaded(): readonly LoadedMemory[] {
    return this.files;
  }

  /** The files that apply from the beginning. The same array as long as they are the same. */
  lasting(): readonly LoadedMemory[] {
    return this.parts.lasting;
  }

  /** The files of folders that tools accessed; undefined before the first step. */
  found(): readonly LoadedMemory[] | undefined {
    return this.parts.found;
  }

  /** Notes which file a tool found at this path, given as the model wrote it. */
  reached(path: string, file: AllowedPath): void {
    this.resolved.set(path, file);
  }

  /** Notes that a tool accessed this path, given as the model wrote it. */
  touch(path: string): void {
    addNewest(this.untold, path, MAX_PATHS);
  }

  /** Checks for changes on disk. Called before each step. */
  async refresh(view = new DiskView()): Promise<readonly LoadedMemory[]> {
    const workspace = this.workspace();
    const places = [...this.untold].map((path) => ({ path, file: this.resolved.get(path) }));
    this.untold.clear();
    this.resolved.clear();
    const roots = workspace.roots();
    for (const { path, file } of places) {
      const isKnown = file && roots.some((root) => resolve(root) === file.root);
      await this.takeFolder(isKnown ? folderOf(file) : await folderAt(path, roots));
    }
    const touched = [...this.touched].sort();
    const { extensions, others } = await this.shared.facts(workspace, view);
    const files = await this.fromFiles.current(view, [extensions, others, ...touched], (read) =>
      this.shared.load(workspace, touched, extensions, read),
    );
    if (this.parts.found && isSame(files, this.files)) return this.files;
    this.files = files;
    const lasting = files.filter(({ origin }) => origin !== 'subfolder');
    this.parts = {
      lasting: isSame(lasting, this.parts.lasting) ? this.parts.lasting : lasting,
      found: files.filter(({ origin }) => origin === 'subfolder'),
    };
    this.changes.fire();
    return files;
  }

  private async takeFolder(folder: Folder | undefined): Promise<void> {
    if (!folder || folder.relativePath === '') return;
    const { path, relativePath, realRoot } = folder;
    if (relativePath.split('/').some((name) => FOREIGN.has(name))) return;
    const isTaken =
      this.touched.has(path) || !(await checkVisibility({ realRoot, relativePath, isFolder: true })).hidden;
    if (isTaken) addNewest(this.touched, path, MAX_TOUCHED);
  }
}

function isSame(files: readonly LoadedMemory[], others: readonly LoadedMemory[]): boolean {
  return files.length === others.length && files.every((file, at) => file === others[at]);
}

type Folder = Pick<AllowedPath, 'path' | 'relativePath' | 'realRoot'>;

async function folderAt(path: string, roots: readonly string[]): Promise<Folder | undefined> {
  const guarded = await guardPath(path, roots);
  if (!guarded.allowed) return undefined;
  const isFolder = await stat(guarded.path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? guarded : folderOf(guarded);
}

function folderOf({ path, relativePath, realRoot }: AllowedPath): Folder {
  return { path: dirname(path), relativePath: relativePath.replace(/\/?[^/]*$/, ''), realRoot };
}

/** The limit for one step; `read_many_files` alone may name some hundred. */
const MAX_PATHS = 200;

/** Keeps the newest items. */
function addNewest(set: Set<string>, item: string, limit: number): void {
  set.delete(item);
  set.add(item);
  const [oldest] = set;
  if (set.size > limit && oldest !== undefined) set.delete(oldest);
}
