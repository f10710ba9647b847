import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AllowedPath } from '../files/path-guard.ts';
import { contains } from '../files/real-path.ts';

/**
 * The path of a file for people: relative to its root, prefixed with the root's name if several folders are open, and
 * absolute if two of those have the same name.
 */
export function pathLabel({ root, relativePath }: AllowedPath, roots: readonly string[]): string {
  return label(root, relativePath, roots);
}

/** The label of a path from the model that hasn't been checked yet. An invalid path is shown as it is. */
export function unverifiedPathLabel(path: unknown, roots: readonly string[]): string {
  if (typeof path !== 'string') return '';
  const plain = toPlainPath(path);
  const root = isAbsolute(plain) ? roots.find((folder) => contains(folder, plain)) : undefined;
  return root === undefined ? plain : label(root, relative(root, plain).split(sep).join('/'), roots);
}

function label(root: string, relativePath: string, roots: readonly string[]): string {
  if (roots.length < 2) return relativePath === '' ? '.' : relativePath;
  const name = basename(root).toLowerCase();
  if (roots.filter((other) => basename(other).toLowerCase() === name).length > 1) return join(root, relativePath);
  return relativePath === '' ? basename(root) : `${basename(root)}/${relativePath}`;
}

function toPlainPath(path: string): string {
  if (!/^file:/i.test(path)) return path;
  try {
    return fileURLToPath(path);
  } catch {
    return path;
  }
}
