import assert from 'node:assert/strict';
import { rm, symlink, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createGlobTool, recentFirst } from '../../../../extension/tools/search/glob.ts';
import { callTool, expectError, RIPGREP_HOME, textOf } from '../../../support/search-tool.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const globTool = createGlobTool(RIPGREP_HOME);
const HOUR_MS = 3_600_000;

describe('glob', () => {
  let workspace: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace();
  });
  afterEach(() => workspace.dispose());

  const contextWith = (changes: Partial<ToolContext> = {}, roots = [workspace.path]): ToolContext =>
    createToolContext(roots, changes);
  const glob = (args: Record<string, unknown>, context = contextWith()): Promise<ToolResult> =>
    callTool(globTool, args, context);
  const found = async (args: Record<string, unknown>, context?: ToolContext): Promise<string[]> =>
    textOf(await glob(args, context))
      .split('\n')
      .slice(1)
      .filter((line) => !line.startsWith('['))
      .sort();

  const NAMES = [
    'a.ts',
    'B.TS',
    '.env.example',
    '.github/x.yml',
    'src/a.ts',
    'src/deep/b.ts',
    'src/c.js',
    'app/[id]/p.tsx',
  ];
  const cases: readonly [args: Record<string, unknown>, found: readonly string[]][] = [
    [{ pattern: '*.ts' }, ['B.TS', 'a.ts']],
    [{ pattern: '*.ts', case_sensitive: true }, ['a.ts']],
    [{ pattern: '**/*.ts', case_sensitive: true }, ['a.ts', 'src/a.ts', 'src/deep/b.ts']],
    [{ pattern: 'src/**' }, ['src/a.ts', 'src/c.js', 'src/deep/b.ts']],
    [{ pattern: './src/*.{ts,js}' }, ['src/a.ts', 'src/c.js']],
    [{ pattern: 'SRC/?.TS' }, ['src/a.ts']],
    [{ pattern: 'src/[!a]*' }, ['src/c.js']],
    [{ pattern: '*.ts', dir_path: 'src' }, ['src/a.ts']],
    [{ pattern: '**/*.yml' }, ['.github/x.yml']],
    [{ pattern: '.*' }, ['.env.example']],
    [{ pattern: 'app/[id]/p.tsx' }, ['app/[id]/p.tsx']],
    [{ pattern: 'app/[id]/*.tsx' }, []],
    [{ pattern: 'src' }, []],
    [{ pattern: '!a.ts' }, []],
  ];
  for (const [args, names] of cases) {
    it(`finds by ${JSON.stringify(args)}`, async () => {
      await workspace.write(Object.fromEntries(NAMES.map((name) => [name, ''])));
      assert.deepEqual(await found(args), [...names].sort());
    });
  }

  it('takes the full path of the folder before a pattern', async () => {
    await workspace.write({ 'real/src/a.ts': '' });
    await symlink('real', join(workspace.path, 'opened'));
    const opened = join(workspace.path, 'opened');
    const context = contextWith({}, [opened]);
    assert.deepEqual(await found({ pattern: `${opened}/src/*.ts` }, context), ['src/a.ts']);
    assert.deepEqual(await found({ pattern: `${workspace.path}/real/**` }, context), ['src/a.ts']);
  });

  for (const pattern of ['../*', 'src/../../*', '{a,..}/x', '/etc/*', '/src/*.ts', '..']) {
    it(`refuses ${pattern}`, async () => {
      await workspace.write({ 'src/a.ts': '' });
      expectError(await glob({ pattern }), 'path_not_in_workspace', /leads out/);
    });
  }

  const errors: readonly [args: Record<string, unknown>, type: string][] = [
    [{ pattern: '*', dir_path: '..' }, 'path_not_in_workspace'],
    [{ pattern: '*', dir_path: 'missing' }, 'search_path_not_found'],
    [{ pattern: '*', dir_path: 'a.ts' }, 'search_path_not_a_directory'],
    [{ pattern: '[a' }, 'glob_execution_error'],
    [{ pattern: '*', dir_path: 'out' }, 'invalid_tool_params'],
    [{ pattern: '*', dir_path: '.git' }, 'invalid_tool_params'],
  ];
  for (const [args, type] of errors) {
    it(`${JSON.stringify(args)}: ${type}`, async () => {
      await workspace.write({ 'a.ts': '', 'out/b.ts': '', '.gitignore': 'out\n', '.git/HEAD': '' });
      expectError(await glob(args), type);
    });
  }

  it('omits what rules hide and says how much, unless told otherwise', async () => {
    await workspace.write({ '.gitignore': 'dist\n*.gen\n', '.geminiignore': 'private\n' });
    await workspace.write({
      'a.js': '',
      'dist/b.js': '',
      'private/c.js': '',
      'node_modules/d.js': '',
      '.git/e.js': '',
    });
    const result = await glob({ pattern: '**/*.js' });
    assert.equal(textOf(result), 'Found 1 file for "**/*.js" in the workspace (2 more ignored):\na.js');
    assert.equal(result.display?.resultSummary, '1 file (2 more ignored)');
    const pattern = '**/*.js';
    assert.deepEqual(await found({ pattern, respect_git_ignore: false }), ['a.js', 'dist/b.js']);
    assert.deepEqual(await found({ pattern, respect_gemini_ignore: false }), ['a.js', 'private/c.js']);
    const none = { pattern, respect_git_ignore: false, respect_gemini_ignore: false };
    assert.deepEqual(await found(none), ['a.js', 'dist/b.js', 'private/c.js']);
    assert.deepEqual(await found({ pattern: '*.js', dir_path: 'dist', respect_git_ignore: false }), ['dist/b.js']);
  });

  it('puts what was changed today first', async () => {
    await workspace.write({ 'a.ts': '', 'b.ts': '', 'c.ts': '', 'd.ts': '' });
    const hoursAgo: Record<string, number> = { 'a.ts': 100, 'b.ts': 3, 'c.ts': 200, 'd.ts': 1 };
    for (const [name, hours] of Object.entries(hoursAgo)) {
      const time = new Date(Date.now() - hours * HOUR_MS);
      await utimes(join(workspace.path, name), time, time);
    }
    const text = textOf(await glob({ pattern: '*.ts' }));
    assert.deepEqual(text.split('\n').slice(1), ['d.ts', 'b.ts', 'a.ts', 'c.ts']);
  });

  it('orders files of the same time by name, and a day ago is not today', () => {
    const now = 10 * 24 * HOUR_MS;
    const at = (name: string, hoursAgo: number): { name: string; modifiedAt: number } => ({
      name,
      modifiedAt: now - hoursAgo * HOUR_MS,
    });
    assert.deepEqual(recentFirst([at('z', 24), at('y', 24), at('b', 5), at('a', 5), at('c', -1)], now), [
      'c',
      'a',
      'b',
      'y',
      'z',
    ]);
  });

  it('shows a thousand and says that there are more', async () => {
    await workspace.write(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`f/${n}.txt`, ''])));
    const result = await glob({ pattern: '**/*.txt' });
    const lines = textOf(result).split('\n');
    assert.match(lines[0] ?? '', /^Found 1001 files/);
    assert.equal(lines.length, 1002);
    assert.match(lines.at(-1) ?? '', /^\[Only the first 1000 are shown/);
    assert.deepEqual(result.data, { files: 1001, ignored: 0, limited: true });
  });

  it('says that there is nothing', async () => {
    const result = await glob({ pattern: '*.none' });
    assert.equal(textOf(result), 'No files match "*.none" in the workspace.');
    assert.equal(result.display?.resultSummary, 'No files');
  });

  it('follows no links', async () => {
    const outside = await createTempWorkspace({ 'x.ts': '' });
    try {
      await workspace.write({ 'a/b.ts': '' });
      await symlink(outside.path, join(workspace.path, 'out'));
      await symlink('..', join(workspace.path, 'a', 'loop'));
      await symlink(join(outside.path, 'x.ts'), join(workspace.path, 'x.ts'));
      assert.deepEqual(await found({ pattern: '**' }), ['a/b.ts']);
      assert.deepEqual(await found({ pattern: 'x.ts' }), []);
      expectError(await glob({ pattern: '*', dir_path: 'out' }), 'path_not_in_workspace');
    } finally {
      await outside.dispose();
    }
  });

  it('looks into all open folders and says in which a file is', async () => {
    const other = await createTempWorkspace({ 'b.ts': '' });
    const gone = await createTempWorkspace();
    await rm(gone.path, { recursive: true });
    try {
      await workspace.write({ 'a.ts': '', 'inner/c.ts': '' });
      const roots = [workspace.path, other.path, join(workspace.path, 'inner'), gone.path];
      const names = [`${basename(workspace.path)}/a.ts`, `${basename(other.path)}/b.ts`, 'inner/c.ts'];
      const result = await glob({ pattern: '**/*.ts' }, contextWith({}, roots));
      assert.deepEqual(textOf(result).split('\n').slice(1).sort(), names.sort());
      assert.deepEqual(result.data, { files: 3, ignored: 0, limited: false });
    } finally {
      await other.dispose();
    }
  });

  it('keeps a name on its line, whatever is in it', async () => {
    await workspace.write({ 'a\nb.ts': '', 'c d.ts': '', 'ü🙂.ts': '', '\u001b[2J.ts': '' });
    assert.deepEqual(await found({ pattern: '*.ts' }), ['\\u001b[2J.ts', 'a\\nb.ts', 'c d.ts', 'ü🙂.ts']);
  });

  it('describes a call in one line, whatever the arguments', () => {
    const one = { roots: () => ['/work/app'], isTrusted: () => true };
    assert.equal(globTool.describe({ pattern: '*.ts', dir_path: 'src' }, one), "'*.ts' in src");
    assert.equal(globTool.describe({ pattern: {} }, one), '');
    assert.deepEqual(globTool.touches?.({ pattern: '*', dir_path: 'src' }), [{ path: 'src', access: 'read' }]);
  });
});
