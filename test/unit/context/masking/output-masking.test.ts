import assert from 'node:assert/strict';
import type { Content, Part } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { maskOutput } from '../../../../extension/context/masking/mask-output.ts';
import { MaskedContents, OutputMasking } from '../../../../extension/context/masking/output-masking.ts';
import { estimateTokens, partTokens } from '../../../../extension/context/token-estimate.ts';
import { conversationOf, requestsOf, wildConversation } from '../../../support/masked-history.ts';
import { runs } from '../../../support/test-size.ts';

describe('Masking of old outputs', () => {
  it('leaves a conversation alone until the outputs outside the protected ones are worth it', () => {
    const contents = conversationOf([[[['read_file', 60_000]], [['read_file', 100_000]]]]);
    assert.equal(masking().masks(contents).size, 0);
  });

  it('masks the oldest outputs, at once, and keeps the latest 50,000 tokens', () => {
    const rounds = Array.from({ length: 40 }, () => [['read_file', 20_000]] as const);
    const contents = conversationOf([rounds]);
    const masks = masking().masks(contents);
    const outputs = contents.flatMap(({ parts = [] }) => parts).filter(({ functionResponse }) => functionResponse);
    assert.ok(masks.size > 0);
    assert.deepEqual([...masks.keys()], outputs.slice(0, masks.size));
    const left = outputs.slice(masks.size).reduce((sum, part) => sum + partTokens(part), 0);
    assert.ok(left >= 50_000 - partTokens(outputs[0] as Part), `${left} tokens are left`);
  });

  it('is the same for a conversation that grew and for one that was read again', () => {
    fc.assert(
      fc.property(wildConversation(100), (contents) => {
        const grown = masking();
        for (const request of requestsOf(contents)) {
          assert.deepEqual([...grown.masks(request)], [...masking().masks(request)]);
        }
      }),
      { numRuns: runs(8, 100) },
    );
  });

  it('never brings back what was masked, however the conversation continues', () => {
    fc.assert(
      fc.property(wildConversation(100), (contents) => {
        const grown = masking();
        let before: ReadonlyMap<Part, Part> = new Map();
        for (const request of requestsOf(contents)) {
          const now = grown.masks(request);
          for (const [part, mask] of before) assert.equal(now.get(part), mask);
          before = new Map(now);
        }
      }),
      { numRuns: runs(8, 100) },
    );
  });

  it('starts again after a rewind', () => {
    fc.assert(
      fc.property(wildConversation(), fc.nat(), (contents, at) => {
        const used = masking();
        used.masks(contents);
        const cut = contents.slice(0, at % contents.length);
        assert.deepEqual([...used.masks(cut)], [...masking().masks(cut)]);
      }),
      { numRuns: runs(8, 100) },
    );
  });

  it('changes nothing but outputs of tools, and never those of the last message', () => {
    fc.assert(
      fc.property(wildConversation(100), (contents) => {
        for (const request of requestsOf(contents)) {
          const masked = new MaskedContents().apply(request, masking().masks(request));
          assert.equal(masked.length, request.length);
          assert.equal(masked.at(-1), request.at(-1));
          for (const [index, content] of masked.entries()) assertOnlyOutputs(content, request[index] as Content);
          assert.ok(estimateTokens(masked) <= estimateTokens(request));
        }
      }),
      { numRuns: runs(6, 100) },
    );
  });

  it('gives the same objects again, so that nothing has to be counted twice', () => {
    const contents = conversationOf([Array.from({ length: 12 }, () => [['read_file', 50_000]] as const)]);
    const [plan, applied] = [masking(), new MaskedContents()];
    const [one, two] = [applied.apply(contents, plan.masks(contents)), applied.apply(contents, plan.masks(contents))];
    assert.notDeepEqual(one, contents);
    for (const [index, content] of one.entries()) assert.equal(content, two[index]);
  });

  it('does not look at the contents of the last request again', () => {
    const contents = conversationOf([Array.from({ length: 12 }, () => [['read_file', 50_000]] as const)]);
    const masks = masking().masks(contents);
    let looks = 0;
    const watched = contents.map(({ role, parts }): Content => {
      return {
        ...(role && { role }),
        get parts() {
          looks++;
          return parts ?? [];
        },
      };
    });
    const applied = new MaskedContents();
    const one = applied.apply(watched.slice(0, -1), masks);
    assert.deepEqual(applied.apply(watched, masks).slice(0, -1), one);
    looks = 0;
    const two = applied.apply(watched, masks);
    assert.equal(looks, 0);
    assert.notEqual(two, applied.apply(watched, masks), 'a caller may change the list');
  });

  it('does not touch what a person was asked or a skill said', () => {
    const contents = conversationOf([Array.from({ length: 12 }, () => [['ask_user', 50_000]] as const)]);
    assert.equal(masking().masks(contents).size, 0);
  });
});

function masking(): OutputMasking {
  return new OutputMasking({ tokensOf: partTokens, mask: (part) => maskOutput(part, '/session/outputs').part });
}

function assertOnlyOutputs(masked: Content, original: Content): void {
  assert.equal(masked.role, original.role);
  for (const [index, part] of (masked.parts ?? []).entries()) {
    const before = original.parts?.[index];
    if (part === before) continue;
    const { response: _, ...call } = part.functionResponse ?? {};
    const { response: __, ...callBefore } = before?.functionResponse ?? {};
    assert.deepEqual(call, callBefore);
  }
}
