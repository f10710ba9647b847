import { execFileSync } from 'node:child_process';
import { createTempWorkspace, type TempWorkspace, type WorkspaceFiles } from './temp-workspace.ts';

export interface TempRepository extends TempWorkspace {
  git(...args: readonly string[]): string;
}

/** A real Git repository with these files, and one commit per subject. The last commit contains all files. */
export async function createTempRepository(
  files: WorkspaceFiles,
  subjects: readonly string[] = ['Begin'],
): Promise<TempRepository> {
  const workspace = await createTempWorkspace(files);
  const repository: TempRepository = {
    ...workspace,
    git: (...args) =>
      execFileSync('git', [...IDENTITY, ...args], { cwd: workspace.path, encoding: 'utf8', env: ENVIRONMENT }),
  };
  repository.git('init', '--quiet', '--initial-branch=main');
  repository.git('add', '--all');
  for (const subject of subjects) repository.git('commit', '--quiet', '--allow-empty', '--message', subject);
  return repository;
}

const IDENTITY = ['-c', 'user.name=A tester', '-c', 'user.email=tester@example.invalid', '-c', 'commit.gpgsign=false'];
/** Developers may have their own hooks and templates. */
const ENVIRONMENT = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
