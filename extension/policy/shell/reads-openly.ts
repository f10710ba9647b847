import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { contains, resolveRealPath } from '../../files/real-path.ts';
import { IgnoreRules } from '../ignore-rules.ts';
import type { RunFolder } from '../rules/shell-judge.ts';
import { looksSecret } from '../secret-files.ts';
import { pathsIn } from './known-safe.ts';
import { plainRepository } from './plain-repository.ts';
import type { SubCommand } from './shell-types.ts';

/** Of git, what prints the contents of files, also of those that are not named. */
const SHOWS_CONTENTS: ReadonlySet<string | undefined> = new Set(['diff', 'log', 'show']);

/** With one of these `git log` shows what commits change. Other letters may stand around it. */
const PATCHES = /^(?:-[^-]*[pUL]|--(?:patch|unified|word-diff|check))/;

/** Finds the files of which `git` with these arguments would show contents; undefined where that cannot be told. */
export type FindShown = (folder: string, args: readonly string[]) => Promise<readonly string[] | undefined>;

/**
 * Whether a command that only reads would read what the agent may see without a question: files of the workspace, by
 * where their paths lead, that neither are hidden nor look like secrets. What cannot be checked is not open.
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

async function isOpen(named: string, root: string, rules: IgnoreRules): Promise<boolean> {
  const { path, exists } = await resolveRealPath(named);
  if (!exists) return true;
  const inRoot = relative(root, path).split(sep).join('/');
  if (!contains(root, path) || looksSecret(inRoot)) return false;
  const { hidden } = await rules.judge(inRoot, (await stat(path)).isDirectory());
  return !hidden;
}

/** Git looks for the repository upwards; only one that begins with the folder is certainly the workspace's. */
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
  // Commits keep what is deleted, and what was never part of this branch.
  const files = await shown?.(path, args);
  return files?.some((file) => looksSecret(file)) === false;
}
