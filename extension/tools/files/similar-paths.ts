import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AllowedPath, guardPath } from '../../files/path-guard.ts';
import { type ToolContext, type ToolResult, toolError } from '../../ports/tool.ts';
import { namesLike } from '../../text/nearest-names.ts';
import { oneLine } from '../../text/one-line.ts';
import { pathLabel } from '../path-label.ts';
import { hiddenReason, type ToolPath } from './tool-path.ts';

/** The same limit as in Gemini CLI. */
const MAX_FOLDERS = 50;
const MAX_FOUND = 3;
/** Comparing names takes time, and a folder with more entries is a data store. */
const MAX_NAMES = 5000;
const SKIPPED = /^(?:\..*|node_modules)$/;

type Wanted = 'file' | 'folder' | 'any';
type Missing = Pick<AllowedPath, 'realRoot' | 'relativePath'>;

/** The error for a file that isn't there. The advice is for the case that no similar path is known. */
export async function missingFile(
  { guarded, label }: ToolPath,
  context: ToolContext,
  advice: string,
): Promise<ToolResult> {
  const meant = await didYouMean(guarded, context, 'file');
  return toolError('file_not_found', `File not found: ${label}. ${meant || advice}`);
}

/** A question with the paths that a missing one may have meant, or an empty text. */
export async function didYouMean(missing: Missing, context: ToolContext, wanted: Wanted): Promise<string> {
  const similar = await similarPaths(missing, context, wanted);
  return similar.length === 0 ? '' : `Did you mean ${similar.join(' or ')}?`;
}

/**
 * The same path in another folder first, then paths with a similar spelling. They are only suggested, never used
 * instead, because gates and rules have checked the requested path. Hidden files and secrets are never named.
 */
async function similarPaths(missing: Missing, context: ToolContext, wanted: Wanted): Promise<string[]> {
  const labels = new Set<string>();
  for (const find of [pathsEndingWith, spelledAlike]) {
    for (const path of await find(missing, context, wanted)) {
      const label = await visibleLabel(path, context);
      if (label !== undefined && oneLine(label) === label) labels.add(label);
      if (labels.size === MAX_FOUND) return [...labels];
    }
  }
  return [...labels];
}

interface FoundPath {
  readonly path: string;
  readonly isFolder: boolean;
}

async function pathsEndingWith({ relativePath }: Missing, context: ToolContext, wanted: Wanted): Promise<FoundPath[]> {
  if (relativePath === '') return [];
  const found: FoundPath[] = [];
  const folders = [...context.workspace.roots()];
  for (let looked = 0; looked < MAX_FOLDERS && found.length < MAX_NAMES; looked++) {
    const folder = folders.shift();
    if (folder === undefined || context.signal.aborted) break;
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.test(entry.name)) folders.push(path);
      if (fits(entry, wanted) && path.replaceAll('\\', '/').endsWith(`/${relativePath}`))
        found.push({ path, isFolder: entry.isDirectory() });
    }
  }
  return found;
}

/** Follows the path from its root, and takes similar names where a name doesn't exist. */
async function spelledAlike(
  { realRoot, relativePath }: Missing,
  context: ToolContext,
  wanted: Wanted,
): Promise<FoundPath[]> {
  const names = relativePath.split('/');
  let reached: FoundPath[] = [{ path: realRoot, isFolder: true }];
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const next: FoundPath[] = [];
    for (const { path: folder } of reached.slice(0, MAX_FOUND)) {
      if (context.signal.aborted) return [];
      const entries = (await entriesOf(folder)).filter((entry) => fits(entry, isLast ? wanted : 'folder'));
      next.push(
        ...alike(name, entries).map((entry) => ({ path: join(folder, entry.name), isFolder: entry.isDirectory() })),
      );
    }
    reached = next;
  }
  return reached;
}

function alike(name: string, entries: readonly Dirent[]): Dirent[] {
  const same = entries.find((entry) => entry.name === name);
  if (same) return [same];
  const byName = new Map(entries.slice(0, MAX_NAMES).map((entry) => [entry.name.toLowerCase(), entry]));
  return namesLike(name.toLowerCase(), byName.keys(), MAX_FOUND).flatMap((near) => byName.get(near) ?? []);
}

function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
}

function fits(entry: Dirent, wanted: Wanted): boolean {
  return (wanted !== 'folder' && entry.isFile()) || (wanted !== 'file' && entry.isDirectory());
}

async function visibleLabel({ path, isFolder }: FoundPath, context: ToolContext): Promise<string | undefined> {
  const roots = context.workspace.roots();
  const guarded = await guardPath(path, roots);
  if (!guarded.allowed) return undefined;
  const label = pathLabel(guarded, roots);
  return (await hiddenReason(guarded, label, context, 'read', { isFolder })) === undefined ? label : undefined;
}
