import { relative, resolve } from 'node:path';
import { contains } from '../../files/real-path.ts';
import type { RunFolder } from '../rules/shell-judge.ts';

/** Where a path of a command leads; in the workspace from its root on, so that the names above do not count. */
export function ledTo(path: string, { path: folder, root }: RunFolder): string {
  if (/^~/.test(path)) return path;
  const target = resolve(folder, path);
  return contains(root, target) ? relative(root, target) || '.' : target;
}

/** Whether a path certainly stays in the workspace, as far as its words say. */
export function isInWorkspace(
  path: string | undefined,
  folder: RunFolder | undefined,
  roots: readonly string[],
): boolean {
  const from = folder?.path ?? roots[0];
  if (path === undefined || from === undefined || path.startsWith('~')) return false;
  const target = resolve(from, path);
  return [...roots, ...(folder ? [folder.root] : [])].some((root) => contains(root, target));
}
