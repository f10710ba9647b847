import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { editDistanceWithin, nearestNames } from '../../../extension/text/nearest-names.ts';

describe('nearest names', () => {
  it('come in the order of how alike they are', () => {
    const known = ['write_file', 'read_file', 'glob', 'read_many_files'];
    assert.deepEqual(nearestNames('red_file', known, 2), ['read_file', 'write_file']);
    assert.deepEqual(nearestNames('x', [], 2), []);
    assert.deepEqual(nearestNames('red_file', known, 2, 1), ['read_file'], 'the other is further away');
  });

  const distances: readonly [from: string, to: string, distance: number][] = [
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['glob', 'glob', 0],
    ['ab', 'ba', 2],
  ];
  for (const [from, to, distance] of distances) {
    it(`are ${distance} apart: "${from}" and "${to}"`, () => {
      assert.equal(editDistanceWithin(from, to, distance), distance);
      assert.equal(editDistanceWithin(from, to, Number.POSITIVE_INFINITY), distance);
      assert.equal(editDistanceWithin(from, to, distance - 1), undefined);
    });
  }
});
