import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FileListing } from '../../../../extension/vscode/input/mentions/file-listing.ts';
import { deferred } from '../../../support/deferred.ts';

describe('The list of files for mentions', () => {
  it('has what was found in a moment, before a large workspace is listed for the first time', async () => {
    const end = deferred<void>();
    const moments = [Promise.resolve()];
    let endings = 0;
    const listing = new FileListing({
      list: async (onPath) => {
        onPath('src/early.ts');
        await end.promise;
        onPath('src/late.ts');
      },
      ended: () => {
        endings++;
      },
      pause: () => moments.shift() ?? new Promise(() => undefined),
    });
    const found = async (): Promise<readonly string[]> =>
      (await listing.files(false)).search('.ts', 8).map(({ path }) => path);

    assert.deepEqual(await found(), ['src/early.ts']);
    end.resolve();
    assert.deepEqual((await found()).toSorted(), ['src/early.ts', 'src/late.ts']);
    assert.equal(endings, 1);
    listing.dispose();
  });

  it('begins anew with other folders, and reports a listing that fails', async () => {
    const results = [Promise.resolve(), Promise.reject(new Error('There is no search program.'))];
    const problems: unknown[] = [];
    const listing = new FileListing({
      list: async (onPath) => {
        await results.shift();
        onPath('a.ts');
      },
      ended: (error) => problems.push(error),
    });
    assert.equal((await listing.files(false)).fileCount, 1);
    listing.startOver();
    assert.equal((await listing.files(false)).fileCount, 0);
    assert.match(String(problems), /^,Error: There is no search program\.$/);
    listing.dispose();
  });
});
