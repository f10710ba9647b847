import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readGit } from './read-git.ts';

export interface GitReading {
  /** Absolute. The folder in which the command would run. */
  readonly folder: string;
  /** `diff`, `log` or `show` with its arguments. The caller must have excluded options that name programs. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Options that decide how a change is shown. All of them are replaced with options that list names. */
const FORMATS =
  /^(?:-p|-s|--(?:patch|no-patch|stat|shortstat|numstat|dirstat|summary|compact-summary|raw|check|name-only|name-status|quiet|exit-code|graph|relative|oneline|pretty|format|color|no-color)(?:=.*)?)$/s;

/**
 * The files whose contents a Git command would show, in any commit. Git runs with the same arguments, but lists names
 * instead. A renamed file appears under both names. Undefined if the files are unknown or it takes too long.
 */
export async function filesShown(reading: GitReading): Promise<readonly string[] | undefined> {
  const [command = '', ...rest] = reading.args;
  const dashes = rest.indexOf('--');
  const [before, paths] = dashes < 0 ? [rest, []] : [rest.slice(0, dashes), rest.slice(dashes)];
  if (!(await areCommits(before, reading))) return undefined;
  const named = ['--name-status', '-z', ...(command === 'diff' ? [] : ['--format='])];
  const kept = before.filter((word) => !FORMATS.test(word));
  const output = await git([command, ...kept, ...named, ...paths], reading);
  return output?.split(/[\0\n]/).filter((name) => name !== '');
}

/** Checks that all revisions are commits or tags: a blob has no name that would tell what it contains. */
async function areCommits(words: readonly string[], reading: GitReading): Promise<boolean> {
  const operands = words.filter((word) => !word.startsWith('-') && !existsSync(resolve(reading.folder, word)));
  // In `HEAD:a.txt`, the path names the file.
  const revisions = operands.filter((word) => !word.includes(':')).flatMap((word) => word.split(/\.{2,3}/));
  const asked = revisions.map((word) => word.replace(/^\^/, '')).filter((word) => word !== '');
  if (asked.length === 0) return true;
  const types = await git(['cat-file', '--batch-check=%(objecttype)'], reading, `${asked.join('\n')}\n`);
  return (
    types
      ?.trim()
      .split('\n')
      .every((type) => /^(?:commit|tag|.* missing)$/.test(type)) ?? false
  );
}

async function git(args: readonly string[], reading: GitReading, input?: string): Promise<string | undefined> {
  return readGit({ ...reading, args, ...(input !== undefined && { input }) });
}
