import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { FilesRead } from '../../files/from-files.ts';
import { contains } from '../../files/real-path.ts';
import { type ExtensionFolder, type ExtensionsInUse, extensionLabel } from '../../ports/extension-folder.ts';
import type { WorkspacePort } from '../../ports/workspace.ts';
import type { MemoryOrigin } from './loaded-memory.ts';

/** A folder that may contain files with instructions. */
export interface MemoryPlace {
  /** The real absolute path. */
  readonly folder: string;
  readonly origin: MemoryOrigin;
  /** A real path. Files loaded from this place, and their imports, must be inside it. */
  readonly boundary: string;
  readonly isQuoted: boolean;
  /** The names of its files, if they differ from the usual names. */
  readonly names?: readonly string[];
  /** The label of a file in the folder. */
  label(name: string): string;
}

export interface Homes {
  /** The user's home folder. */
  readonly home: string;
  /** The folder that contains `.gemini`. */
  readonly geminiHome: string;
  readonly extensions?: ExtensionsInUse;
}

/** Lists the folders to search for instructions. The repository of a folder is looked up once. */
export class MemoryPlaces {
  private readonly gitRoots = new Map<string, Promise<string | undefined>>();

  constructor(private readonly homes: Homes) {}

  /** Lists the folders, from general to specific. `touched` lists the real folders that tools accessed. */
  async list(
    workspace: WorkspacePort,
    touched: readonly string[],
    extensions: readonly ExtensionFolder[],
    files: FilesRead,
  ): Promise<MemoryPlace[]> {
    const roots = await this.rootsOf(workspace, files);
    const isTrusted = workspace.isTrusted();
    const above = isTrusted ? (await Promise.all(roots.map((root) => this.above(root)))).flat() : [];
    const places = [
      ...(await this.ofUser(files)),
      ...above,
      ...roots.map((root) => projectPlace(root, !isTrusted)),
      ...(isTrusted ? subfolders(roots, touched) : []),
    ];
    // An extension under development may also be open as a folder, with other files.
    return [...extensions.map(extensionPlace), ...firstOfEach(places, ({ folder }) => folder)];
  }

  private async ofUser(files: FilesRead): Promise<MemoryPlace[]> {
    const { home, geminiHome } = this.homes;
    const own = join(geminiHome, '.gemini');
    await Promise.all([files.place(own), files.place(home)]);
    const folder = await realpath(own).catch(() => undefined);
    if (folder === undefined) return [];
    const boundary = await realpath(home).catch(() => folder);
    return [{ folder, origin: 'user', boundary, isQuoted: false, label: (name) => `~/.gemini/${name}` }];
  }

  private async rootsOf(workspace: WorkspacePort, files: FilesRead): Promise<Root[]> {
    const opened = workspace.roots();
    const found = await Promise.all(
      opened.map(async (path) => {
        await files.place(path);
        const real = await realpath(path).catch(() => undefined);
        if (real === undefined) return [];
        const gitRoot = await this.gitRoot(real);
        return [{ real, boundary: gitRoot ?? real, prefix: opened.length > 1 ? `${nameOf(real)}/` : '' }];
      }),
    );
    return found.flat();
  }

  /** The folders from the root of the repository down to the open folder. */
  private async above({ real, boundary }: Root): Promise<MemoryPlace[]> {
    return foldersBetween(boundary, real).map((folder) => ({
      folder,
      origin: 'above',
      boundary,
      isQuoted: false,
      label: (name) => slashes(relative(real, join(folder, name))),
    }));
  }

  private gitRoot(real: string): Promise<string | undefined> {
    const known = this.gitRoots.get(real) ?? this.findGitRoot(real);
    this.gitRoots.set(real, known);
    return known;
  }

  private async findGitRoot(real: string): Promise<string | undefined> {
    const home = await realpath(this.homes.home).catch(() => this.homes.home);
    return gitRootOf(real, home).catch(() => undefined);
  }
}

interface Root {
  readonly real: string;
  readonly boundary: string;
  /** Distinguishes the labels of several open folders. */
  readonly prefix: string;
}

function extensionPlace({ name, folder, contextFiles: names }: ExtensionFolder): MemoryPlace {
  const label = (file: string): string => `${extensionLabel(name)}: ${slashes(file)}`;
  return { folder, origin: 'extension', boundary: folder, isQuoted: false, names, label };
}

function projectPlace({ real, boundary, prefix }: Root, isQuoted: boolean): MemoryPlace {
  // The user has not allowed reading anything around an untrusted folder.
  const within = isQuoted ? real : boundary;
  return { folder: real, origin: 'project', boundary: within, isQuoted, label: (name) => `${prefix}${name}` };
}

function subfolders(roots: readonly Root[], touched: readonly string[]): MemoryPlace[] {
  const places = touched.flatMap((folder) => {
    const root = innermost(roots, folder);
    return root ? [...foldersBetween(root.real, folder).slice(1), folder].map((each) => subfolder(root, each)) : [];
  });
  return places.filter(({ folder }) => roots.every(({ real }) => real !== folder)).sort(byDepth);
}

function subfolder({ real, prefix }: Root, folder: string): MemoryPlace {
  const label = (name: string): string => `${prefix}${slashes(relative(real, join(folder, name)))}`;
  return { folder, origin: 'subfolder', boundary: real, isQuoted: false, label };
}

function innermost(roots: readonly Root[], folder: string): Root | undefined {
  const around = roots.filter(({ real }) => contains(real, folder));
  return around.sort((a, b) => b.real.length - a.real.length)[0];
}

/** The folders from `top` down to the parent of `bottom`. */
function foldersBetween(top: string, bottom: string): string[] {
  const folders: string[] = [];
  for (let folder = bottom; folder !== top && contains(top, folder); ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

function byDepth(a: MemoryPlace, b: MemoryPlace): number {
  return a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0;
}

function nameOf(folder: string): string {
  return folder.split(sep).at(-1) ?? folder;
}

function slashes(path: string): string {
  return path.split(sep).join('/');
}

/** Removes items whose key occurred before. */
function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const key = keyOf(item);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/**
 * The root of the repository that contains a folder, or undefined. The search stops at the home folder and at folders
 * of another owner, as Git's does: anybody could put a `.git` into `/tmp`.
 */
async function gitRootOf(realFolder: string, realHome: string): Promise<string | undefined> {
  const owners = new Set([(await stat(realFolder)).uid, process.getuid?.()]);
  let folder = realFolder;
  for (;;) {
    if (await isThere(join(folder, '.git'))) return folder;
    const parent = dirname(folder);
    if (parent === folder || parent === realHome || !owners.has((await stat(parent)).uid)) return undefined;
    folder = parent;
  }
}

/** `.git` is a folder, or a file in a worktree. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
