import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createListDirectoryTool, matchesWildcard } from '../../../../extension/tools/search/list-directory.ts';
import { callTool, expectError, textOf } from '../../../support/search-tool.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext } from '../../../support/tool-context.ts';

const listTool = createListDirectoryTool();

describe('list_directory', () => {
  let workspace: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace();
  });
  afterEach(() => workspace.dispose());

  const list = (args: Record<string, unknown>, changes: Partial<ToolContext> = {}): Promise<ToolResult> =>
    callTool(listTool, args, createToolContext([workspace.path], changes));
  const entries = async (args: Record<string, unknown>): Promise<string[]> =>
    textOf(await list(args))
      .split('\n')
      .slice(1);

  it('shows folders first, then files with their sizes, and links as such', async () => {
    await workspace.write({ 'b.txt': '12345', 'a.txt': '1', 'z/x': '', 'c\nd': '', '.hidden': '' });
    await symlink('/etc/passwd', join(workspace.path, 'link'));
    await symlink('z', join(workspace.path, 'folder-link'));
    const result = await list({ dir_path: '.' });
    const lines = [
      '7 entries in .:',
      '[DIR] z',
      '.hidden (0 bytes)',
      'a.txt (1 byte)',
      'b.txt (5 bytes)',
      'c\\nd (0 bytes)',
      '[LINK] folder-link -> z',
      '[LINK] link -> /etc/passwd',
    ];
    assert.equal(textOf(result), lines.join('\n'));
    assert.deepEqual(result.display, {
      name: 'ReadFolder',
      description: '.',
      resultSummary: '7 entries',
      result: { type: 'text', text: lines.join('\n') },
    });
  });

  it('says that a folder is empty', async () => {
    await workspace.write({ 'empty/': '', 'all/a.log': '', '.gitignore': '*.log\n' });
    assert.equal(textOf(await list({ dir_path: 'empty' })), 'The folder empty is empty.');
    assert.equal(textOf(await list({ dir_path: 'all' })), 'The folder all is empty (1 ignored).');
  });

  it('omits what rules hide and what it is told to, and counts it', async () => {
    await workspace.write({
      '.gitignore': 'dist/\n*.log\n',
      '.geminiignore': 'private\n',
      '.git/HEAD': '',
      'a.map': '',
    });
    await workspace.write({ 'dist/x': '', 'private/x': '', 'a.log': '', 'a.ts': '' });
    const own = ['.geminiignore (8 bytes)', '.gitignore (12 bytes)'];
    assert.match(textOf(await list({ dir_path: '.', ignore: ['*.map'] })), /^3 entries in \. \(5 ignored\):\n/);
    assert.deepEqual(await entries({ dir_path: '.', ignore: ['*.m?p'] }), [...own, 'a.ts (0 bytes)']);
    assert.deepEqual(await entries({ dir_path: '.', file_filtering_options: { respect_git_ignore: false } }), [
      '[DIR] dist',
      ...own,
      'a.log (0 bytes)',
      'a.map (0 bytes)',
      'a.ts (0 bytes)',
    ]);
    assert.deepEqual(await entries({ dir_path: '.', file_filtering_options: { respect_gemini_ignore: false } }), [
      '[DIR] private',
      ...own,
      'a.map (0 bytes)',
      'a.ts (0 bytes)',
    ]);
  });

  it('shows two thousand entries and says that there are more', async () => {
    await workspace.write(Object.fromEntries(Array.from({ length: 2001 }, (_, n) => [`f/${n}`, ''])));
    const result = await list({ dir_path: 'f' });
    const lines = textOf(result).split('\n');
    assert.equal(lines[0], '2001 entries in f:');
    assert.equal(lines.length, 2002);
    assert.equal(lines.at(-1), '[Only the first 2000 are shown.]');
    assert.deepEqual(result.data, { entries: 2001, ignored: 0, limited: true });
  });

  const errors: readonly [dir_path: string, type: string, message: RegExp][] = [
    ['missing', 'file_not_found', /missing/],
    ['a.txt', 'path_is_not_a_directory', /a file, not a folder/],
    ['..', 'path_not_in_workspace', /outside/],
    ['/etc', 'path_not_in_workspace', /outside/],
    ['out', 'path_not_in_workspace', /outside/],
    ['.git', 'invalid_tool_params', /Git's own data/],
    ['dist', 'invalid_tool_params', /hidden by \.gitignore\. Set file_filtering_options\.respect_git_ignore/],
  ];
  for (const [dir_path, type, message] of errors) {
    it(`${dir_path}: ${type}`, async () => {
      await workspace.write({ 'a.txt': '', '.git/HEAD': '', 'dist/x': '', '.gitignore': 'dist\n' });
      await symlink('/etc', join(workspace.path, 'out'));
      expectError(await list({ dir_path }), type, message);
    });
  }

  it('lists a hidden folder that the user named, and folders that may be read besides', async () => {
    const saved = await createTempWorkspace({ 'output.txt': 'x' });
    try {
      await workspace.write({ 'dist/x': '', '.gitignore': 'dist\n' });
      const named = await list({ dir_path: 'dist' }, { isNamedByUser: (name) => name === 'dist' });
      assert.equal(textOf(named), '1 entry in dist:\nx (0 bytes)');
      const besides = await list({ dir_path: saved.path }, { readableFolders: [saved.path] });
      assert.equal(textOf(besides), `1 entry in ${saved.path}:\noutput.txt (1 byte)`);
    } finally {
      await saved.dispose();
    }
  });

  it('describes a call in one line, whatever the arguments', () => {
    const one = { roots: () => ['/work/app'], isTrusted: () => true };
    assert.equal(listTool.describe({ dir_path: '/work/app/src' }, one), 'src');
    assert.equal(listTool.describe({ dir_path: 4 }, one), '');
    assert.deepEqual(listTool.touches?.({ dir_path: 'src' }), [{ path: 'src', access: 'read' }]);
  });
});

describe('A wildcard', () => {
  const cases: readonly [pattern: string, name: string, matches: boolean][] = [
    ['*', '', true],
    ['*', 'anything', true],
    ['*.log', 'a.log', true],
    ['*.log', 'a.log.txt', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['?', 'x', true],
    ['?', '', false],
    ['?*', 'xy', true],
    ['a', 'a', true],
    ['a', 'ab', false],
    ['ab', 'a', false],
    ['[a]', 'a', false],
    ['[a]', '[a]', true],
    ['**a**', 'bab', true],
  ];
  for (const [pattern, name, matches] of cases) {
    it(`${pattern} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(name)}`, () => {
      assert.equal(matchesWildcard(pattern, name), matches);
    });
  }
});
