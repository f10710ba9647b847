import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { stampOf } from '../../../extension/files/file-stamp.ts';

describe('The stamp of a file', () => {
  const LATER = Date.now() + 60_000;

  for (const field of ['mtimeNs', 'ctimeNs', 'size', 'ino', 'dev'] as const) {
    it(`is another when ${field} is, so that a file cannot change under the same stamp`, async () => {
      const stats = await stat('.', { bigint: true });
      const other = Object.assign(Object.create(stats), { [field]: stats[field] + 1n });
      assert.equal(stampOf(stats, LATER), stampOf(stats, LATER));
      assert.notEqual(stampOf(stats, LATER), stampOf(other, LATER));
    });
  }

  it('is never the same for a file that was written just now, and empty where there is none', async () => {
    const stats = await stat('.', { bigint: true });
    const now = Number(stats.ctimeNs / 1_000_000n);
    assert.notEqual(stampOf(stats, now), stampOf(stats, now));
    assert.equal(stampOf(undefined), '');
  });
});
