import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RequestRate } from '../../../extension/base/request-rate.ts';

describe('A rate of requests', () => {
  it('allows as many at once, and as many again when the window is over', () => {
    let now = 0;
    const rate = new RequestRate(50, 1000, () => now);
    const taken = (): number => Array.from({ length: 200 }, () => rate.take()).filter((ms) => ms === undefined).length;
    const counts = [taken(), taken()];
    for (const ms of [999, 1, 500, 60_000]) {
      now += ms;
      counts.push(taken());
    }
    assert.deepEqual(counts, [50, 0, 0, 50, 0, 50]);
  });

  it('says how long to wait, and does not count what it refused', () => {
    let now = 0;
    const rate = new RequestRate(2, 1000, () => now);
    const waits = [0, 300, 0, 600, 100, 0].map((ms) => {
      now += ms;
      return rate.take();
    });
    assert.deepEqual(waits, [undefined, undefined, 700, 100, undefined, 300]);
  });
});
