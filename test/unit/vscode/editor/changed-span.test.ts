import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { changedSpan } from '../../../../extension/vscode/editor/changed-span.ts';

describe('The span two texts differ in', () => {
  const cases: readonly [before: string, after: string, start: number, end: number, text: string][] = [
    ['abc', 'abc', 3, 3, ''],
    ['abc', 'axc', 1, 2, 'x'],
    ['aa', 'aaa', 2, 2, 'a'],
    ['', 'new', 0, 0, 'new'],
    ['gone', '', 0, 4, ''],
    ['a\r\nb', 'a\r\n\r\nb', 3, 3, '\r\n'],
    ['a\r\nb', 'a\rb', 1, 3, '\r'],
    ['x\n', 'x\r\n', 1, 2, '\r\n'],
    ['🙂', '🙃', 0, 2, '🙃'],
  ];
  for (const [before, after, start, end, text] of cases) {
    it(`${JSON.stringify(before)} → ${JSON.stringify(after)}`, () => {
      assert.deepEqual(changedSpan(before, after), { start, end, text });
    });
  }

  it('makes one text of the other, without a cut through a line end or a character', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'b', '\r', '\n', '\r\n', '🙂', '🙃', '😀'))
      .map((parts) => parts.join(''));
    const splits = (text: string, offset: number): boolean =>
      /^(?:\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])$/.test(text.slice(Math.max(offset - 1, 0), offset + 1)) && offset > 0;
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { start, end, text } = changedSpan(before, after);
        assert.equal(before.slice(0, start) + text + before.slice(end), after);
        assert.equal(splits(before, start) || splits(before, end), false);
      }),
    );
  });
});
