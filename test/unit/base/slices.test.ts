import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inSlices } from '../../../extension/base/slices.ts';

const list = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

describe('Long work', () => {
  it('goes through a list in longer and longer beginnings, and leaves the whole to the caller', async () => {
    const lengths: number[] = [];
    await inSlices(list(1000), 0, ({ length }) => lengths.push(length));
    assert.deepEqual(lengths, [250, 500, 750]);
  });

  it('is not cut where little is new', async () => {
    await inSlices(list(1000), 800, () => assert.fail('it is short'));
    await inSlices(list(10), 800, () => assert.fail('nothing is new'));
  });

  it('lets the rest of the process continue meanwhile', async () => {
    let ticks = 0;
    const ticking = setInterval(() => ticks++, 0);
    const busy = (): void => {
      const end = performance.now() + 12;
      while (performance.now() < end);
    };
    await inSlices(list(2000), 0, busy);
    clearInterval(ticking);
    assert.ok(ticks >= 3, `${ticks}`);
  });
});
