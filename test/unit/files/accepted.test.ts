import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AcceptedFiles } from '../../../extension/files/accepted.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

describe('accepted files', () => {
  let folder: TempWorkspace;
  let path: string;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    path = join(folder.path, 'data', 'accepted.json');
  });
  afterEach(() => folder.dispose());

  it('are those the user said yes to, as long as they do not change', async () => {
    const accepted = new AcceptedFiles(path, 'policy file');
    assert.equal((await accepted.read()).isAccepted('/w/a.toml', 'one'), false);
    await Promise.all([accepted.accept('/w/a.toml', 'one'), accepted.accept('/w/b.toml', 'two')]);
    const { isAccepted, problems } = await new AcceptedFiles(path, 'policy file').read();
    assert.deepEqual(problems, []);
    assert.equal(isAccepted('/w/a.toml', 'one'), true);
    assert.equal(isAccepted('/w/b.toml', 'two'), true);
    assert.equal(isAccepted('/w/a.toml', 'one '), false);
    assert.equal(isAccepted('/w/c.toml', 'one'), false);
  });

  it('are none when the list is damaged, which is said and can be mended', async () => {
    await folder.write({ 'data/accepted.json': '{"version":1,"files":{"/w/a.toml":5}}' });
    const accepted = new AcceptedFiles(path, 'policy file');
    const { isAccepted, problems } = await accepted.read();
    assert.equal(isAccepted('/w/a.toml', 'one'), false);
    assert.deepEqual(
      problems.map(({ kind, file }) => [kind, file]),
      [['file_read', path]],
    );
    await accepted.accept('/w/a.toml', 'one');
    assert.deepEqual((await accepted.read()).problems, []);
  });

  it('are written at once and for the user alone', async () => {
    await new AcceptedFiles(path, 'policy file').accept('/w/a.toml', 'one');
    assert.deepEqual(await readdir(join(folder.path, 'data')), ['accepted.json']);
    if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.doesNotMatch(await readFile(path, 'utf8'), /one/);
  });
});
