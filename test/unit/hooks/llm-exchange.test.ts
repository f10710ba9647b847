import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  textsOfHookResponse,
  toHookRequest,
  toHookResponse,
  withHookRequest,
} from '../../../extension/hooks/llm-exchange.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';

const image = { inlineData: { data: 'x', mimeType: 'image/png' } };
const call = { functionCall: { name: 'f', args: {} } };
const thought = { text: 'Hm', thought: true };
const contents: Content[] = [
  { role: 'user', parts: [{ text: 'a' }, { text: 'b' }, image] },
  { role: 'model', parts: [call] },
  { role: 'model', parts: [thought, { text: 'c', thoughtSignature: 's' }] },
];
const base = { model: 'm', contents, config: { temperature: 1, topP: 0.5, systemInstruction: 'Be kind.' } };
deepFreeze(base);

describe('A request as hooks see it', () => {
  it('has its texts and the numbers that shape an answer', () => {
    assert.deepEqual(toHookRequest(base), {
      model: 'm',
      messages: [
        { role: 'user', content: 'ab' },
        { role: 'model', content: 'c' },
      ],
      config: { temperature: 1, topP: 0.5 },
    });
  });

  it('stays as it is when it comes back unchanged', () => {
    const { contents: same, ...rest } = withHookRequest(base, toHookRequest(base));
    assert.deepEqual({ contents: same, ...rest }, base);
    assert.deepEqual(
      same.map((content, index) => content === contents[index]),
      [true, true, true],
    );
  });

  it('takes changed texts by position and keeps what is no text', () => {
    const messages = [
      { role: 'user', content: 'A' },
      { role: 'model', content: 'C' },
      { role: 'system', content: 'X' },
    ];
    const { model, contents: changed, config } = withHookRequest(base, { model: 'n', messages, config: { topK: 3 } });
    assert.equal(model, 'n');
    assert.deepEqual(changed, [
      { role: 'user', parts: [{ text: 'A' }, image] },
      { role: 'model', parts: [call] },
      { role: 'model', parts: [{ text: 'C' }, thought] },
      { role: 'user', parts: [{ text: 'X' }] },
    ]);
    assert.deepEqual(config, { topK: 3, systemInstruction: 'Be kind.' });
  });

  it('survives whatever a hook sends back', () => {
    const anything = fc.oneof(
      fc.anything(),
      fc.record({ model: fc.anything(), messages: fc.array(fc.anything()), config: fc.anything() }),
    );
    fc.assert(
      fc.property(anything, (changed) => {
        const { model, contents: after } = withHookRequest(base, changed);
        assert.equal(typeof model, 'string');
        assert.ok(after.length >= contents.length);
        textsOfHookResponse(changed);
      }),
    );
  });
});

describe('An answer as hooks see it', () => {
  it('has its texts, its end and its tokens', () => {
    const usage = { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3, thoughtsTokenCount: 9 };
    assert.deepEqual(toHookResponse({ parts: [thought, { text: 'a' }, call], finishReason: 'STOP', usage }), {
      text: 'a',
      candidates: [{ content: { role: 'model', parts: ['Hm', 'a'] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
    });
  });

  const answer = (...parts: readonly unknown[]): object => ({ candidates: [{ content: { role: 'model', parts } }] });
  const TEXTS: readonly [unknown, readonly string[] | undefined][] = [
    [answer('a', 'b'), ['a', 'b']],
    [answer({ text: 'a' }), ['a']],
    [answer(''), ['']],
    [answer(), undefined],
    [answer(5), undefined],
    [{ candidates: [] }, undefined],
    [{ text: 'a' }, undefined],
    [null, undefined],
  ];
  for (const [value, expected] of TEXTS) {
    it(`can be given by a hook: ${JSON.stringify(value)}`, () => {
      assert.deepEqual(textsOfHookResponse(value), expected);
    });
  }
});
