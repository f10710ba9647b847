import { lstatSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { contains } from '../files/real-path.ts';
import { readSmallFile } from '../files/regular-file.ts';
import { fromRoot, namedBySettings } from '../policy/named-by-git.ts';
import { type NamedPlace, protectedName } from '../policy/protected-paths.ts';
import type { Placeholder } from './placeholders.ts';
import type { FindProtected, FoundRepository } from './protected-places.ts';

/** The parts of a repository's data that commands may change, and those that decide which programs Git runs. */
export interface GitPlaces {
  readonly write: readonly string[];
  readonly read: readonly string[];
  /** Paths that would have an effect as soon as they existed. */
  readonly absent: readonly Placeholder[];
}

/** The absolute locations of a repository's data. They may not exist. */
export interface GitData {
  /** For a worktree, its own data. Otherwise the same as `shared`. */
  readonly own: string;
  readonly shared: string;
  /** The folder in which its hooks start. */
  readonly root: string;
  /** Whether the data belongs to this folder, because a `.git` file could name any folder. */
  readonly isKnown: boolean;
}

export async function gitDataOf({ path, isFolder }: FoundRepository): Promise<GitData> {
  const root = basename(path) === '.git' ? dirname(path) : path;
  const own = isFolder ? path : await folderNamedIn(path);
  const common = await readSmallFile(join(own, 'commondir')).catch(() => undefined);
  const shared = common === undefined ? own : await real(resolve(own, common.trim()));
  const isKnown = isFolder ? own === shared : await knowsWorktree(own, path);
  return { own, shared, root, isKnown };
}

async function folderNamedIn(file: string): Promise<string> {
  const text = await readSmallFile(file).catch(() => undefined);
  const named = /^gitdir: (.+)$/m.exec(text ?? '')?.[1];
  return named === undefined ? file : real(resolve(dirname(file), named.trim()));
}

/** A repository lists its worktrees. A hostile folder can't have written its path into a repository elsewhere. */
async function knowsWorktree(own: string, file: string): Promise<boolean> {
  try {
    const back = (await readFile(join(own, 'gitdir'), 'utf8')).trim();
    return (await realpath(resolve(own, back))) === (await realpath(file));
  } catch {
    return false;
  }
}

function real(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** Files and folders that decide which programs Git runs, or from which folder it reads its settings. */
const SETTINGS = ['config', 'info', 'hooks', 'modules', 'worktrees', 'gitdir', 'commondir', 'config.worktree'];

/**
 * Objects, refs, the index and logs stay writable in a repository that belongs to this folder. Data of other programs
 * elsewhere is not protected, unless settings in the workspace name it.
 */
export async function gitPlaces(repository: FoundRepository, within: string): Promise<GitPlaces> {
  const { path, isFolder } = repository;
  const { own, shared, root, isKnown } = await gitDataOf(repository);
  const held = [...new Set([own, shared])].filter((folder) => isKnown || contains(within, folder));
  const named = await namedBySettings(shared, root);
  const missing = held.flatMap((folder) => keptAway(folder, 'folder', within));
  return {
    write: isFolder ? [own] : isKnown ? [shared, own] : [],
    read: [
      ...(isFolder ? [] : [path]),
      ...held.flatMap((folder) => SETTINGS.map((name) => join(folder, name))),
      ...named.map((place) => place.path),
    ],
    absent: [
      ...missing,
      // Nothing can be written below a placeholder, or in the data of another repository, anyway.
      ...(missing.length === 0 && (isKnown || !isInGit(shared)) ? await absentSettings(shared) : []),
      ...(isKnown && own !== shared ? [{ path: join(own, 'config.worktree'), kind: 'file', text: '' } as const] : []),
      ...named.flatMap((place) => keptAway(place.path, place.what === 'settings of git' ? 'file' : 'folder', within)),
    ],
  };
}

function isInGit(folder: string): boolean {
  return dirname(folder).split(sep).includes('.git');
}

/** Placeholders that have no effect: an empty hooks folder, an empty settings file. */
async function absentSettings(folder: string): Promise<readonly Placeholder[]> {
  const config = await readSmallFile(join(folder, 'config')).catch(() => undefined);
  return [
    { path: join(folder, 'hooks'), kind: 'folder' },
    { path: join(folder, 'info'), kind: 'folder' },
    { path: join(folder, 'config.worktree'), kind: 'file', text: '' },
    // Git reads settings and hooks from the folder that this file names. "." has the same effect as no file, except
    // that Git then ignores `core.worktree`.
    ...(/^\s*worktree\s*=/im.test(config ?? '')
      ? []
      : [{ path: join(folder, 'commondir'), kind: 'file', text: '.\n' } as const]),
  ];
}

const GIT_DATA = 'internal data of a repository';

/** Keeps a missing path in the workspace from being created, with a placeholder for its first missing part. */
function keptAway(path: string, kind: Placeholder['kind'], within: string): readonly Placeholder[] {
  if (!contains(within, path)) return [];
  let at = within;
  for (const name of relative(within, path).split(sep)) {
    at = join(at, name);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (!stats) return [at === path && kind === 'file' ? { path, kind, text: '' } : { path: at, kind: 'folder' }];
    if (!stats.isDirectory()) return [];
  }
  return [];
}

/**
 * Protected places that are there, and those that repositories in the workspace use or name outside of a `.git` folder:
 * included settings, hooks, and data in a folder with another name.
 */
export async function protectedIn(root: string, find: FindProtected): Promise<readonly NamedPlace[]> {
  // If the workspace can't be searched, there are no such places.
  const found = await find(root).catch(() => undefined);
  if (!found) return [];
  const { repositories, files, folders, links } = found;
  const there = [...files, ...folders, ...links, ...repositories.map(({ path }) => path)].map((path) => ({
    path,
    what: protectedName(relative(root, path))?.what ?? GIT_DATA,
  }));
  const places = await Promise.all(
    repositories.map(async (repository): Promise<readonly NamedPlace[]> => {
      const data = await gitDataOf(repository);
      const folders = [data.own, data.shared].filter((folder) => contains(root, folder));
      const named = await namedBySettings(data.shared, data.root);
      return [...folders.map((path) => ({ path, what: GIT_DATA })), ...named];
    }),
  );
  return fromRoot(root, [...there, ...places.flat()]);
}
