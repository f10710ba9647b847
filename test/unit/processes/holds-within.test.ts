import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { holdsWithin } from '../../../extension/processes/holds-within.ts';

describe('What may take some time', () => {
  it('is looked for until then, and not longer', async () => {
    let looks = 0;
    assert.equal(
      await holdsWithin(20, 5, () => {
        looks++;
        return false;
      }),
      false,
    );
    assert.equal(looks, 5);
    assert.equal(await holdsWithin(0, 5, () => Promise.resolve(true)), true);
  });

  it('has its time also after a pause of the whole machine', async () => {
    let isDone = false;
    let looks = 0;
    const within = holdsWithin(100, 10, () => {
      if (looks++ === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      else if (looks === 4) isDone = true;
      return isDone;
    });
    assert.equal(await within, true);
  });
});
