import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readSmallFile } from '../../files/regular-file.ts';
import { plainRepository } from '../../policy/shell/plain-repository.ts';
import { type GitQuestion, readGit } from '../../processes/read-git.ts';
import { gitDataOf } from '../../sandbox/git-places.ts';
import { oneLine } from '../../text/one-line.ts';

/** The state of a large repository may take seconds, but nobody waits for it. */
const TIMEOUT_MS = 10_000;
const COMMITS = 5;
const MAX_SUBJECT = 100;
const MAX_BRANCH = 100;

/**
 * The branch or commit that is checked out in a folder, read from Git's files without running anything. Undefined if
 * the folder has no repository of its own. The data of a worktree is elsewhere, so it is only read if `isTrusted`.
 */
export async function checkedOut(folder: string, isTrusted: boolean): Promise<string | undefined> {
  try {
    const path = join(folder, '.git');
    const stats = await lstat(path);
    if (!stats.isDirectory() && !(stats.isFile() && isTrusted)) return undefined;
    const data = stats.isDirectory() ? undefined : await gitDataOf({ path, isFolder: false });
    if (data && !data.isKnown) return undefined;
    const head = (await readSmallFile(join(data?.own ?? path, 'HEAD')))?.trim() ?? '';
    const [, branch] = /^ref: refs\/heads\/([^\p{Cc} ~^:?*[\\]+)$/u.exec(head) ?? [];
    if (branch !== undefined) return `branch ${oneLine(branch, MAX_BRANCH)}`;
    return /^[0-9a-f]{40,64}$/.test(head) ? `no branch, at commit ${head.slice(0, 10)}` : undefined;
  } catch {
    return undefined;
  }
}

/** Whether files are changed, and the last commits. The folder must be trusted. */
export async function repositoryFacts(folder: string, git: Omit<GitQuestion, 'args' | 'folder'>): Promise<string> {
  const ask = (...args: string[]): Promise<string | undefined> =>
    readGit({ ...git, folder, args: [...NO_PROGRAMS, ...args], timeoutMs: TIMEOUT_MS });
  // Git runs filters, which the settings of a repository can name, to find out whether a file is changed.
  const isPlain = (await plainRepository(folder)) !== undefined;
  const [status, log] = await Promise.all([
    isPlain ? ask('status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all') : undefined,
    ask('log', `--max-count=${COMMITS}`, '--no-show-signature', '--no-notes', '--no-color', '--format=%h %s'),
  ]);
  const commits = (log ?? '').split('\n').filter((line) => line.trim() !== '');
  return [
    ...(status === undefined ? [] : [`; ${changesIn(status)}`]),
    ...(commits.length === 0 ? [] : ['; last commits:', ...commits.map((line) => `\n- ${oneLine(line, MAX_SUBJECT)}`)]),
  ].join('');
}

/** Settings of a repository that would run a program. */
const NO_PROGRAMS = ['-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false', '-c', 'core.hooksPath=/dev/null'];

function changesIn(status: string): string {
  const entries = status.split('\0').filter((entry) => entry !== '');
  const untracked = entries.filter((entry) => entry.startsWith('??')).length;
  const changed = entries.length - untracked;
  const counts = [...(changed > 0 ? [`${changed} changed`] : []), ...(untracked > 0 ? [`${untracked} untracked`] : [])];
  return counts.length === 0 ? 'nothing is uncommitted' : `uncommitted files: ${counts.join(', ')}`;
}
