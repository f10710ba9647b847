import assert from 'node:assert/strict';
import type { Part } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { answerParts } from '../../../../extension/model/answer-parts.ts';
import type { AnswerChunk } from '../../../../extension/model/content-generator.ts';
import { AnswerCheck } from '../../../../extension/model/http/answer-check.ts';
import { joinedChunks } from '../../../../extension/model/http/joined-chunks.ts';
import { AnswerAssembler } from '../../../../extension/runtime/request/agent-model.ts';
import { AnswerCleaner } from '../../../../extension/safety/answer-cleaner.ts';
import { RequestCleaner } from '../../../../extension/safety/request-cleaner.ts';
import { runs } from '../../../support/test-size.ts';
import { inChunks, inOneChunk, type WildAnswer, wildAnswer, wildChoices } from '../../../support/wild-answer.ts';

const RUNS = runs(500, 20_000);

describe('The parts of an answer', () => {
  it('have no arguments that are nested deeper than anything can follow', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`);
    const part = { functionCall: { name: 'x', args: { deep: nested(3000), fine: nested(90), text: 'x' } } };
    const [said] = answerParts([part]);
    assert.deepEqual(said?.functionCall, {
      name: 'x',
      args: { deep: '[left out: nested more than 100 deep]', fine: nested(90), text: 'x' },
    });
    assert.deepEqual(answerParts(said ? [said] : []), [said]);
  });

  it(`are the same however it is cut (${RUNS} answers)`, () => {
    const property = fc.property(wildAnswer, wildChoices, (answer, choices) => {
      const whole = assembled(inOneChunk(answer));
      assert.deepEqual(assembled(inChunks(answer, choices)), whole);
      assertKept(answer, whole.parts);
    });
    fc.assert(property, { numRuns: RUNS });
  });

  it(`are the same whatever arrives together (${RUNS} answers)`, () => {
    const property = fc.property(wildAnswer, wildChoices, wildChoices, (answer, choices, together) => {
      const chunks: AnswerChunk[] = inChunks(answer, choices);
      const arrived: AnswerChunk[] = [];
      for (const [at, chunk] of chunks.entries()) {
        const before = arrived.at(-1);
        const joined = before && (together[at % together.length] ?? 0) % 3 > 0 && joinedChunks(before, chunk);
        if (joined) arrived.pop();
        arrived.push(joined || chunk);
      }
      assert.deepEqual(assembled(arrived), assembled(chunks));
    });
    fc.assert(property, { numRuns: RUNS });
  });
});

interface Assembled {
  readonly parts: Part[];
  readonly [fact: string]: unknown;
}

function assembled(chunks: readonly object[]): Assembled {
  let calls = 0;
  const { answerRules } = new RequestCleaner({ key: new Uint8Array(32), own: ['sum of the parts'], redacts: true });
  const cleaner = new AnswerCleaner(answerRules, { secret: () => undefined, hidden: () => undefined });
  const answer = new AnswerAssembler(() => `call-${++calls}`, cleaner);
  const check = new AnswerCheck();
  const shown: Part[] = [];
  for (const chunk of chunks as readonly AnswerChunk[]) {
    check.see(chunk);
    shown.push(...answer.add(chunk));
  }
  shown.push(...answer.end());
  const { usage, finishReason, modelVersion, wasShown } = answer;
  const facts = { usage, finishReason, modelVersion, wasShown, arrived: check.arrived, failure: check.failure() };
  return { ...facts, shown: answerParts(shown), parts: answer.parts(), words: answer.words() };
}

/** Nothing of it is lost that could be sent back, and it is in its order. */
function assertKept(answer: WildAnswer, parts: readonly Part[]): void {
  assert.notEqual(parts[0]?.text, '');
  assert.deepEqual(answerParts(parts), parts, 'a second time changes nothing');
  const sent = answer.parts as readonly Part[];
  const spoken = (all: readonly Part[], kind: boolean): string =>
    all.map(({ text, thought }) => (Boolean(thought) === kind ? (text ?? '') : '')).join('');
  assert.equal(spoken(parts, false), spoken(sent, false));
  assert.equal(spoken(parts, true), spoken(sent, true));
  assert.equal(parts.filter(isCall).length, sent.filter(isCall).length);
  assert.ok(
    parts.every(({ text, thoughtSignature }) => text !== '' || thoughtSignature),
    'no part is empty',
  );
  if (parts.length === 0) return;
  const signatures = (all: readonly Part[]): string[] => all.flatMap((part) => part.thoughtSignature ?? []).sort();
  assert.deepEqual(signatures(parts), signatures(sent));
}

function isCall({ functionCall }: Part): boolean {
  return functionCall !== undefined;
}
