import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isJudgedTogether, protectedName } from '../policy/protected-paths.ts';
import { submodulesOf } from './submodules.ts';

/** `.git` as a folder or as a file that names one, or a folder of another name that Git recognizes as a repository. */
export interface FoundRepository {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
  /** So deep in the tree that it may be found now but not the next time. */
  readonly isDeep?: boolean;
}

export interface ProtectedPlacesFound {
  /** Absolute. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Links with a protected name. Their targets can be made read-only, but the links themselves can be replaced. */
  readonly links: readonly string[];
  readonly repositories: readonly FoundRepository[];
  /** `package.json` files. Their scripts run; the rest of them changes with every installation. */
  readonly manifests: readonly string[];
  /** The search was cut, apart from repositories deep in the tree. */
  readonly isCut: boolean;
}

/** The usual depth of packages in a monorepo. */
const MAX_DEPTH = 3;
/** Repositories are searched deeper, because a foreign one may be anywhere. */
const MAX_REPOSITORY_DEPTH = 8;
/** Takes a few milliseconds at any depth. Every command waits for it. */
const MAX_ENTRIES = 3000;
/** The number of folders read at once. With more, large folders after the entry limit would be read in vain. */
const READ_AT_ONCE = 16;
/** Folders that tools create and replace at will. No program reads settings from there. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', 'target', 'dist', 'out', 'build']);

export type FindProtected = (root: string) => Promise<ProtectedPlacesFound>;

/** Finds the existing files that decide what an editor, an agent, a shell or a build does next. */
export async function findProtected(root: string): Promise<ProtectedPlacesFound> {
  const [found, submodules] = await Promise.all([searched(root), submodulesOf(root)]);
  const known = new Set(found.repositories.map(({ path }) => path));
  const more = submodules
    // Nothing in a protected folder may become writable because a list calls it a submodule.
    .filter(({ path }) => !known.has(path) && protectedName(relative(root, dirname(path))) === undefined)
    .map(({ path, isFolder }) => ({ path, isFolder, isDeep: true }));
  return { ...found, repositories: [...found.repositories, ...more] };
}

async function searched(root: string): Promise<ProtectedPlacesFound> {
  const files: string[] = [];
  const folders: string[] = [];
  const links: string[] = [];
  const repositories: FoundRepository[] = [];
  const manifests: string[] = [];
  let left = MAX_ENTRIES;
  const take = (relative: string, entry: Dirent, isAlone: boolean, isNear: boolean): boolean => {
    if (!isNear && entry.name !== '.git') return false;
    if (protectedName(isAlone ? entry.name : relative) === undefined) return false;
    const path = join(root, relative);
    if (entry.isSymbolicLink()) links.push(path);
    else if (entry.name === '.git') repositories.push({ path, isFolder: entry.isDirectory(), isDeep: !isNear });
    else (entry.isDirectory() ? folders : files).push(path);
    return true;
  };
  let level: string[] = [''];
  for (let depth = 0; depth < MAX_REPOSITORY_DEPTH && level.length > 0; depth++) {
    const isNear = depth < MAX_DEPTH;
    const next: string[] = [];
    for (let at = 0; at < level.length; at += READ_AT_ONCE) {
      const some = level.slice(at, at + READ_AT_ONCE);
      for (const [folder, entries] of await Promise.all(some.map((each) => entriesOf(root, each)))) {
        // A command could make the folder readable and write to it. Its contents are unknown, so all of it is
        // protected.
        if (entries === undefined) {
          if (isNear) folders.push(join(root, folder));
          continue;
        }
        const isAlone = !isJudgedTogether(folder);
        const isGitData = isRepository(entries);
        if (isGitData) repositories.push({ path: join(root, folder), isFolder: true, isDeep: !isNear });
        for (const entry of entries) {
          // The opened folder itself is always searched completely.
          if (--left < 0 && depth > 0) return { files, folders, links, repositories, manifests, isCut: isNear };
          const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
          if (take(relative, entry, isAlone, isNear)) continue;
          if (entry.name === 'package.json' && isNear) manifests.push(join(root, relative));
          else if (!isGitData && entry.isDirectory() && !PASSED_OVER.has(entry.name)) next.push(relative);
        }
      }
    }
    level = next;
  }
  return { files, folders, links, repositories, manifests, isCut: false };
}

/** Checks the same entries as Git, which searches for a repository in parent folders (gitrepository-layout(5)). */
function isRepository(entries: readonly Dirent[]): boolean {
  // Not every file system is case-sensitive.
  const has = (wanted: string): boolean => entries.some(({ name }) => name.toLowerCase() === wanted);
  return has('head') && (has('commondir') || (has('objects') && has('refs')));
}

/** Undefined for an unreadable folder. The opened folder must be readable. */
async function entriesOf(root: string, folder: string): Promise<readonly [string, readonly Dirent[] | undefined]> {
  try {
    return [folder, await readdir(join(root, folder), { withFileTypes: true })];
  } catch (error) {
    if (folder === '') throw error;
    return [folder, undefined];
  }
}

/**
 * Folders that take effect as soon as they exist, without any user action: an editor reads its settings and runs Git,
 * an agent follows its instructions. If the opened folder lacks one, no command can create it.
 */
export const WORK_BY_THEMSELVES: readonly string[] = [
  ...'.git .vscode .idea .devcontainer .husky .gemini .agents .claude .cursor'.split(' '),
];

/** Long enough for all checks before a command starts. After its end, everything is searched again. */
const FRESH_MS = 25;

/** Shares one search among the checks before a command starts: whether to ask, what to allow, what to compare. */
export class RecentlyFound {
  private readonly recent = new Map<string, { readonly found: Promise<ProtectedPlacesFound>; endedAt?: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  readonly find: FindProtected = (root) => {
    const known = this.recent.get(root);
    if (known && this.now() - (known.endedAt ?? this.now()) < FRESH_MS) return known.found;
    return this.findAgain(root);
  };

  /** Ignores earlier results, because a command may have changed what is protected. */
  readonly findAgain: FindProtected = (root) => {
    const found = findProtected(root);
    const entry: { readonly found: Promise<ProtectedPlacesFound>; endedAt?: number } = { found };
    this.recent.set(root, entry);
    const end = (): void => {
      entry.endedAt = this.now();
    };
    found.then(end, end);
    return found;
  };
}
