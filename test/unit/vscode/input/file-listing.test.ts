import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FileListing, type FileListingParts } from '../../../../extension/vscode/input/mentions/file-listing.ts';
import { deferred } from '../../../support/deferred.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const parts = (more: Partial<FileListingParts>): FileListingParts => ({
  list: never,
  grown: () => undefined,
  failed: (error) => assert.fail(String(error)),
  pause: never,
  ...more,
});

describe('The list of files for mentions', () => {
  it('has what was found in a moment, before a large workspace is listed for the first time', async () => {
    const [end, moment] = [deferred<void>(), deferred<void>()];
    const pauses = [never(), moment.promise];
    let endings = 0;
    const listing = new FileListing(
      parts({
        list: async (onPath) => {
          onPath('src/early.ts');
          await end.promise;
          onPath('src/late.ts');
        },
        grown: () => {
          endings++;
        },
        pause: () => pauses.shift() ?? never(),
      }),
    );
    const found = async (enough?: number): Promise<readonly string[]> =>
      (await listing.files(false, enough)).search('.ts', 8).map(({ path }) => path);

    assert.deepEqual(await found(0), [], 'nothing is awaited if nothing is needed');
    assert.deepEqual(await found(1), ['src/early.ts'], 'only as many as needed are awaited');
    const afterMoment = found(2);
    moment.resolve();
    assert.deepEqual(await afterMoment, ['src/early.ts']);
    assert.equal(endings, 0);
    end.resolve();
    assert.deepEqual((await found()).toSorted(), ['src/early.ts', 'src/late.ts']);
    assert.equal(endings, 1);
    listing.dispose();
  });

  it('is there at once for the first @ if it was prepared', async () => {
    let listings = 0;
    const ended = deferred<void>();
    const listing = new FileListing(
      parts({
        list: async (onPath) => {
          listings++;
          onPath('a.ts');
        },
        grown: () => ended.resolve(),
      }),
    );
    listing.prepare();
    listing.prepare();
    await ended.promise;
    assert.equal((await listing.files(false)).fileCount, 1);
    listing.stale();
    listing.prepare();
    assert.equal(listings, 1, 'files are listed again only for a list that is shown');
    listing.dispose();
  });

  it('takes in many files a few at once, so that keys are answered meanwhile', async () => {
    const listing = new FileListing(
      parts({
        list: async (onPath) => {
          for (let at = 0; at < 20_000; at++) onPath(`src/${at}.ts`);
        },
      }),
    );
    const counts: number[] = [];
    const all = listing.files(false);
    while ((counts.at(-1) ?? 0) < 20_000) {
      await new Promise(setImmediate);
      counts.push((await listing.files(false, 0)).fileCount);
    }
    assert.ok(counts.length >= 10, `${counts.length} turns`);
    assert.equal((await all).fileCount, 20_000);
    listing.dispose();
  });

  it('begins anew with other folders, and reports a listing that fails', async () => {
    let isThere = true;
    const problems: unknown[] = [];
    const listing = new FileListing(
      parts({
        list: async (onPath) => {
          if (!isThere) throw new Error('There is no search program.');
          onPath('a.ts');
        },
        failed: (error) => problems.push(error),
      }),
    );
    assert.equal((await listing.files(false)).fileCount, 1);
    isThere = false;
    listing.startOver();
    assert.equal((await listing.files(false)).fileCount, 0);
    assert.deepEqual(problems.map(String), ['Error: There is no search program.']);
    listing.dispose();
  });
});
