import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { answerSchema, isAnswerChunk } from '../../../../extension/model/http/answer-frame.ts';
import { runs } from '../../../support/test-size.ts';

/** A value that is usually what a field should have. */
function mostly(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: right }, fc.constantFrom(null, undefined, 1, 'text', true, [], {}));
}

function fields(given: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<unknown> {
  const all = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, mostly(value)]));
  return mostly(fc.record({ ...all, more: fc.constant(1) }, { requiredKeys: [] }));
}

const call = fields({ name: fc.string(), args: fc.dictionary(fc.string(), fc.jsonValue()) });
const part = fields({ text: fc.string(), thought: fc.boolean(), thoughtSignature: fc.string(), functionCall: call });
const content = fields({ parts: fc.array(part, { maxLength: 3 }) });
const candidate = fields({ content, finishReason: fc.string() });
const answer = fields({
  candidates: fc.array(candidate, { maxLength: 2 }),
  promptFeedback: fields({ blockReason: fc.string() }),
  usageMetadata: fc.object(),
});

describe('A chunk of an answer', () => {
  it('is accepted exactly if its schema accepts it', () => {
    const verdicts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(answer, (value) => {
        const { success } = answerSchema().safeParse(value);
        verdicts[success ? 'accepted' : 'refused']++;
        assert.equal(isAnswerChunk(value), success, JSON.stringify(value));
      }),
      { numRuns: runs(2000, 50_000) },
    );
    assert.ok(verdicts.accepted > 100 && verdicts.refused > 100);
  });
});
