import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contains, resolveRealPath } from '../files/real-path.ts';
import { protectedPath } from '../policy/protected-paths.ts';
import type { SandboxBlock } from '../protocol/agent/sandbox-block.ts';
import { mayWrite } from './make-policy.ts';
import type { SandboxPlace } from './sandbox-policy.ts';

/** More paths than fit on a card don't help. */
const MAX_SHOWN = 3;

/** Places that the user can't open. */
export interface OpeningLimits {
  /** Absolute and real. */
  readonly home: string;
  /** Absolute. Paths that no command should reach. */
  readonly secrets: readonly string[];
}

export interface BlockedParts extends OpeningLimits {
  /** The places of the policy that the command ran with. */
  readonly places: readonly SandboxPlace[];
  /** Absolute. Temporary folders, which the command may always change. */
  readonly temps: readonly string[];
}

/** Selects the paths that the sandbox blocked: its policy forbids the change, but the user could make it. */
export async function blockedPaths(
  named: readonly string[],
  parts: BlockedParts,
): Promise<Pick<SandboxBlock, 'paths' | 'folders'>> {
  const temps = parts.temps.map((path): SandboxPlace => ({ path, access: 'write', isFolder: true }));
  const places = [...temps, ...parts.places];
  const paths: string[] = [];
  const folders: string[] = [];
  for (const each of named) {
    if (paths.length >= MAX_SHOWN) break;
    const found = await lookAt(each);
    if (!found || paths.includes(found.path) || mayWrite(found.path, places)) continue;
    if (!(await isWritable(found.isThere ? found.path : found.folder))) continue;
    paths.push(found.path);
    const isProtected = parts.places.some(({ path, access }) => access !== 'write' && contains(path, found.path));
    if (!isProtected && mayBeOpened(found.folder, parts) && !folders.includes(found.folder)) folders.push(found.folder);
  }
  return { paths, folders };
}

interface Found {
  /** The real path, as far as it exists. */
  readonly path: string;
  readonly isThere: boolean;
  /** The path itself if it is a folder, or the nearest existing folder around it. */
  readonly folder: string;
}

async function lookAt(named: string): Promise<Found | undefined> {
  try {
    const { path, exists } = await resolveRealPath(named);
    if (exists && (await stat(path)).isDirectory()) return { path, isThere: true, folder: path };
    return { path, isThere: exists, folder: await folderAround(path) };
  } catch {
    return undefined;
  }
}

async function folderAround(path: string): Promise<string> {
  const folder = dirname(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder || folder === path ? folder : folderAround(folder);
}

async function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Folders of the system. They stay closed even for users who may change them. */
const SYSTEM: ReadonlySet<string> = new Set('bin boot dev etc lib lib32 lib64 proc run sbin sys usr'.split(' '));

/** Data that tools can download again, with nothing that decides what runs. Other names with a dot are settings. */
const CACHES: readonly string[] = '.cache .npm .pnpm-store .m2/repository .ivy2'.split(' ');

/**
 * Whether a folder may be opened to commands with one click. Protected and secret places may not, nor what contains
 * them. Users can still add such a folder to their settings.
 */
export function mayBeOpened(folder: string, { home, secrets }: OpeningLimits): boolean {
  if (contains(folder, home) || SYSTEM.has(folder.split('/')[1] ?? '')) return false;
  if (secrets.some((secret) => contains(secret, folder) || contains(folder, secret))) return false;
  const caches = CACHES.map((name) => join(home, name));
  return protectedPath(folder, { home, roots: caches }) === undefined;
}
