import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readJson } from '../../../extension/text/json-with-comments.ts';
import { processorTime } from '../../support/processor-time.ts';

describe('JSON with comments', () => {
  it('is read like JSON where it is JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const read = readJson(text);
        assert.ok('value' in read, JSON.stringify(read));
        assert.deepEqual(read.value, JSON.parse(text));
      }),
    );
  });

  it('may have comments, a mark at its start and commas at its ends', () => {
    const text = '\uFEFF// first\n{ "a": [1, 2,], /* "b": 3 */ "url": "https://x//y", }\n// last';
    const read = readJson(text);
    assert.deepEqual('value' in read && read.value, { a: [1, 2], url: 'https://x//y' });
  });

  it('knows the lines its objects begin on', () => {
    const read = readJson('{\n  "a": {\n  },\n\n  "b": [\n    {} ]\n}');
    assert.ok('value' in read);
    const { a, b } = read.value as { a: object; b: object[] };
    assert.deepEqual([read.value, a, b, b[0]].map(read.lineOf), [1, 2, 5, 6]);
  });

  it('does not change what objects are', () => {
    const read = readJson('{"__proto__": {"polluted": true}}');
    assert.ok('value' in read);
    assert.equal((read.value as Record<string, unknown>)['polluted'], undefined);
  });

  const BROKEN: readonly [string, number][] = [
    ['{\n"a": 1\n"b": 2}', 3],
    ['{\n\n"a" 1}', 3],
    ['{"a": }', 1],
    ['[1, 2\n', 2],
    ['{"a": "x\n"}', 1],
    ['{a: 1}', 1],
    ['{} {}', 1],
    ['{"a": tru}', 1],
    ['{"a": "\\x"}', 1],
    ['['.repeat(5000), 1],
  ];
  for (const [text, line] of BROKEN) {
    it(`says in which line it is broken: ${JSON.stringify(text.slice(0, 20))}`, () => {
      const read = readJson(text);
      assert.ok('problem' in read, 'it was read');
      assert.equal(read.line, line);
    });
  }

  it('takes no longer than it is long', () => {
    for (const piece of ['/*', ',', ',/**/', '//', '"\\', '[],', '[]\n,']) {
      assert.ok(processorTime(() => void readJson(`[${piece.repeat(50_000)}`)) < 2000, piece);
    }
  });

  it('never throws, whatever the file holds', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '//',
      '/*',
      '*/',
      '\\',
      '\n',
      '1',
      'true',
      'x',
      ' ',
    );
    fc.assert(fc.property(fc.array(pieces), (text) => void readJson(text.join(''))));
  });
});
