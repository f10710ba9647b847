import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RateLimit } from '../../../extension/a2a/rate-limit.ts';

describe('The limit of requests a second', () => {
  it('allows as many at once, and then as many as time has passed for', () => {
    let now = 0;
    const limit = new RateLimit(50, () => now);
    const taken = (): number => Array.from({ length: 200 }, () => limit.take()).filter(Boolean).length;
    const counts = [taken(), taken()];
    for (const ms of [100, 1000, 60_000]) {
      now += ms;
      counts.push(taken());
    }
    assert.deepEqual(counts, [50, 0, 5, 50, 50]);
  });
});
