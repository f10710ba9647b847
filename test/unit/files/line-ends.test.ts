import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { dominantLineEnd, withLf, withLineEndsOf, withSystemLineEnds } from '../../../extension/files/line-ends.ts';

describe('Line ends', () => {
  const dominant: readonly [text: string, end: string | undefined][] = [
    ['a\nb\nc\r\n', '\n'],
    ['a\r\nb\r\nc\n', '\r\n'],
    ['a\rb\rc\n', '\r'],
    ['a', undefined],
    ['', undefined],
  ];
  for (const [text, end] of dominant) {
    it(`of ${JSON.stringify(text)} are mostly ${JSON.stringify(end)}`, () => {
      assert.equal(dominantLineEnd(text), end);
    });
  }

  it('of a new file are those of the system', () => {
    assert.equal(withSystemLineEnds('a\nb\r\n', 'win32'), 'a\r\nb\r\n');
    assert.equal(withSystemLineEnds('a\nb\r\n', 'linux'), 'a\nb\r\n');
  });

  const kept: readonly [title: string, before: string, after: string, result: string][] = [
    ['are given to every line of a uniform file', 'a\r\nb\r\n', 'x\ny', 'x\r\ny'],
    ['stay with their lines', 'a\r\nb\nc\r\n', 'a\nnew\nb\nc\n', 'a\r\nnew\r\nb\nc\r\n'],
    ['stay when lines are removed', 'a\r\nb\nc\r\nd\r\n', 'b\nd\n', 'b\nd\r\n'],
    ['are added where there was none', 'a\r\nb\nc\r\nd', 'a\nb\nc\nd\n', 'a\r\nb\nc\r\nd\r\n'],
  ];
  for (const [title, before, after, result] of kept) {
    it(title, () => {
      assert.equal(withLineEndsOf(before, after, '\r\n'), result);
    });
  }

  it('never change the text, and stay as they are in a text that does not change', () => {
    const piece = fc.constantFrom('a', 'b', '\n', '\r\n', '\r');
    const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, text, fc.constantFrom('\n', '\r\n', '\r'), (before, after, usual) => {
        assert.equal(withLf(withLineEndsOf(before, after, usual)), withLf(after));
        assert.equal(withLineEndsOf(before, before, usual), before);
      }),
      { numRuns: 2000 },
    );
  });
});
