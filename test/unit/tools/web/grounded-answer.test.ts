import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type Citation, insertCitations } from '../../../../extension/tools/web/grounded-answer.ts';

const bytes = (text: string): number => Buffer.byteLength(text);

describe('Citations', () => {
  const cases: readonly [title: string, text: string, citations: Citation[], sources: number, expected: string][] = [
    [
      'stand behind their passage',
      'One. Two.',
      [
        { end: 4, sources: [0] },
        { end: 9, sources: [1] },
      ],
      2,
      'One.[1] Two.[2]',
    ],
    ['count bytes, not characters', 'Grün ist schön.', [{ end: bytes('Grün'), sources: [0] }], 1, 'Grün[1] ist schön.'],
    ['count the bytes of emoji and CJK', '👍 日本. x', [{ end: bytes('👍 日本.'), sources: [0] }], 1, '👍 日本.[1] x'],
    [
      'never stand inside a character',
      'ä👍b',
      [
        { end: 1, sources: [0] },
        { end: 4, sources: [1] },
      ],
      2,
      'ä[1]👍[2]b',
    ],
    [
      'of one passage stand together, each once',
      'ab',
      [
        { end: 1, sources: [2, 0] },
        { end: 1, sources: [0, 1] },
      ],
      3,
      'a[1][2][3]b',
    ],
    [
      'of overlapping passages stand at their ends',
      'abc',
      [
        { end: 3, sources: [0] },
        { end: 2, sources: [1] },
      ],
      2,
      'ab[2]c[1]',
    ],
    ['may stand at the very beginning', 'ab', [{ end: 0, sources: [0] }], 1, '[1]ab'],
    [
      'outside the text are left out',
      'ab',
      [
        { end: 3, sources: [0] },
        { end: -1, sources: [0] },
        { end: 1e18, sources: [0] },
      ],
      1,
      'ab',
    ],
    [
      'at no whole place are left out',
      'ab',
      [
        { end: 0.5, sources: [0] },
        { end: Number.NaN, sources: [0] },
      ],
      1,
      'ab',
    ],
    ['of unknown sources are left out', 'ab', [{ end: 1, sources: [5, -1, 0.5] }], 1, 'ab'],
    ['leave a text without any as it is', 'äb', [], 0, 'äb'],
  ];
  for (const [title, text, citations, sources, expected] of cases) {
    it(title, () => assert.equal(insertCitations(text, citations, sources), expected));
  }

  it('change nothing but themselves, whatever the offsets', () => {
    const wild = fc.record({
      end: fc.oneof(fc.integer({ min: -5, max: 60 }), fc.double()),
      sources: fc.array(fc.integer({ min: -2, max: 5 })),
    });
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'ä', '日', '👍', ' ') }),
        fc.array(wild),
        (text, citations) => {
          assert.equal(insertCitations(text, citations, 4).replace(/\[[1-4]\]/g, ''), text);
        },
      ),
    );
  });
});
