import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ParseError, parse } from 'jsonc-parser';
import { describe, it } from 'mocha';
import { type JsonNode, readJsonTree } from '../../../extension/text/json-tree.ts';
import { readJson } from '../../../extension/text/json-with-comments.ts';
import type { TextRange } from '../../../extension/text/text-range.ts';
import { processorTime } from '../../support/processor-time.ts';
import { runs } from '../../support/test-size.ts';

/** Of what JSON is made, and of what breaks it. */
const PIECES = fc.constantFrom(...'{}[]":,\\\n1x '.split(''), '//', '/*', '*/', 'true', '"a":', '"b"');

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

  it('knows where its keys and values are', () => {
    const text = '\uFEFF{\n  "a": {\n  },\n\n  "b": [\n    { "c": true } ], "a": 5\n}';
    const read = readJson(text);
    assert.ok('value' in read);
    const { places } = read;
    const lines = text.split('\n');
    const part = ({ line, column, endLine, endColumn }: TextRange) => {
      assert.equal(line, endLine);
      return `${line}: ${lines[line - 1]?.slice(column - 1, endColumn - 1)}`;
    };
    assert.deepEqual(
      [[], ['b'], ['b', 0], ['b', 0, 'c'], ['b', 0, 'd'], ['b', 7], ['a']].map((path) => part(places.rangeOf(path))),
      ['1: {', '5: "b"', '6: { "c": true }', '6: true', '6: { "c": true }', '5: "b"', '6: 5'],
    );
    assert.deepEqual(
      [part(places.keyRange(['b', 0, 'c'])), part(places.keyRange(['b', 0]))],
      ['6: "c"', '6: { "c": true }'],
    );
    assert.deepEqual(
      [[], ['b'], ['b', 0], ['b', 0, 'c'], ['x']].map((path) => places.lineOf(path)),
      [1, 5, 6, 6, 1],
    );
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

  it('is invalid exactly where the library says so', () => {
    const wild = fc.array(PIECES).map((text) => text.join(''));
    const mutated = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), PIECES)
      .map(([text, at, piece]) => text.slice(0, at % text.length) + piece + text.slice((at % text.length) + 1));
    const check = (text: string): void => {
      const errors: ParseError[] = [];
      const expected: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
      const read = readJson(text);
      assert.equal('problem' in read, errors.length > 0, JSON.stringify(read));
      if ('value' in read) assert.deepEqual(read.value, expected ?? {});
    };
    fc.assert(fc.property(fc.oneof(wild, mutated), check), { numRuns: runs(500, 20_000) });
  });

  const UNFINISHED: readonly (readonly [text: string, value: unknown])[] = [
    ['{"a": 1 "b": 2}', { a: 1, b: 2 }],
    ['{"a": {"b" }, "c": 3}', { a: {}, c: 3 }],
    ['{\n"a": \n"b": {"c": 1}}', { b: { c: 1 } }],
    ['{\n"a\n"b": {"c": [1, {"d": 2}]}, "e": 3}', { b: { c: [1, { d: 2 }] }, e: 3 }],
    ['{"a": {"b": [1, {"c": "d', { a: { b: [1, { c: 'd' }] } }],
    ['{"a": [1, 2, "b": 3}', { a: [1, 2, 'b', 3] }],
    ['{"a": [{"b": 1, ], "c": 2}', { a: [{ b: 1 }], c: 2 }],
    ['{a: 1, b: {c: 2}}', { a: 1, b: { c: 2 } }],
    ['{"a": 1, {"x": 5}, 7, "b": 2}', { a: 1, b: 2 }],
    ['{"a": tru, "b": 2} x', { b: 2 }],
  ];
  for (const [text, value] of UNFINISHED) {
    it(`is read as far as possible for people who are typing: ${JSON.stringify(text)}`, () => {
      const { root, mistake } = readJsonTree(text);
      assert.ok(mistake);
      assert.deepEqual(root?.value, value);
    });
  }

  it('takes no longer than it is long', () => {
    for (const piece of ['/*', ',', ',/**/', '//', '"\\', '[],', '[]\n,', '"a":', '"a":"b"', '{', '}', ':']) {
      assert.ok(processorTime(() => void readJson(`[${piece.repeat(50_000)}`)) < 2000, piece);
    }
  });

  it('marks places within the text, whatever the file holds', () => {
    fc.assert(
      fc.property(fc.array(PIECES), (pieces) => {
        const text = pieces.join('');
        const check = ({ start, end, items, entries }: JsonNode): void => {
          assert.ok(start >= 0 && start <= end && end <= text.length);
          for (const inner of [...items, ...entries.flatMap(({ node }) => node ?? [])]) {
            assert.ok(inner.start >= start && inner.end <= end, text);
            check(inner);
          }
        };
        const { root } = readJsonTree(text);
        if (root) check(root);
      }),
    );
  });
});
