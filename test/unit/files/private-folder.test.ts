import assert from 'node:assert/strict';
import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { makePrivateFolder } from '../../../extension/files/private-folder.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

describe('A private folder', () => {
  let place: TempWorkspace;
  let folder: string;

  beforeEach(async () => {
    place = await createTempWorkspace({});
    folder = join(place.path, 'home', 'cache');
  });
  afterEach(() => place.dispose());

  it('is made for the user alone, and stays private', async () => {
    assert.ok(makePrivateFolder(folder));
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.ok(makePrivateFolder(folder));
  });

  const OTHERS: Record<string, () => Promise<unknown>> = {
    'one that others may write to': () => chmod(folder, 0o722),
    'one that others may list': () => chmod(folder, 0o755),
    'a link to one': async () => {
      const target = join(place.path, 'target');
      await mkdir(target, { mode: 0o700 });
      folder = join(place.path, 'link');
      await symlink(target, folder);
    },
    'a file': () => {
      folder = join(place.path, 'file');
      return writeFile(folder, '', { mode: 0o600 });
    },
    'a relative path': async () => {
      folder = 'cache';
    },
    "one that can't be made": async () => {
      folder = '/dev/null/cache';
    },
  };
  for (const [what, make] of Object.entries(OTHERS)) {
    it(`is not ${what}`, async () => {
      makePrivateFolder(folder);
      await make();
      assert.equal(makePrivateFolder(folder), false);
    });
  }
});
