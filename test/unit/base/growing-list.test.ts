import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { GrowingList } from '../../../extension/base/growing-list.ts';

describe('A growing list', () => {
  it('has the results of whatever it is given, and makes only those of items that are new at their place', () => {
    const lists = fc.array(fc.array(fc.nat(3), { maxLength: 8 }), { maxLength: 10 });
    fc.assert(
      fc.property(lists, (all) => {
        let made = 0;
        const sums = new GrowingList<number, number>((item, _before, sum = 0) => {
          made++;
          return sum + item;
        });
        let before: readonly number[] = [];
        for (const items of all) {
          made = 0;
          const same = items.findIndex((item, at) => item !== before[at]);
          let sum = 0;
          assert.deepEqual(
            [...sums.map(items)],
            items.map((item) => (sum += item)),
          );
          assert.equal(made, same < 0 ? 0 : items.length - same);
          before = items;
        }
      }),
    );
  });

  it('tells what comes before an item', () => {
    const pairs = new GrowingList<string, string>((item, before = '') => `${before}${item}`);
    pairs.map(['a', 'b']);
    assert.deepEqual(pairs.map(['a', 'b', 'c']), ['a', 'ab', 'bc']);
  });
});
