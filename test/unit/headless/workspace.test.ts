import assert from 'node:assert/strict';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { workspacePath } from '../../../extension/headless/headless-host.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('workspacePath', () => {
  it('is the same for every way to a folder', async () => {
    const folder = await tempFolder('workspace');
    try {
      const real = join(await realpath(folder.path), 'real');
      await mkdir(real);
      await symlink(real, join(folder.path, 'link'), 'junction');
      assert.equal(workspacePath(real, undefined), real);
      assert.equal(workspacePath(folder.path, 'link'), real);
      assert.equal(workspacePath(folder.path, 'real/'), real);
    } finally {
      await folder.dispose();
    }
  });

  it('names a folder that is not there as it was given', () => {
    assert.equal(workspacePath('/', 'not-there'), join('/', 'not-there'));
  });
});
