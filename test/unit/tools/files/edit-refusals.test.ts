import assert from 'node:assert/strict';
import { chmod, readdir, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createEditWorkspace, type EditWorkspace } from '../../../support/edit-workspace.ts';
import { encodeWithBom } from '../../../support/encoded-text.ts';
import { createTempWorkspace } from '../../../support/temp-workspace.ts';
import { editCalls, expectError, textOf, writeFileTool } from '../../../support/tool-results.ts';

const MEGABYTE = 1024 * 1024;

describe('The tools that edit files refuse', () => {
  let files: EditWorkspace;

  beforeEach(async () => {
    files = await createEditWorkspace();
  });
  afterEach(() => files.dispose());

  const { write, replace } = editCalls(() => files);

  it('placeholders for text that was omitted, unless they were there already', async () => {
    const placeholder = '// ... existing code ...';
    await files.write({ 'a.ts': `a();\n${placeholder}\nb();\n`, 'b.ts': 'a();\n' });
    expectError(await write('b.ts', `a();\n${placeholder}\n`), 'invalid_tool_params', /existing code/);
    expectError(await replace('b.ts', 'a();', `b();\n${placeholder}`), 'invalid_tool_params', /new_string/);
    textOf(await replace('a.ts', `a();\n${placeholder}`, `c();\n${placeholder}`));
    assert.equal(await files.text('b.ts'), 'a();\n');
  });

  it('binary files, files in an unknown encoding and huge ones', async () => {
    await files.write({
      'a.bin': Buffer.from([1, 0, 2]),
      'latin.txt': Buffer.from('caf\xe9 old', 'latin1'),
      'torn.txt': Buffer.concat([encodeWithBom('old', 'utf-16le'), Buffer.from([1])]),
      'huge.txt': 'old',
    });
    await truncate(files.at('huge.txt'), 21 * MEGABYTE);
    for (const edit of [(path: string) => write(path, 'new'), (path: string) => replace(path, 'old', 'new')]) {
      expectError(await edit('a.bin'), 'edit_preparation_failure', /binary/);
      expectError(await edit('latin.txt'), 'edit_preparation_failure', /right encoding/);
      expectError(await edit('torn.txt'), 'edit_preparation_failure', /right encoding/);
      expectError(await edit('huge.txt'), 'file_too_large', /20 MB/);
    }
    assert.deepEqual(files.log, []);
  });

  it('folders, and files in the place of folders', async () => {
    await files.write({ 'src/': '', 'a.ts': 'a' });
    expectError(await write('src', 'x'), 'target_is_directory');
    expectError(await write('a.ts/b.ts', 'x'), 'path_is_not_a_directory');
  });

  it('paths outside of the workspace, also through links', async () => {
    const outside = await createTempWorkspace({ 'a.txt': 'old' });
    try {
      await symlink(outside.path, files.at('out'));
      await symlink(join(outside.path, 'a.txt'), files.at('a.txt'));
      for (const path of [join(outside.path, 'a.txt'), 'out/a.txt', 'out/new.txt', 'a.txt', '../new.txt']) {
        expectError(await write(path, 'new'), 'path_not_in_workspace');
        expectError(await replace(path, 'old', 'new'), 'path_not_in_workspace');
      }
      assert.deepEqual(await readdir(outside.path), ['a.txt']);
    } finally {
      await outside.dispose();
    }
  });

  it('hidden and secret-looking files, existing or new, unless the user named them', async () => {
    await files.write({ '.gitignore': 'out/\n', 'out/a.txt': 'old', '.env': 'KEY=old', '.git/config': 'old' });
    for (const path of ['out/a.txt', 'out/new.txt', '.env']) {
      expectError(await write(path, 'new'), 'invalid_tool_params', /ask the user to name it/);
      textOf(await write(path, 'new', { isNamedByUser: (named) => named === path }));
    }
    expectError(await write('.git/config', 'new', { isNamedByUser: () => true }), 'invalid_tool_params', /off limits/);
  });

  it('a call that was stopped', async () => {
    await files.write({ 'a.txt': 'old' });
    expectError(await write('a.txt', 'new', { signal: AbortSignal.abort() }), 'cancelled');
    assert.equal(await files.text('a.txt'), 'old');
  });

  const causes: readonly [code: string, type: string][] = [
    ['EACCES', 'permission_denied'],
    ['EROFS', 'permission_denied'],
    ['ENOSPC', 'no_space_left'],
    ['EDQUOT', 'no_space_left'],
    ['EISDIR', 'target_is_directory'],
    ['EIO', 'file_write_failure'],
  ];
  for (const [code, type] of causes) {
    it(`to call a failed write (${code}) anything but ${type}`, async () => {
      const writeFile = (): Promise<void> => Promise.reject(Object.assign(new Error('it failed'), { code }));
      expectError(await write('a.txt', 'new', { writeFile }), type, /^a\.txt was not written: /);
    });
  }

  // Root may do everything.
  const itAsUser: typeof it | undefined = process.getuid?.() === 0 || process.platform === 'win32' ? undefined : it;
  itAsUser?.('read-only and unreadable files before anybody is asked', async () => {
    await files.write({ 'a.txt': 'old', 'b.txt': 'old' });
    await chmod(files.at('a.txt'), 0o444);
    await chmod(files.at('b.txt'), 0o000);
    for (const path of ['a.txt', 'b.txt']) {
      await assert.rejects(files.propose(writeFileTool, { file_path: path, content: 'new' }), /Permission denied/);
    }
  });
});
