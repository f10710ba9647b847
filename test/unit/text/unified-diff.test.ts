import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { unifiedDiff } from '../../../extension/text/unified-diff.ts';

describe('A diff', () => {
  it('is empty when nothing changed', () => {
    assert.equal(unifiedDiff('a\nb\n', 'a\nb\n'), '');
  });

  it('of a new file adds every line', () => {
    assert.equal(unifiedDiff('', 'a\nb\n'), '@@ -0,0 +1,2 @@\n+a\n+b');
  });

  it('shows three lines around a change', () => {
    const lines = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    const diff = unifiedDiff(lines.join('\n'), lines.with(4, 'five').join('\n'));
    assert.equal(diff, '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8');
  });

  it('has all lines of both texts that differ, in order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = unifiedDiff(before.join('\n'), after.join('\n')).split('\n');
        const side = (sign: string): string => lines.filter((line) => line[0] === ' ' || line[0] === sign).join();
        const isPart = (part: string, whole: readonly string[]): boolean => {
          const left = part
            .split(',')
            .filter(Boolean)
            .map((line) => line.slice(1));
          for (const line of whole) if (line === left[0]) left.shift();
          return left.length === 0;
        };
        assert.ok(isPart(side('-'), before) && isPart(side('+'), after));
      }),
    );
  });
});
