import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { makeFolder } from '../../../extension/files/durable-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';

describe('A folder of our own', () => {
  it('is made with those above it, for the user alone', async () => {
    const home = await tempFolder('folders');
    const path = join(home.path, 'a', 'b');
    makeFolder(path);
    makeFolder(path);
    assert.equal((await stat(path)).mode & 0o777, 0o700);
    await home.dispose();
  });

  // Node's own way to make several folders at once never returns here.
  if (existsSync('/proc/self')) {
    it('is given up where nothing can be made', () => {
      assert.throws(() => makeFolder('/proc/nothing/here'));
    });
  }
});
