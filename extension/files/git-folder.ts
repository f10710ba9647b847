import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { undefinedIfMissing } from './error-code.ts';
import { readSmallFile } from './regular-file.ts';

/** Where the data of a repository is. In a linked worktree or submodule `.git` is a file that names it (gitrepository-layout(5)). */
export async function findGitFolder(realRoot: string): Promise<string> {
  const dotGit = join(realRoot, '.git');
  const stats = await stat(dotGit).catch(undefinedIfMissing);
  if (!stats?.isFile()) return dotGit;
  const pointer = /^gitdir: (.+)$/m.exec((await readSmallFile(dotGit)) ?? '')?.[1];
  if (pointer === undefined) return dotGit;
  const gitFolder = resolve(realRoot, pointer.trim());
  const common = await readSmallFile(join(gitFolder, 'commondir'));
  return common === undefined ? gitFolder : resolve(gitFolder, common.trim());
}
