import { lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contains } from '../files/real-path.ts';
import { type GitPlaces, gitPlaces } from './git-places.ts';
import type { Placeholder, Placeholders } from './placeholders.ts';
import { type FindProtected, type ProtectedPlacesFound, WORK_BY_THEMSELVES } from './protected-places.ts';
import { type Access, inOrder, type SandboxPlace } from './sandbox-policy.ts';
import { secretPlaces } from './secret-places.ts';

export interface PolicyWish {
  /** Absolute. The open folders. */
  readonly roots: readonly string[];
  /** Absolute. Additional folders that commands may write to. */
  readonly folders: readonly string[];
  /** Commands can't change anything, as in plan mode. */
  readonly readOnly: boolean;
  /** No placeholders are created. */
  readonly stays?: boolean;
  readonly home: string;
  /** Absolute. Secrets in addition to the known places in a home folder. */
  readonly secrets: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface MadePolicy {
  readonly places: readonly SandboxPlace[];
  readonly placeholders: readonly Placeholder[];
  /** Protected places that the system can't protect: links with a protected name, which a command could replace. */
  readonly gaps: readonly string[];
}

/** Determines what commands may access at this moment. Creates placeholders for paths that must not be created. */
export async function makePolicy(
  wish: PolicyWish,
  placeholders: Placeholders,
  find: FindProtected,
): Promise<MadePolicy> {
  const [roots, folders] = await Promise.all([realFolders(wish.roots), realFolders(wish.folders)]);
  const secrets = placesAt('none', [...secretPlaces(wish.home, wish.environment), ...wish.secrets]);
  if (wish.readOnly) {
    // The roots are listed too, in case one is in a folder that is otherwise hidden or replaced.
    return { places: [...secrets, ...asFolders('read', roots)], placeholders: [], gaps: [] };
  }
  const found = await Promise.all(roots.map((root) => protectedIn(root, find)));
  const all = [...found, ...(await Promise.all(folders.map((folder) => protectedBeside(folder, find))))];
  const put = wish.stays ? [] : await placeholders.put(all.flatMap((each) => each.absent));
  const read = [...all.flatMap((each) => each.read), ...put.map(({ path }) => path)];
  return {
    places: [
      ...asFolders('write', [...roots, ...folders, ...all.flatMap((each) => each.write)]),
      ...asFolders('write', foldersAround(read, [...roots, ...folders])),
      ...placesAt('read', read),
      ...secrets,
    ],
    placeholders: put,
    gaps: found.flatMap((each) => each.gaps),
  };
}

/**
 * The writable folders between the open folders and protected places. As places of their own they can't be moved: a folder
 * could otherwise be moved away with the protected files in it.
 */
function foldersAround(read: readonly string[], open: readonly string[]): readonly string[] {
  const closed = new Set(read);
  const around = new Set<string>();
  for (const path of read) {
    const root = open.find((folder) => path !== folder && contains(folder, path));
    if (root === undefined) continue;
    const between: string[] = [];
    for (let folder = dirname(path); folder !== root; folder = dirname(folder)) {
      // Everything above is collected for the outer place.
      if (closed.has(folder)) between.length = 0;
      else between.push(folder);
    }
    for (const folder of between) around.add(folder);
  }
  return [...around];
}

interface ProtectedIn extends GitPlaces {
  readonly gaps: readonly string[];
}

async function protectedIn(root: string, find: FindProtected): Promise<ProtectedIn> {
  const found = await find(root);
  const places = await placesOf(found, root);
  const byThemselves = WORK_BY_THEMSELVES.map((name) => ({ path: join(root, name), kind: 'folder' as const }));
  return { ...places, absent: [...places.absent, ...byThemselves], gaps: found.links };
}

/**
 * Protected places of an additional folder. Nobody works in it, so no placeholders are created. A folder that can't be
 * searched stays closed.
 */
async function protectedBeside(folder: string, find: FindProtected): Promise<GitPlaces> {
  const found = await find(folder).catch(() => undefined);
  return found ? placesOf(found, folder) : { write: [], read: [folder], absent: [] };
}

async function placesOf(found: ProtectedPlacesFound, within: string): Promise<GitPlaces> {
  const { files, folders, links, repositories } = found;
  const git = await Promise.all(repositories.map((repository) => gitPlaces(repository, within)));
  return {
    write: git.flatMap(({ write }) => write),
    read: [...files, ...folders, ...links, ...git.flatMap(({ read }) => read)],
    absent: git.flatMap(({ absent }) => absent),
  };
}

/**
 * The real locations of the paths that exist. A broken link needs no protection. Synchronous: most of some seventy
 * paths don't exist, so checking all takes 0.2 ms, while asynchronous checks take twenty times as long.
 */
function placesAt(access: Access, paths: readonly string[]): readonly SandboxPlace[] {
  return [...new Set(paths)].flatMap((path): SandboxPlace[] => {
    try {
      if (!lstatSync(path, { throwIfNoEntry: false })) return [];
      const real = realpathSync.native(path);
      return [{ path: real, access, isFolder: lstatSync(real).isDirectory() }];
    } catch {
      return [];
    }
  });
}

async function realFolders(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return found.filter((path) => path !== undefined);
}

function asFolders(access: Access, paths: readonly string[]): readonly SandboxPlace[] {
  return paths.map((path) => ({ path, access, isFolder: true }));
}

/** Whether the places of a policy let a command write to a path. */
export function mayWrite(path: string, places: readonly SandboxPlace[]): boolean {
  return inOrder(places).findLast((place) => contains(place.path, path))?.access === 'write';
}
