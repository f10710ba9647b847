import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isJudgedTogether, protectedName } from '../policy/protected-paths.ts';

/** `.git`, as a folder or as a file that names one; or a folder of another name that Git takes for one. */
export interface FoundRepository {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
  /** So far down that it may be found now and not the next time. */
  readonly isDeep?: boolean;
}

export interface ProtectedPlacesFound {
  /** Absolute. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Links with a protected name: what they lead to can be made read-only, they themselves can be replaced. */
  readonly links: readonly string[];
  readonly repositories: readonly FoundRepository[];
  /** `package.json`: its scripts run, the rest of it changes with every installation. */
  readonly manifests: readonly string[];
  /** There was more than can be looked at, repositories far down aside. */
  readonly isCut: boolean;
}

/** As deep as packages of a monorepo lie. */
const MAX_DEPTH = 3;
/** Repositories are looked for further down: somebody else's may lie anywhere. */
const MAX_REPOSITORY_DEPTH = 8;
/** A few milliseconds' worth, however deep: every command waits for it. */
const MAX_ENTRIES = 3000;
/** Folders: one with thousands of files would be read in vain behind the last that counts. */
const READ_AT_ONCE = 16;
/** What tools bring along and replace as they like. Nobody takes settings from there. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', 'target', 'dist', 'out', 'build']);

export type FindProtected = (root: string) => Promise<ProtectedPlacesFound>;

/** What is there of the files that decide what an editor, an agent, a shell or a build does next. */
export async function findProtected(root: string): Promise<ProtectedPlacesFound> {
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
        // A command could make it readable and write there: nothing in it can be told apart, so none of it is written.
        if (entries === undefined) {
          if (isNear) folders.push(join(root, folder));
          continue;
        }
        const isAlone = !isJudgedTogether(folder);
        const isGitData = isRepository(entries);
        if (isGitData) repositories.push({ path: join(root, folder), isFolder: true, isDeep: !isNear });
        for (const entry of entries) {
          // The folder that was opened is looked at as a whole.
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

/** As Git tells one, which looks for them from the folder that it runs in upwards (gitrepository-layout(5)). */
function isRepository(entries: readonly Dirent[]): boolean {
  // Not every file system tells capital letters from small ones.
  const has = (wanted: string): boolean => entries.some(({ name }) => name.toLowerCase() === wanted);
  return has('head') && (has('commondir') || (has('objects') && has('refs')));
}

/** Undefined for a folder that cannot be read; the opened one has to be. */
async function entriesOf(root: string, folder: string): Promise<readonly [string, readonly Dirent[] | undefined]> {
  try {
    return [folder, await readdir(join(root, folder), { withFileTypes: true })];
  } catch (error) {
    if (folder === '') throw error;
    return [folder, undefined];
  }
}

/**
 * Folders that work as soon as they are there, without anybody's doing: an editor reads its settings and runs Git, an agent
 * follows its instructions. Where the opened folder has none, no command can make one.
 */
export const WORK_BY_THEMSELVES: readonly string[] = [
  ...'.git .vscode .idea .devcontainer .husky .gemini .agents .claude .cursor'.split(' '),
];

/** Long enough for all that is asked before a command starts. After its end everything is looked for again. */
const FRESH_MS = 25;

/** Several ask what is protected before a command starts: whether to ask about it, what it may reach, what to compare. */
export class RecentlyFound {
  private readonly recent = new Map<string, { readonly found: Promise<ProtectedPlacesFound>; endedAt?: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  readonly find: FindProtected = (root) => {
    const known = this.recent.get(root);
    if (known && this.now() - (known.endedAt ?? this.now()) < FRESH_MS) return known.found;
    return this.findAgain(root);
  };

  /** A command may have changed what is protected: what was found before it counts for nobody any more. */
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
