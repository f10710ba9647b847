import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { beginsRound, isPlainUser, splitPoint } from '../../../../extension/context/compaction/split-point.ts';
import { answered, called, conversation, said, sizeOf } from './builders.ts';
import { loadOracle } from './oracle.ts';

describe('The place where a conversation is cut', () => {
  for (const [name, contents, expected] of [
    ['nothing', [], 0],
    ['a message that waits for its first answer', [said('user', 'one')], 0],
    ['one message and its answer', [said('user', 'one'), said('model', 'two')], 2],
    ['several short ones', ['a', 'b', 'c', 'd'].flatMap((word) => [said('user', word), said('model', word)]), 6],
    ['a long beginning', [said('user', 'x'.repeat(900)), said('model', 'b'), said('user', 'c'), said('model', 'd')], 2],
    ['one round of work', [said('user', 'a'), called('a'), answered({ a: 'x'.repeat(900) })], 0],
    ['many rounds of work', work(10), 15],
    ['work on a message that is longer than all of it', work(3, 'x'.repeat(40_000)), 0],
    ['work whose last round is nearly all of it', [...work(1), called('b'), answered({ b: 'x'.repeat(20_000) })], 0],
    ['work after a short conversation', [said('user', 'a'), said('model', 'b'), ...work(10)], 17],
    ['work after a long one', [said('user', 'a'), said('model', 'x'.repeat(3000)), ...work(10)], 2],
    ['a message that waits', [said('user', 'a'), said('model', 'b'), said('user', 'x'.repeat(900))], 2],
  ] as const) {
    it(`of ${name} is ${expected}`, () => {
      assert.equal(splitPoint(contents, sizeOf), expected);
    });
  }

  it('is where Gemini CLI cuts, which does not cut the work on one message', async () => {
    const { findCompressSplitPoint } = await loadOracle();
    fc.assert(
      fc.property(conversation, (contents) => {
        const [ours, theirs] = [splitPoint(contents, sizeOf), findCompressSplitPoint(contents, 0.7)];
        if (ours === theirs) return;
        // Intended: there the conversation stays whole, or nearly so, until the window is full.
        assert.ok(beginsRound(contents, ours), 'between two rounds');
        assert.ok(ours > theirs && !contents.slice(theirs + 1).some(isPlainUser), 'of the last message');
        const sizes = contents.map(sizeOf);
        const size = (end: number): number => sizes.slice(0, end).reduce((sum, next) => sum + next, 0);
        assert.ok(size(theirs) < size(contents.length) / 10, 'where they take away next to nothing');
      }),
      { numRuns: 1000 },
    );
  });

  it('is within the work on a message that only a snapshot stands before', () => {
    const contents = [said('user', 'x'.repeat(3000)), said('model', 'Understood.'), ...work(10)];
    assert.equal(splitPoint(contents, sizeOf), 2);
    assert.equal(splitPoint(contents, sizeOf, 2), 17);
  });

  it('leaves a plain message of the user or a round first, and every call with its answer', () => {
    fc.assert(
      fc.property(conversation, (contents) => {
        const at = splitPoint(contents, sizeOf);
        const [head, tail] = [contents.slice(0, at), contents.slice(at)];
        assert.ok(tail.length === 0 || at === 0 || isPlainUser(tail[0] as Content) || beginsRound(contents, at));
        assert.deepEqual(openCalls(head), at === contents.length ? openCalls(contents) : []);
      }),
      { numRuns: 500 },
    );
  });
});

/** Rounds of about 1000 characters each. */
function work(rounds: number, message = 'Build it.'): Content[] {
  const steps = Array.from({ length: rounds }, (_, at) => [
    called(`c${at}`),
    answered({ [`c${at}`]: 'x'.repeat(900) }),
  ]);
  return [said('user', message), ...steps.flat()];
}

function openCalls(contents: readonly Content[]): string[] {
  const parts = contents.flatMap((content) => content.parts ?? []);
  const answered = new Set(parts.map(({ functionResponse }) => functionResponse?.id));
  return parts.flatMap(({ functionCall }) =>
    functionCall && !answered.has(functionCall.id) ? (functionCall.id ?? '') : [],
  );
}
