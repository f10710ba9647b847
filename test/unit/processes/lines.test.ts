import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { Lines } from '../../../extension/processes/lines.ts';

function cut(chunks: readonly string[], maxBytes: number): string[] {
  const seen: string[] = [];
  const lines = new Lines(
    maxBytes,
    (line) => seen.push(line),
    ({ head, tail, bytes }) => seen.push(`${bytes}: ${head.slice(0, 3)}…${tail.slice(-3)}`),
  );
  for (const chunk of chunks) lines.add(Buffer.from(chunk));
  return seen;
}

describe('Lines of a program', () => {
  it('are the same however the bytes arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary-ascii' })), (chunks) => {
        const expected = chunks.join('').split('\n').slice(0, -1);
        assert.deepEqual(
          cut(chunks, 1_000_000),
          expected.map((line) => line.replace(/\r$/, '')),
        );
      }),
    );
  });

  it('that are too long are known by their ends, and the next one is whole again', () => {
    assert.deepEqual(cut(['abc', 'd'.repeat(50), 'xyz\nnext\n'], 20), ['56: abc…xyz', 'next']);
    assert.deepEqual(cut([`abc${'d'.repeat(50)}x`, 'y', 'z\n', 'next\n'], 20), ['56: abc…xyz', 'next']);
  });

  it('keep characters that were cut in two', () => {
    const bytes = Buffer.from('ä€😀\n');
    const seen: string[] = [];
    const lines = new Lines(
      100,
      (line) => seen.push(line),
      () => assert.fail(),
    );
    for (const byte of bytes) lines.add(Buffer.from([byte]));
    assert.deepEqual(seen, ['ä€😀']);
  });
});
