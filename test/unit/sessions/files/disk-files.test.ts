import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FileFailure } from '../../../../extension/files/file-failure.ts';
import { DiskFiles } from '../../../../extension/sessions/files/disk-files.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';

const NEW = Buffer.from('new content');

describe('disk files', () => {
  let workspace: TempWorkspace;
  let outside: TempWorkspace;
  let files: DiskFiles;

  beforeEach(async () => {
    workspace = await createTempWorkspace({ 'a.txt': 'a', 'folder/b.txt': 'b' });
    outside = await createTempWorkspace({ 'secret.txt': 'secret' });
    files = new DiskFiles({ roots: () => [workspace.path] });
  });
  afterEach(async () => {
    await workspace.dispose();
    await outside.dispose();
  });

  const at = (name: string): string => join(workspace.path, name);
  const textAt = (path: string): Promise<string> => readFile(path, 'utf8');
  const refusal = (kind: string) => (error: unknown) => error instanceof FileFailure && error.kind === kind;

  it('are read as bytes; one that is not there is undefined', async () => {
    assert.deepEqual(await files.read(at('a.txt')), Buffer.from('a'));
    assert.equal(await files.read(at('none.txt')), undefined);
    assert.equal(await files.read(at('none/none.txt')), undefined);
    assert.equal(await files.read(at('a.txt/none.txt')), undefined);
  });

  it('are replaced, made with their folders, and removed', async () => {
    await files.write(at('a.txt'), NEW);
    await files.write(at('deep/er/c.txt'), NEW);
    await files.write(at('folder/b.txt'), undefined);
    assert.equal(await textAt(at('a.txt')), 'new content');
    assert.equal(await textAt(at('deep/er/c.txt')), 'new content');
    assert.deepEqual((await readdir(workspace.path)).sort(), ['a.txt', 'deep', 'folder']);
    assert.deepEqual(await readdir(at('folder')), []);
  });

  it('may be gone already when they are removed', async () => {
    await files.write(at('none.txt'), undefined);
    await files.write(at('none/none.txt'), undefined);
    assert.equal((await readdir(workspace.path)).includes('none'), false);
  });

  itOnUnix('keep their mode, and new ones get the usual one', async () => {
    await chmod(at('a.txt'), 0o751);
    await files.write(at('a.txt'), NEW);
    await files.write(at('c.txt'), NEW);
    assert.equal((await stat(at('a.txt'))).mode & 0o7777, 0o751);
    assert.equal((await stat(at('c.txt'))).mode & 0o7777, 0o666 & ~process.umask());
  });

  it('are replaced as a whole: who has the old file open reads it to its end', async () => {
    const before = await stat(at('a.txt'));
    await files.write(at('a.txt'), NEW);
    assert.notEqual((await stat(at('a.txt'))).ino, before.ino);
  });

  it('are not read, written or removed by way of a link, which may lead to what nobody checked', async () => {
    await symlink('a.txt', at('link.txt'));
    await symlink('folder/made.txt', at('dangling.txt'));
    await symlink('folder', at('linked'));
    for (const path of [at('link.txt'), at('dangling.txt'), at('linked/b.txt'), at('linked/c.txt')]) {
      await assert.rejects(files.read(path), refusal('link'));
      await assert.rejects(files.write(path, NEW), refusal('link'));
      await assert.rejects(files.write(path, undefined), refusal('link'));
    }
    assert.equal(await textAt(at('a.txt')), 'a');
    assert.deepEqual(await readdir(at('folder')), ['b.txt']);
    assert.ok((await lstat(at('dangling.txt'))).isSymbolicLink());
  });

  it('are out of reach outside the open folders, also by way of a link', async () => {
    await symlink(join(outside.path, 'secret.txt'), at('link.txt'));
    await symlink(outside.path, at('linked'));
    for (const path of [join(outside.path, 'secret.txt'), at('link.txt'), at('linked/secret.txt'), at('linked/new')]) {
      await assert.rejects(files.read(path), refusal('outside_workspace'));
      await assert.rejects(files.write(path, NEW), refusal('outside_workspace'));
      await assert.rejects(files.write(path, undefined), refusal('outside_workspace'));
    }
    assert.deepEqual(await readdir(outside.path), ['secret.txt']);
    assert.equal(await textAt(join(outside.path, 'secret.txt')), 'secret');
  });

  it('are found in a workspace that was opened by way of a link', async () => {
    await symlink(workspace.path, join(outside.path, 'opened'));
    const opened = new DiskFiles({ roots: () => [join(outside.path, 'opened')] });
    await opened.write(at('a.txt'), NEW);
    await opened.write(at('folder/b.txt'), undefined);
    assert.equal(await textAt(at('a.txt')), 'new content');
    assert.deepEqual(await readdir(at('folder')), []);
  });

  it('are not folders', async () => {
    await assert.rejects(files.read(at('folder')), refusal('folder'));
    await assert.rejects(files.write(at('folder'), NEW), refusal('folder'));
    await assert.rejects(files.write(at('folder'), undefined), refusal('folder'));
    assert.deepEqual(await readdir(at('folder')), ['b.txt']);
  });

  itOnUnix('are not sockets', async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(at('socket'), listening));
    try {
      await assert.rejects(files.read(at('socket')), refusal('not_regular'));
      await assert.rejects(files.write(at('socket'), NEW), refusal('not_regular'));
      await assert.rejects(files.write(at('socket'), undefined), refusal('not_regular'));
    } finally {
      await new Promise((closed) => server.close(closed));
    }
  });

  it('cannot be made below a file', async () => {
    await assert.rejects(files.write(at('a.txt/c.txt'), NEW));
    assert.equal(await textAt(at('a.txt')), 'a');
  });

  itForUsers('stay as they are when they are read-only', async () => {
    await chmod(at('a.txt'), 0o444);
    await assert.rejects(files.write(at('a.txt'), NEW), { code: 'EACCES' });
    await assert.rejects(files.write(at('a.txt'), undefined), { code: 'EACCES' });
    assert.equal(await textAt(at('a.txt')), 'a');
  });

  itForUsers('leave nothing behind in a folder that cannot be written', async () => {
    await mkdir(at('closed'));
    await chmod(at('closed'), 0o555);
    await assert.rejects(files.write(at('closed/c.txt'), NEW), { code: 'EACCES' });
    assert.deepEqual(await readdir(at('closed')), []);
    await chmod(at('closed'), 0o755);
  });
});

function itOnUnix(title: string, test: () => Promise<void>): void {
  if (process.platform !== 'win32') it(title, test);
}

/** Root may write everything, so there is nothing to see for it. */
function itForUsers(title: string, test: () => Promise<void>): void {
  if (process.getuid?.() !== 0) itOnUnix(title, test);
}
