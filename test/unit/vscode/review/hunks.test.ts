import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  hunkAt,
  hunkBeside,
  hunkLineCounts,
  hunksBetween,
  LastComparison,
  rebased,
  withHunkAccepted,
  withHunkRejected,
} from '../../../../extension/vscode/review/hunks.ts';

const TEN = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

/** Texts that have lines in common, with and without a last line end. */
const text = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''));

describe('The places in which two texts differ', () => {
  it('are not looked for again in the same texts', () => {
    const comparison = new LastComparison();
    const first = comparison.hunksBetween(TEN, 'one\n');
    assert.equal(comparison.hunksBetween(TEN, 'one\n'), first);
    assert.deepEqual(comparison.hunksBetween('one\n', 'one\n'), []);
    assert.deepEqual(comparison.hunksBetween(TEN, 'one\n'), first);
  });

  it('are given by their lines, with what was there before', () => {
    const now = TEN.replace('two\n', 'two\n2\n').replace('nine\n', '');
    assert.deepEqual(hunksBetween(TEN, now), [
      { start: 2, end: 3, before: '', oldStart: 2, oldEnd: 2 },
      { start: 9, end: 9, before: 'nine\n', oldStart: 8, oldEnd: 9 },
    ]);
    assert.deepEqual(hunkLineCounts(hunksBetween(TEN, now)), { added: 1, removed: 1 });
  });

  for (const [what, before, now, count] of [
    ['equal texts', 'a\n', 'a\n', 0],
    ['other line ends', 'a\r\nb\r\n', 'a\nb\n', 0],
    ['a new text', '', 'a\nb\n', 1],
    ['a text that is gone', 'a\nb\n', '', 1],
    ['a last line end', 'a\nb', 'a\nb\n', 1],
  ] as const) {
    it(`${count === 0 ? 'are none for' : 'are one for'} ${what}`, () => {
      assert.equal(hunksBetween(before, now).length, count);
    });
  }

  it('are one for texts that differ in more lines than can be compared', () => {
    const lines = (prefix: string): string => Array.from({ length: 3000 }, (_, line) => `${prefix}${line}\n`).join('');
    assert.equal(hunksBetween(`head\n${lines('a')}tail\n`, `head\n${lines('b')}tail\n`).length, 1);
  });

  it('are gone when each is taken back, from either side', () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (before, now, verdicts) => {
        let [base, current] = [before, now];
        for (const accepts of verdicts) {
          const [hunk] = hunksBetween(base, current);
          if (!hunk) break;
          if (accepts) base = withHunkAccepted(base, current, hunk);
          else current = withHunkRejected(current, hunk);
        }
        assert.equal(base, current);
        if (verdicts.every(Boolean)) assert.equal(current, now);
        if (!verdicts.some(Boolean)) assert.equal(current, before);
      }),
    );
  });

  it('are found from the cursor', () => {
    const hunks = hunksBetween(TEN, TEN.replace('two', '2').replace('nine', '9'));
    assert.deepEqual(
      [0, 1, 2, 8, 9].map((line) => hunkAt(hunks, line)?.start),
      [1, 1, 8, 8, 8],
    );
    assert.deepEqual(
      [0, 1, 8].map((line) => hunkBeside(hunks, line, 'next')?.start),
      [1, 8, 1],
    );
    assert.deepEqual(
      [0, 2, 8].map((line) => hunkBeside(hunks, line, 'previous')?.start),
      [8, 1, 1],
    );
  });
});

describe('What a user made of a text', () => {
  it('is made of a newer one where both changed other lines', () => {
    const mine = TEN.replace('two', '2').replace('nine\n', '');
    const theirs = `zero\n${TEN.replace('five', '5')}`;
    assert.equal(rebased(TEN, mine, theirs), `zero\n${mine.replace('five', '5')}`);
  });

  it('is not made of one that changed the same or neighbouring lines', () => {
    assert.equal(rebased(TEN, TEN.replace('two', '2'), TEN.replace('two', 'zwei')), undefined);
    assert.equal(rebased(TEN, TEN.replace('two', '2'), TEN.replace('three', 'drei')), undefined);
  });

  it('is there already where both made the same of the same lines', () => {
    const mine = TEN.replace('two', '2').replace('nine', '9');
    assert.equal(rebased(TEN, mine, TEN.replace('two', '2')), mine);
  });

  it('loses nothing of either', () => {
    fc.assert(
      fc.property(text, text, (from, other) => {
        assert.equal(rebased(from, from, other), other);
        assert.equal(rebased(from, other, from), hunksBetween(from, other).length === 0 ? from : other);
      }),
    );
  });
});
