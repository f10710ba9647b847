import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { contains } from '../files/real-path.ts';
import { namedBySettings } from '../policy/named-by-git.ts';
import type { PartlyProtected } from '../policy/telling-part.ts';
import { gitDataOf } from './git-places.ts';
import type { FindProtected, FoundRepository } from './protected-places.ts';

export interface WatchedFile {
  /** The part of the file that counts, if it isn't all of it. */
  readonly part?: PartlyProtected | undefined;
  /** Something else refers to it, such as a link, so it may have existed long before it became relevant. */
  readonly isLedTo?: boolean;
  /** It belongs to the data of a repository, whose folder may have any name. */
  readonly isGitData?: boolean;
}

export interface WatchedFiles {
  /** By path. */
  readonly files: ReadonlyMap<string, WatchedFile>;
  /** There are more files, so a file that is found for the first time need not be new. */
  readonly isCut: boolean;
}

/** The limit for one opened folder. Commands wait for the search. */
const MAX_FILES = 1000;
/** The depth inside a folder that is protected as a whole. */
const MAX_DEPTH = 4;

/** Files that tools keep in such folders and change whenever they run. */
const KEPT_BY_TOOLS: ReadonlySet<string> = new Set([
  ...'cache .cache tmp temp log logs sessions history node_modules unplugged'.split(' '),
  ...'install-state.gz build-state.yml .pnp.cjs .pnp.mjs .bash_history'.split(' '),
]);

/** In folders of other tools, the files that decide about programs. The rest changes with every command. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  '.hg': ['hgrc', 'hgrc-not-shared'],
  '.jj': ['repo/config.toml'],
  '.bzr': ['branch/branch.conf'],
  '.svn': [],
  '.gradle': ['gradle.properties', 'init.gradle', 'init.gradle.kts'],
};

/** The files that must be unchanged after a command. `own` lists folders that Gantry itself writes to. */
export async function watchedFiles(root: string, own: readonly string[], find: FindProtected): Promise<WatchedFiles> {
  const found = await find(root);
  const ours = own.filter((folder) => !contains(folder, root));
  const watched = new Map<string, WatchedFile>(found.manifests.map((path) => [path, { part: 'package' }]));
  const addAs = (file: WatchedFile, path: string): void => {
    const isOurs = ours.some((folder) => contains(folder, path));
    if (!isOurs && !KEPT_BY_TOOLS.has(basename(path)) && watched.size < MAX_FILES)
      watched.set(path, watched.get(path) ?? file);
  };
  const add: Add = (path, part) => addAs({ part }, path);
  const addLedTo: Add = (path, part) => addAs({ part, isLedTo: true }, path);
  for (const path of found.files) add(path);
  for (const path of found.links) add(path);
  const leadTo = await Promise.all(found.links.map((link) => realpath(link).catch(() => undefined)));
  // The target of a link outside of this folder doesn't count, except for what Git is configured to run.
  const inside = leadTo.filter((path) => path !== undefined && contains(root, path)).map(String);
  await Promise.all([
    ...found.folders.map((folder) => addFolder(folder, add)),
    ...found.repositories.map((repository) => {
      const isLedTo = repository.isDeep === true;
      return addRepository(repository, root, (path, part) => addAs({ part, isLedTo, isGitData: true }, path), addLedTo);
    }),
  ]);
  // Added last, so that files that are protected themselves keep their own entry.
  for (const path of inside) await addAny(path, addLedTo);
  return { files: watched, isCut: found.isCut || watched.size >= MAX_FILES };
}

type Add = (path: string, part?: PartlyProtected) => void;

async function addFolder(folder: string, add: Add): Promise<void> {
  const only = ONLY[basename(folder)];
  if (only) for (const name of only) add(join(folder, name));
  else await addBelow(folder, add, MAX_DEPTH);
}

async function addBelow(folder: string, add: Add, depth: number): Promise<void> {
  const below: Promise<void>[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) add(path);
    else if (depth > 1 && !KEPT_BY_TOOLS.has(entry.name)) below.push(addBelow(path, add, depth - 1));
  }
  await Promise.all(below);
}

async function addAny(path: string, add: Add): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory()) await addBelow(path, add, MAX_DEPTH);
  else if (stats) add(path);
}

/** The data of a repository that can make Git run a program or contact a server. */
async function addRepository(repository: FoundRepository, within: string, add: Add, addLedTo: Add): Promise<void> {
  const { own, shared, root, isKnown } = await gitDataOf(repository);
  if (!repository.isFolder) add(repository.path);
  const isHeld = (folder: string): boolean => isKnown || contains(within, folder);
  if (own !== shared && isHeld(own)) {
    add(join(own, 'config.worktree'), 'git settings');
    add(join(own, 'commondir'));
  }
  const named = await namedBySettings(shared, root);
  await Promise.all([
    isHeld(shared) ? addGit(shared, add) : undefined,
    ...named.map(({ path }) => addAny(path, addLedTo)),
  ]);
}

async function addGit(folder: string, add: Add): Promise<void> {
  addSettings(folder, add);
  const [modules] = await Promise.all([entriesOf(join(folder, 'modules')), addHooks(folder, add)]);
  for (const { name } of modules) addSettings(join(folder, 'modules', name), add);
  await Promise.all(modules.map(({ name }) => addHooks(join(folder, 'modules', name), add)));
}

function addSettings(folder: string, add: Add): void {
  add(join(folder, 'config'), 'git settings');
  add(join(folder, 'config.worktree'), 'git settings');
  add(join(folder, 'commondir'), 'git folder');
  add(join(folder, 'info', 'attributes'));
}

/** Samples don't run. */
async function addHooks(folder: string, add: Add): Promise<void> {
  const hooks = join(folder, 'hooks');
  for (const { name } of await entriesOf(hooks)) if (!name.endsWith('.sample')) add(join(hooks, name));
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
