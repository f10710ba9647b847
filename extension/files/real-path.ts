import { realpathSync } from 'node:fs';
import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isMissing } from './error-code.ts';

export interface RealPath {
  readonly path: string;
  readonly exists: boolean;
}

/** Linux also gives up after 40 links (path_resolution(7)). */
const MAX_DANGLING_LINKS = 40;

/**
 * The real path of an absolute path, even if its last parts do not exist yet: then the existing part is resolved, and a
 * dangling link is followed to where a write would end up. Throws if the real path cannot be determined.
 */
export async function resolveRealPath(target: string, links = 0): Promise<RealPath> {
  try {
    return { path: await realpath(target), exists: true };
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const parent = dirname(target);
  if (parent === target) throw new Error(`No such file system root: ${target}`);
  const realParent = await resolveRealPath(parent, links);
  const path = join(realParent.path, basename(target));
  const link = realParent.exists ? await readDanglingLink(path) : undefined;
  if (link === undefined) return { path, exists: false };
  if (links >= MAX_DANGLING_LINKS) throw new Error(`Too many links: ${target}`);
  return resolveRealPath(resolve(realParent.path, link), links + 1);
}

/** Both paths must be real. A path contains itself. */
export function contains(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

async function readDanglingLink(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * The canonical path of a folder: without symbolic links, and on Windows with the drive letter as the system writes it.
 */
export function canonicalFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/**
 * Whether a real path is inside the project, so that links cannot add files from elsewhere. False if the project folder
 * is missing.
 */
export async function isInProject(root: string, realPath: string): Promise<boolean> {
  return realpath(root).then(
    (folder) => contains(folder, realPath),
    () => false,
  );
}
