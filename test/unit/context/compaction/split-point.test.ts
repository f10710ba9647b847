import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isPlainUser, splitPoint } from '../../../../extension/context/compaction/split-point.ts';
import { conversation, said, sizeOf } from './builders.ts';
import { loadOracle } from './oracle.ts';

describe('The place where a conversation is cut', () => {
  for (const [name, contents, expected] of [
    ['nothing', [], 0],
    ['a message that waits for its first answer', [said('user', 'one')], 0],
    ['one message and its answer', [said('user', 'one'), said('model', 'two')], 2],
    ['several short ones', ['a', 'b', 'c', 'd'].flatMap((word) => [said('user', word), said('model', word)]), 6],
    ['a long beginning', [said('user', 'x'.repeat(900)), said('model', 'b'), said('user', 'c'), said('model', 'd')], 2],
    ['a message that waits', [said('user', 'a'), said('model', 'b'), said('user', 'x'.repeat(900))], 2],
  ] as const) {
    it(`of ${name} is ${expected}`, () => {
      assert.equal(splitPoint(contents, sizeOf), expected);
    });
  }

  it('is where Gemini CLI cuts', async () => {
    const { findCompressSplitPoint } = await loadOracle();
    fc.assert(
      fc.property(conversation, (contents) => {
        assert.equal(splitPoint(contents, sizeOf), findCompressSplitPoint(contents, 0.7));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves a plain message of the user first, and every call with its answer', () => {
    fc.assert(
      fc.property(conversation, (contents) => {
        const at = splitPoint(contents, sizeOf);
        const [head, tail] = [contents.slice(0, at), contents.slice(at)];
        assert.ok(tail.length === 0 || at === 0 || isPlainUser(tail[0] as Content));
        assert.deepEqual(openCalls(head), at === contents.length ? openCalls(contents) : []);
      }),
      { numRuns: 500 },
    );
  });
});

function openCalls(contents: readonly Content[]): string[] {
  const parts = contents.flatMap((content) => content.parts ?? []);
  const answered = new Set(parts.map(({ functionResponse }) => functionResponse?.id));
  return parts.flatMap(({ functionCall }) =>
    functionCall && !answered.has(functionCall.id) ? (functionCall.id ?? '') : [],
  );
}
