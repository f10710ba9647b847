import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FirstSeen, SETTLE_MS } from '../../../../extension/vscode/review/first-seen.ts';

describe('What has just come', () => {
  it('settles after a moment, however often it is listed meanwhile', () => {
    let now = 1000;
    const seen = new FirstSeen(() => now);
    seen.note(['a']);
    assert.equal(seen.isSettling('a'), true);
    now += SETTLE_MS - 1;
    seen.note(['a', 'b']);
    assert.equal(seen.isSettling('a'), true);
    now += 1;
    assert.deepEqual([seen.isSettling('a'), seen.isSettling('b')], [false, true]);
  });

  it('begins anew when it was gone, and is not settled before anybody knows of it', () => {
    let now = 1000;
    const seen = new FirstSeen(() => now);
    seen.note(['a']);
    now += SETTLE_MS;
    seen.note([]);
    assert.equal(seen.isSettling('a'), true);
    seen.note(['a']);
    assert.equal(seen.isSettling('a'), true);
  });

  it('is settled at once when it is what was left of something else', () => {
    const seen = new FirstSeen(() => 1000);
    seen.note(['a']);
    seen.settle('a');
    assert.equal(seen.isSettling('a'), false);
  });
});
