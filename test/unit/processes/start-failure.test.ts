import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { startFailure } from '../../../extension/processes/start-failure.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

describe('Why a program could not be started', () => {
  let folder: TempFolder;
  before(async () => {
    folder = await tempFolder('start-failure');
    await writeFile(join(folder.path, 'plain'), '');
  });
  after(() => folder.dispose());

  const failed = (code: string): Error => Object.assign(new Error(code), { code });
  const table: Readonly<Record<string, readonly [code: string, file: string, text: RegExp]>> = {
    'it is nowhere': ['ENOENT', 'nothing', /^There is no program nothing\.$/],
    'it is nowhere, and a folder of the PATH is closed': ['EACCES', 'nothing', /^There is no program nothing\.$/],
    'it is no program': ['EACCES', 'plain', /^plain cannot be run: permission denied\.$/],
    'its path is closed': ['EACCES', '/root/x', /^\/root\/x cannot be run: permission denied\.$/],
  };
  for (const [title, [code, file, text]] of Object.entries(table)) {
    it(`is told: ${title}`, () => {
      const environment = { PATH: `/closed:${folder.path}` };
      assert.match(startFailure(failed(code), { file, folder: folder.path, environment }), text);
    });
  }

  it('is told: its folder is gone', () => {
    assert.match(
      startFailure(failed('ENOENT'), { file: 'plain', folder: '/no/such' }),
      /^There is no folder \/no\/such\.$/,
    );
  });
});
