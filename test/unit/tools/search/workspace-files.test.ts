import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { listWorkspaceFiles } from '../../../../extension/tools/search/workspace-files.ts';
import { RIPGREP_HOME } from '../../../support/search-tool.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

const FILES = {
  'src/app.ts': '',
  'src/.hidden.ts': '',
  'src/secret/plan.md': '',
  'dist/app.js': '',
  'build/out.js': '',
  'node_modules/pkg/index.js': '',
  '.gitignore': 'dist/\n',
  '.geminiignore': 'secret/\n',
};

describe('The list of files to mention', () => {
  let workspace: TempWorkspace | undefined;
  afterEach(() => workspace?.dispose());

  async function listed(excluded: readonly string[], signal = new AbortController().signal): Promise<string[]> {
    workspace = await createTempWorkspace(FILES);
    const paths: string[] = [];
    const onPath = (path: string): void => void paths.push(path);
    await listWorkspaceFiles(RIPGREP_HOME, { folder: workspace.path, excluded, signal, onPath });
    return paths.sort();
  }

  const VISIBLE = ['.geminiignore', '.gitignore', 'build/out.js', 'src/.hidden.ts', 'src/app.ts'];

  it('has hidden files, and nothing that .gitignore or .geminiignore hides, also outside of a repository', async () => {
    assert.deepEqual(await listed([]), VISIBLE);
  });

  const itWithPipes = process.platform === 'win32' ? it.skip : it;
  itWithPipes('waits for no rules from a named pipe', async () => {
    workspace = await createTempWorkspace({ 'a.txt': '' });
    for (const name of ['.gitignore', '.geminiignore']) execFileSync('mkfifo', [join(workspace.path, name)]);
    const paths: string[] = [];
    const { signal } = new AbortController();
    const onPath = (path: string): void => void paths.push(path);
    assert.ok(await listWorkspaceFiles(RIPGREP_HOME, { folder: workspace.path, excluded: [], signal, onPath }));
    assert.deepEqual(paths, ['a.txt']);
  });

  it('omits what the editor does not show', async () => {
    assert.deepEqual(
      await listed(['**/build', '**/.g*']),
      VISIBLE.filter((path) => path.startsWith('src/')),
    );
  });

  it('is there although a setting has a glob that means nothing', async () => {
    assert.deepEqual(await listed(['[']), VISIBLE);
  });

  it('ends with its signal', async () => {
    assert.deepEqual(await listed([], AbortSignal.abort()), []);
  });
});
