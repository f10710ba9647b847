import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { correctedTokens, correctionOf } from '../../../extension/context/token-correction.ts';

describe('The correction of token estimates', () => {
  it('is none without a count', () => {
    assert.equal(correctionOf([]), 1);
    assert.equal(correctedTokens(1234, []), 1234);
  });

  it('is what the server counted against what was estimated', () => {
    assert.equal(
      correctionOf([
        { estimated: 1000, counted: 1100 },
        { estimated: 3000, counted: 3300 },
      ]),
      1.1,
    );
  });

  it('takes the last count as it is and estimates only what is new', () => {
    assert.equal(correctedTokens(1500, [{ estimated: 1000, counted: 1200 }]), 1200 + 600);
    assert.equal(correctedTokens(500, [{ estimated: 1000, counted: 1200 }]), 600);
  });

  it('does not follow a count that cannot be of this request', () => {
    for (const counted of [0, 3, 100_000, Number.NaN, -5]) {
      assert.equal(correctionOf([{ estimated: 1000, counted }]), 1);
      assert.equal(correctedTokens(2000, [{ estimated: 1000, counted }]), 2000);
    }
    assert.equal(correctionOf([{ estimated: 0, counted: 5 }]), 1);
  });

  it('stays between half and double, whatever is counted', () => {
    const request = fc.record({ estimated: fc.nat(), counted: fc.nat() });
    fc.assert(
      fc.property(fc.array(request), (requests) => {
        const factor = correctionOf(requests);
        assert.ok(factor >= 0.5 && factor <= 2, `${factor}`);
      }),
    );
  });
});
