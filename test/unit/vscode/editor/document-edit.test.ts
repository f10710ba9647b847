import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { changedSpan, whileBusy } from '../../../../extension/vscode/editor/document-edit.ts';

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

describe('An edit of a document that VS Code is busy with', () => {
  for (const outcome of [true, false]) {
    it(`is repeated until it is ${outcome ? 'accepted' : 'refused'}`, async () => {
      const outcomes = [undefined, undefined, outcome];
      const waits: number[] = [];
      const edited = await whileBusy(
        async () => outcomes.shift(),
        async (ms) => void waits.push(ms),
      );
      assert.deepEqual([edited, waits], [outcome, [50, 50]]);
    });
  }

  it('is given up after ten seconds', async () => {
    let waited = 0;
    const edited = await whileBusy(
      async () => undefined,
      async (ms) => {
        waited += ms;
        assert.ok(waited <= 10_000);
      },
    );
    assert.deepEqual([edited, waited], [undefined, 10_000]);
  });
});
