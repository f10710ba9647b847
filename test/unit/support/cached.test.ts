import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from '../../support/cache/cached.ts';
import { cacheDir } from '../../support/repo.ts';

describe('A cached folder', () => {
  const name = `unit-test-${process.pid}`;

  afterEach(() => rm(join(cacheDir, name), { recursive: true, force: true }));

  it('is filled once, also when two want it at the same time', async () => {
    let fills = 0;
    const fill = async (folder: string): Promise<void> => {
      fills += 1;
      await writeFile(join(folder, 'content'), 'x');
    };
    await Promise.all([cachedFolder(name, 'Thing', fill), cachedFolder(name, 'Thing', fill)]);
    assert.equal(fills, 1);
  });

  it('is filled anew when the first time was interrupted', async () => {
    await assert.rejects(
      cachedFolder(name, 'Thing', () => Promise.reject(new Error('interrupted'))),
      /interrupted/,
    );
    let filled = false;
    await cachedFolder(name, 'Thing', async () => {
      filled = true;
    });
    assert.equal(filled, true);
  });
});
