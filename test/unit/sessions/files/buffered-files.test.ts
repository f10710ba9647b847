import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FileFailure } from '../../../../extension/files/file-failure.ts';
import { unstoredFiles } from '../../../../extension/runtime/changes/changed-files.ts';
import { BufferedFiles } from '../../../../extension/sessions/files/buffered-files.ts';
import { DiskFiles } from '../../../../extension/sessions/files/disk-files.ts';
import { createEditWorkspace, type EditWorkspace } from '../../../support/edit-workspace.ts';
import { LATIN1 } from '../../../support/open-documents.ts';

const bytes = (text: string): Buffer => Buffer.from(text);

describe('Files that may be open in the editor', () => {
  let workspace: EditWorkspace;
  let files: BufferedFiles;
  let path: string;

  beforeEach(async () => {
    workspace = await createEditWorkspace({ 'a.txt': 'disk\n' });
    files = new BufferedFiles(new DiskFiles({ roots: () => [workspace.path] }), workspace.documents);
    path = workspace.at('a.txt');
  });
  afterEach(() => workspace.dispose());

  const failsWith =
    (kind: string) =>
    (error: unknown): boolean =>
      error instanceof FileFailure && error.kind === kind;

  it('are what the user sees', async () => {
    const document = await workspace.documents.open(path);
    assert.deepEqual(await files.read(path), bytes('disk\n'));
    document.type('typed\n');
    assert.deepEqual(await files.read(path), bytes('typed\n'));
    assert.equal(await files.hasText(path, await files.read(path), 'typed\n'), true);
    assert.equal(await files.hasText(path, await files.read(path), 'disk\n'), false);
  });

  it('are written on disk when nobody has them open', async () => {
    assert.equal(await files.write(path, bytes('new\n'), { expected: 'disk\n', text: 'new\n' }), 'disk');
    assert.equal(await workspace.text('a.txt'), 'new\n');
    assert.equal(await files.hasText(path, undefined, null), true);
    assert.equal(await files.hasText(path, bytes(''), null), false);
  });

  it('are not written over what the user typed', async () => {
    const document = await workspace.documents.open(path);
    document.type('typed\n');
    const change = { expected: 'disk\n', text: 'new\n' };
    await assert.rejects(files.write(path, bytes('new\n'), change), failsWith('changed_meanwhile'));
    assert.equal(document.text, 'typed\n');
  });

  it('are put back through the editor when it has unsaved text', async () => {
    const document = await workspace.documents.open(path);
    document.type('typed\n');
    assert.equal(await files.write(path, bytes('back\n')), 'editor');
    assert.equal(document.text, 'back\n');
    assert.equal(await workspace.text('a.txt'), 'back\n');
  });

  it('are left alone when their bytes cannot be made a text of the editor', async () => {
    await workspace.write({ 'a.txt': Buffer.from('caf\xe9', 'latin1') });
    const document = await workspace.documents.open(path, LATIN1);
    document.type('typed');
    await assert.rejects(files.write(path, Buffer.from('th\xe9', 'latin1')), failsWith('unsaved'));
    assert.equal(document.text, 'typed');
  });

  it('are checked before they are written in a session that is not kept, too', async () => {
    const changed = unstoredFiles({ roots: () => [workspace.path] }, workspace.documents);
    const change = { expected: 'other\n', text: 'new\n' };
    await assert.rejects(
      changed.write(path, bytes('new\n'), { callId: 'call' }, change),
      failsWith('changed_meanwhile'),
    );
    await changed.write(path, bytes('new\n'), { callId: 'call' }, { ...change, expected: 'disk\n' });
    assert.equal(await workspace.text('a.txt'), 'new\n');
  });
});
