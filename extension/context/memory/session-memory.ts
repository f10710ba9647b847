import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import { guardPath } from '../../files/path-guard.ts';
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
  private readonly changes = new Emitter();
  readonly onDidChange = this.changes.on;
  private files: readonly LoadedMemory[] = [];

  constructor(
    private readonly shared: MemoryFiles,
    /** The workspace, with the trust that applies to the run. */
    private readonly workspace: () => WorkspacePort,
  ) {}

  /** The files as of the last step. */
  loaded(): readonly LoadedMemory[] {
    return this.files;
  }

  /** Notes that a tool accessed this path, given as the model wrote it. */
  touch(path: string): void {
    addNewest(this.untold, path, MAX_PATHS);
  }

  /** Checks for changes on disk. Called before each step. */
  async refresh(): Promise<readonly LoadedMemory[]> {
    const workspace = this.workspace();
    const paths = [...this.untold];
    this.untold.clear();
    for (const path of paths) await this.takeFolder(path, workspace.roots());
    const files = await this.shared.load(workspace, [...this.touched]);
    if (files.length === this.files.length && files.every((file, at) => file === this.files[at])) return this.files;
    this.files = files;
    this.changes.fire();
    return files;
  }

  private async takeFolder(path: string, roots: readonly string[]): Promise<void> {
    const guarded = await guardPath(path, roots);
    if (!guarded.allowed) return;
    const isFolder = await stat(guarded.path).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    const folder = isFolder ? guarded.path : dirname(guarded.path);
    const relativePath = isFolder ? guarded.relativePath : guarded.relativePath.replace(/\/?[^/]*$/, '');
    if (relativePath === '') return;
    if (relativePath.split('/').some((name) => FOREIGN.has(name))) return;
    const { hidden } = await checkVisibility({ realRoot: guarded.realRoot, relativePath, isFolder: true });
    if (!hidden) addNewest(this.touched, folder, MAX_TOUCHED);
  }
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
