import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import { IgnoreRules } from '../ignore-rules.ts';
import type { RunFolder } from '../rules/shell-judge.ts';
import { looksSecret } from '../secret-files.ts';
import { pathsIn } from './known-safe.ts';
import { plainRepository } from './plain-repository.ts';
import type { SubCommand } from './shell-types.ts';

/** Git subcommands that print contents of files, including files that are not named. */
const SHOWS_CONTENTS: ReadonlySet<string | undefined> = new Set(['diff', 'log', 'show']);

/** With one of these options, `git log` shows the changes of commits. Letters may be grouped with others. */
const PATCHES = /^(?:-[^-]*[pUL]|--(?:patch|unified|word-diff|check))/;

const LONGEST_NAME = 255;

/** Finds the files whose contents `git` would show with these arguments. Undefined if that is unknown. */
export type FindShown = (folder: string, args: readonly string[]) => Promise<readonly string[] | undefined>;

/**
 * Whether a read-only command reads only files that the agent may see without asking: files whose real paths are in the
 * workspace, that are not hidden and don't look like secrets. If that can't be checked, the result is false.
 */
export async function readsOpenly(
  { words }: SubCommand,
  folder: RunFolder | undefined,
  shown: FindShown | undefined,
): Promise<boolean> {
  if (folder === undefined) return false;
  const [program, ...rest] = words.map(({ value = '' }) => value);
  try {
    const rules = new IgnoreRules(folder.root);
    for (const path of new Set(['.', ...rest.flatMap(pathsIn)])) {
      if (!(await isOpen(resolve(folder.path, path), folder.root, rules))) return false;
    }
    return program !== 'git' || (await isOpenRepository(folder, rest, shown));
  } catch {
    return false;
  }
}

/** Whether a word is a link to a place outside the workspace. If that can't be checked, it is. */
export async function followsLinkOut(
  { words }: SubCommand,
  { path: folder, root }: RunFolder,
  roots: readonly string[],
): Promise<boolean> {
  const isOutside = async (path: string): Promise<boolean> => {
    const named = resolve(folder, path);
    const { path: real, exists } = await resolveRealPath(named);
    return exists && real !== named && ![root, ...roots].some((each) => contains(each, real));
  };
  // Longer names don't exist. They are messages of commits and patterns.
  const canExist = (path: string): boolean => path.split('/').every((name) => name.length <= LONGEST_NAME);
  const paths = words.slice(1).flatMap(({ value = '' }) => pathsIn(value).filter(canExist));
  try {
    for (const path of new Set(paths)) if (await isOutside(path)) return true;
    return false;
  } catch {
    return true;
  }
}

async function isOpen(named: string, root: string, rules: IgnoreRules): Promise<boolean> {
  const { path, exists } = await resolveRealPath(named);
  if (!exists) return true;
  const inRoot = relative(root, path).split(sep).join('/');
  if (!contains(root, path) || looksSecret(inRoot)) return false;
  const { hidden } = await rules.judge(inRoot, (await stat(path)).isDirectory());
  return !hidden;
}

/** Git also searches parent folders. Only a repository in the folder itself is certainly the workspace's. */
async function isOpenRepository(
  { path, root }: RunFolder,
  args: readonly string[],
  shown: FindShown | undefined,
): Promise<boolean> {
  const tracked = await plainRepository(path);
  if (tracked === undefined) return false;
  if (!SHOWS_CONTENTS.has(args[0])) return true;
  const hides = (await resolveRealPath(join(root, '.geminiignore'))).exists;
  if (hides || tracked.some((entry) => looksSecret(entry.path))) return false;
  if (args[0] === 'log' && !args.some((arg) => PATCHES.test(arg))) return true;
  // Commits contain deleted files and files that were never part of this branch.
  const files = await shown?.(path, args);
  return files?.some((file) => looksSecret(file)) === false;
}
