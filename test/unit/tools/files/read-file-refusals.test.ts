import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { symlink, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ToolContext, ToolResult } from '../../../../extension/ports/tool.ts';
import { createReadFileTool } from '../../../../extension/tools/files/read-file.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { createToolContext, NO_OPEN_FILES } from '../../../support/tool-context.ts';

const MEGABYTE = 1024 * 1024;

const readFileTool = createReadFileTool();

describe('read_file refuses', () => {
  let workspace: TempWorkspace;
  let outside: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace();
    outside = await createTempWorkspace({ 'notes.txt': 'secret' });
  });
  afterEach(async () => {
    await workspace.dispose();
    await outside.dispose();
  });

  const contextWith = (changes: Partial<ToolContext> = {}, roots = [workspace.path]): ToolContext =>
    createToolContext(roots, changes);
  const read = (args: Record<string, unknown>, context = contextWith()): Promise<ToolResult> =>
    readFileTool.execute(readFileTool.schema.parse(args), context);
  const expectError = (result: ToolResult, type: string, message?: RegExp): void => {
    assert.equal(result.error?.type, type);
    if (message) assert.match(result.error?.message ?? '', message);
    assert.equal(result.content, '');
  };

  it('a file that does not exist', async () => {
    expectError(await read({ file_path: 'none.ts' }), 'file_not_found', /none\.ts/);
    await workspace.write({ 'a.ts': '' });
    expectError(await read({ file_path: 'a.ts/b.ts' }), 'file_not_found');
  });

  it('a folder', async () => {
    await workspace.write({ 'src/': '' });
    expectError(await read({ file_path: 'src' }), 'target_is_directory');
    expectError(await read({ file_path: '.' }), 'target_is_directory');
  });

  it('a file over 20 MB, without reading it; one of 20 MB is fine', async () => {
    await workspace.write({ 'big.txt': 'x', 'huge.txt': 'x' });
    await truncate(join(workspace.path, 'huge.txt'), 5000 * MEGABYTE);
    expectError(await read({ file_path: 'huge.txt' }), 'file_too_large', /20 MB/);
    await workspace.write({ 'big.txt': `${'x'.repeat(63)}\n`.repeat((20 * MEGABYTE) / 64) });
    assert.equal((await read({ file_path: 'big.txt' })).error, undefined);
  });

  it('paths outside the workspace', async () => {
    await symlink(join(outside.path, 'notes.txt'), join(workspace.path, 'link.txt'));
    await symlink('loop', join(workspace.path, 'loop'));
    const target = join(outside.path, 'notes.txt');
    for (const path of [target, pathToFileURL(target).href, `@${target}`, '../x', 'link.txt', 'loop']) {
      expectError(await read({ file_path: path }), 'path_not_in_workspace');
    }
    expectError(await read({ file_path: 'a' }, contextWith({}, [])), 'path_not_in_workspace');
    expectError(await read({ file_path: 'a\0' }), 'invalid_tool_params');
  });

  it('hidden files, also through a link or another spelling', async () => {
    await workspace.write({
      '.gitignore': '.env\n',
      '.geminiignore': 'private/\n',
      '.env': 'KEY=secret',
      'private/notes.txt': 'secret',
      '.git/config': 'secret',
    });
    await symlink('.env', join(workspace.path, 'innocent.txt'));
    await symlink('private', join(workspace.path, 'public'));
    for (const path of [
      '.env',
      './x/../.env',
      'innocent.txt',
      'private/notes.txt',
      'public/notes.txt',
      '.git/config',
    ]) {
      expectError(await read({ file_path: path }), 'invalid_tool_params');
    }
  });

  it('hidden and secret-looking files until the user names them', async () => {
    await workspace.write({ '.gitignore': 'out/\n', 'out/a.txt': 'out', id_rsa: 'key', '.git/config': 'git' });
    for (const path of ['out/a.txt', 'id_rsa']) {
      expectError(await read({ file_path: path }), 'invalid_tool_params', /ask the user to name it in a message: /);
      const named = contextWith({ isNamedByUser: (name) => name === path });
      assert.equal((await read({ file_path: path }, named)).error, undefined);
    }
    const allNamed = contextWith({ isNamedByUser: () => true });
    expectError(await read({ file_path: '.git/config' }, allNamed), 'invalid_tool_params', /off limits/);
  });

  it('everything outside but the folders that were opened for reading', async () => {
    await outside.write({ 'outputs/long.txt': 'long output', 'outputs/.env': 'KEY=secret' });
    const folder = join(outside.path, 'outputs');
    await symlink(join(outside.path, 'notes.txt'), join(folder, 'link.txt'));
    const context = contextWith({ readableFolders: [folder] });
    assert.equal((await read({ file_path: join(folder, 'long.txt') }, context)).content, 'long output');
    for (const name of ['../notes.txt', 'link.txt', '.env']) {
      expectError(await read({ file_path: `${folder}/${name}` }, context), 'path_not_in_workspace');
    }
    expectError(await read({ file_path: 'long.txt' }, context), 'file_not_found');
  });

  it('what is not a regular file, without waiting for it', async () => {
    execFileSync('mkfifo', [join(workspace.path, 'pipe')]);
    const server = createServer().listen(join(workspace.path, 'socket'));
    await once(server, 'listening');
    try {
      for (const name of ['pipe', 'socket']) {
        expectError(await read({ file_path: name }), 'read_content_failure', /not a regular file/);
      }
    } finally {
      server.close();
    }
  });

  it('a call that was stopped', async () => {
    await workspace.write({ 'a.ts': 'a' });
    const context = contextWith({ signal: AbortSignal.abort() });
    expectError(await read({ file_path: 'a.ts' }, context), 'cancelled');
  });

  describe('a file that changes between the check and the opening', () => {
    /** The editor is asked right between the two. */
    const meanwhile = (change: () => void): ToolContext =>
      contextWith({
        files: {
          ...NO_OPEN_FILES,
          unsavedText: () => {
            change();
            return undefined;
          },
        },
      });
    const firstTime = (change: () => void): (() => void) => {
      let isDone = false;
      return () => {
        if (!isDone) change();
        isDone = true;
      };
    };

    const cases: readonly [title: string, change: () => void, error: string][] = [
      ['deleted', () => rmSync(join(workspace.path, 'src/notes.txt')), 'file_not_found'],
      [
        'replaced by a link to a file elsewhere',
        () => {
          rmSync(join(workspace.path, 'src/notes.txt'));
          symlinkSync(join(outside.path, 'notes.txt'), join(workspace.path, 'src/notes.txt'));
        },
        'read_content_failure',
      ],
      [
        'its folder replaced by a link elsewhere',
        () => {
          renameSync(join(workspace.path, 'src'), join(workspace.path, 'moved'));
          symlinkSync(outside.path, join(workspace.path, 'src'));
        },
        'read_content_failure',
      ],
      [
        'replaced by a named pipe',
        () => {
          rmSync(join(workspace.path, 'src/notes.txt'));
          execFileSync('mkfifo', [join(workspace.path, 'src/notes.txt')]);
        },
        'read_content_failure',
      ],
    ];
    for (const [title, change, error] of cases) {
      it(title, async () => {
        await workspace.write({ 'src/notes.txt': 'harmless' });
        expectError(await read({ file_path: 'src/notes.txt' }, meanwhile(firstTime(change))), error);
      });
    }
  });
});
