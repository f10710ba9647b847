import { lstatSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { contains } from '../files/real-path.ts';
import { type GitPlaces, gitPlaces } from './git-places.ts';
import type { Placeholder, Placeholders } from './placeholders.ts';
import { type FindProtected, type ProtectedPlacesFound, WORK_BY_THEMSELVES } from './protected-places.ts';
import { type Access, inOrder, type SandboxPlace } from './sandbox-policy.ts';
import { secretPlaces } from './secret-places.ts';

export interface PolicyWish {
  /** Absolute: the folders that are open. */
  readonly roots: readonly string[];
  /** Absolute: further folders that commands may write to. */
  readonly folders: readonly string[];
  /** Nothing can be changed, as while a plan is made. */
  readonly readOnly: boolean;
  /** Nothing is put where something must not appear. */
  readonly stays?: boolean;
  readonly home: string;
  /** Absolute: besides the places that are known in a home folder. */
  readonly secrets: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface MadePolicy {
  readonly places: readonly SandboxPlace[];
  readonly placeholders: readonly Placeholder[];
  /** What the system does not hold: links with a protected name, which a command could replace. */
  readonly gaps: readonly string[];
}

/** Finds out what commands may reach at this moment. Placeholders are put where something must not appear. */
export async function makePolicy(
  wish: PolicyWish,
  placeholders: Placeholders,
  find: FindProtected,
): Promise<MadePolicy> {
  const [roots, folders] = await Promise.all([realFolders(wish.roots), realFolders(wish.folders)]);
  const secrets = placesAt('none', [...secretPlaces(wish.home, wish.environment), ...wish.secrets]);
  if (wish.readOnly) {
    // Also where a folder lies in one that is otherwise hidden or replaced.
    return { places: [...secrets, ...asFolders('read', roots)], placeholders: [], gaps: [] };
  }
  const found = await Promise.all(roots.map((root) => protectedIn(root, find)));
  const all = [...found, ...(await Promise.all(folders.map((folder) => protectedBeside(folder, find))))];
  const put = wish.stays ? [] : await placeholders.put(all.flatMap((each) => each.absent));
  const read = [...all.flatMap((each) => each.read), ...put.map(({ path }) => path)];
  return {
    places: [
      ...asFolders('write', [...roots, ...folders, ...all.flatMap((each) => each.write)]),
      ...placesAt('read', read),
      ...secrets,
    ],
    placeholders: put,
    gaps: found.flatMap((each) => each.gaps),
  };
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
 * Of a folder that is open to commands besides: nobody works in it, so nothing is kept from appearing. One that cannot be
 * looked through stays closed.
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
 * Those of the paths that exist, by where they really are. A link that leads nowhere is nothing to protect. Looked at without
 * waiting: most of some seventy are not there, which takes 0.2 ms in all, and twenty times as long one by one in the background.
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

/** Whether a command may write there, by the places of its policy. */
export function mayWrite(path: string, places: readonly SandboxPlace[]): boolean {
  return inOrder(places).findLast((place) => contains(place.path, path))?.access === 'write';
}
