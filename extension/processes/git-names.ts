import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { runProgram } from './run-program.ts';
import { commandEnvironment } from './shell/clean-environment.ts';

export interface GitReading {
  /** Absolute: where the command would run. */
  readonly folder: string;
  /** `diff`, `log` or `show` with its arguments. Options that name programs must be out of the question. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A person waits for the answer, and would rather be asked. */
const TIMEOUT_MS = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/** What decides how a change is shown. All of it is replaced by names. */
const FORMATS =
  /^(?:-p|-s|--(?:patch|no-patch|stat|shortstat|numstat|dirstat|summary|compact-summary|raw|check|name-only|name-status|quiet|exit-code|graph|relative|oneline|pretty|format|color|no-color)(?:=.*)?)$/s;

/**
 * The files of which a command of Git would show contents, in any commit: Git is asked for the same with names instead. A
 * file that was renamed appears under both names. Undefined where that cannot be told, or not soon.
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

/** A blob has no name by which anybody could tell what is in it. */
async function areCommits(words: readonly string[], reading: GitReading): Promise<boolean> {
  const operands = words.filter((word) => !word.startsWith('-') && !existsSync(resolve(reading.folder, word)));
  // Of `HEAD:a.txt` the path says what it is.
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
  const { exitCode, stdout, truncated } = await runProgram({
    file: 'git',
    args: ['--no-optional-locks', '--no-pager', ...args],
    folder: reading.folder,
    environment: { ...commandEnvironment(reading.environment), GIT_NO_LAZY_FETCH: '1' },
    ...(input !== undefined && { input }),
    signal: new AbortController().signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  return exitCode === 0 && !truncated ? stdout : undefined;
}
