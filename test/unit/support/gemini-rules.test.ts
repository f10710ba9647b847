import assert from 'node:assert/strict';
import type { Content, Part } from '@google/genai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { call, signed, text } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';

const USER = { role: 'user', parts: [{ text: 'Read it' }] };
const CALL = { functionCall: { name: 'read_file', args: {} } };
const RESULT = { functionResponse: { name: 'read_file', response: {} } };
const OTHER = { functionResponse: { name: 'write_file', response: {} } };
const LOOK = { functionDeclarations: [{ name: 'look', description: 'Looks.' }] };
const model = (...parts: readonly object[]): object => ({ role: 'model', parts });
const user = (...parts: readonly object[]): object => ({ role: 'user', parts });
const declared = (declaration: object): object => ({
  contents: [USER],
  tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks.', ...declaration }] }],
});
const schema = (parametersJsonSchema: object): object => declared({ parametersJsonSchema });

describe('the Gemini endpoint for tests refuses what Gemini refuses:', () => {
  let endpoint: GeminiEndpoint;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    endpoint.always('ok');
  });
  afterEach(() => endpoint.dispose().catch(() => undefined));

  const ask = async (body: object, operation = 'generateContent'): Promise<string> => {
    const url = `${endpoint.url}/v1beta/models/m:${operation}${operation.startsWith('stream') ? '?alt=sse' : ''}`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    return `${response.status} ${await response.text()}`;
  };
  const histories: readonly (readonly [what: string, contents: readonly object[], says: RegExp])[] = [
    ['nothing at all', [], /contents is not specified/],
    ['an unknown role', [{ role: 'system', parts: [{ text: 'x' }] }], /valid role/],
    ['a content without parts', [USER, model(), USER], /contents\[1\]\.parts: contents\.parts must not/],
    ['a part without data', [USER, model({}), USER], /required oneof field 'data'/],
    ['a part that is two', [USER, model({ text: 'a', ...CALL }), user(RESULT)], /already set/],
    ['an unknown field', [user({ text: 'a', words: 1 })], /Unknown name \\"words\\"/],
    ['an empty text', [user({ text: '' })], /must not be empty/],
    ['media without a type', [user({ inlineData: { data: 'AA==' } })], /mime_type/],
    ['media without data', [user({ inlineData: { mimeType: 'image/png', data: '' } })], /inline_data\.data/],
    ['a call of the user', [user(CALL)], /only the model calls/],
    ['a beginning by the model', [model({ text: 'Hi' }), USER], /begin with a user turn/],
    ['an end by the model', [USER, model({ text: 'Hi' })], /end with a user turn/],
    ['a call without its result', [USER, model(CALL), USER], /number of function response parts is equal/],
    ['more results than calls', [USER, model(CALL), user(RESULT, RESULT)], /number of function response/],
    ['results in two contents', [USER, model(CALL, CALL), user(RESULT), user(RESULT)], /number of function response/],
    ['a result without a call', [USER, model({ text: 'ok' }), user(RESULT)], /function response turn comes/],
    ['the result of another call', [USER, model(CALL), user(OTHER)], /is not the one to read_file/],
    ['a call without a name', [USER, model({ functionCall: { args: {} } }), user(RESULT)], /Name cannot be empty/],
    ['a result that is no object', [USER, model(CALL), user({ functionResponse: { name: 'read_file' } })], /no Struct/],
  ];
  for (const [what, contents, says] of histories) {
    it(what, async () => {
      for (const operation of ['generateContent', 'streamGenerateContent']) {
        const answer = await ask({ contents }, operation);
        assert.match(answer, says);
        assert.match(answer, /^400 .*INVALID_ARGUMENT/s);
      }
      assert.equal(endpoint.takeProblems().length, 2);
    });
  }

  const requests: readonly (readonly [what: string, body: object, says: RegExp])[] = [
    ['an unknown field of a request', { contents: [USER], model: 'x' }, /Unknown name \\"model\\"/],
    ['an unknown setting', { contents: [USER], generationConfig: { heat: 1 } }, /Unknown name \\"heat\\"/],
    [
      'two ways to limit thoughts',
      { contents: [USER], generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } } },
      /only one of thinking/,
    ],
    ['an empty instruction', { contents: [USER], systemInstruction: { parts: [{ text: '' }] } }, /system_instruction/],
    ['a name that is none', declared({ name: '1 look' }), /Invalid function name/],
    ['a name that is too long', declared({ name: 'x'.repeat(65) }), /Invalid function name/],
    ['two kinds of schema', declared({ parameters: {}, parametersJsonSchema: { type: 'object' } }), /exclude each/],
    ['parameters that are no object', schema({ type: 'string' }), /should be an object/],
    [
      'a required property that there is not',
      schema({ type: 'object', properties: { a: {} }, required: ['b'] }),
      /property b is not defined/,
    ],
    [
      'a choice of nothing',
      schema({ type: 'object', properties: { a: { type: 'array', items: { enum: [] } } } }),
      /a\.items\.enum: cannot be empty/,
    ],
    ['the same tool twice', { contents: [USER], tools: [LOOK, LOOK] }, /Duplicate function declaration/],
  ];
  for (const [what, body, says] of requests) {
    it(what, async () => {
      assert.match(await ask(body), says);
      assert.equal(endpoint.takeProblems().length, 1);
    });
  }

  it('a count of empty parts', async () => {
    assert.match(await ask({ contents: [user({})] }, 'countTokens'), /^400/);
    assert.match(await ask({ contents: [model({ text: 'Hi' })] }, 'countTokens'), /^200/);
  });

  describe('what it gave comes back with it, and nothing that it did not give:', () => {
    const given = { functionCall: { name: 'look', args: { at: 1 } }, thoughtSignature: 'c2ln' };
    const answer = { functionResponse: { name: 'look', response: {} } };
    const back = (call: object, response: object = answer): Promise<string> =>
      ask({ contents: [USER, model(call), user(response)] });
    const { functionCall, thoughtSignature } = given;

    beforeEach(async () => {
      endpoint.reply(signed('c2ln', call('look', { at: 1 }, 'id1')), signed('dGV4dA==', text('Hello')));
      await ask({ contents: [USER] });
    });

    it('a signature and an id', async () => {
      const withId: Part = { ...given, functionCall: { ...functionCall, id: 'id1' } };
      const response = { functionResponse: { ...answer.functionResponse, id: 'id1' } };
      assert.match(await back(withId, response), /^200/);
      assert.match(await back(given), /^200/);
    });

    const wrong: readonly (readonly [what: string, call: object, says: RegExp])[] = [
      ['no signature where there was one', { functionCall }, /missing a thought_signature/],
      ['a signature it never gave', { ...given, thoughtSignature: 'eA==' }, /Invalid thought signature/],
      ['a signature of another part', { ...given, thoughtSignature: 'dGV4dA==' }, /Corrupted thought signature/],
      [
        'a signature of another call',
        { thoughtSignature, functionCall: { name: 'look', args: {} } },
        /Corrupted thought signature/,
      ],
      ['an id it never gave', { ...given, functionCall: { ...functionCall, id: 'own' } }, /Unknown name \\"id\\"/],
    ];
    for (const [what, sent, says] of wrong) {
      it(what, async () => {
        const { id } = (sent as Part).functionCall ?? {};
        const response = { functionResponse: { ...answer.functionResponse, ...(id && { id }) } };
        assert.match(await back(sent, response), says);
      });
    }
  });

  it('unless the test switched the check off', async () => {
    const lax = await startGeminiEndpoint(['fine'], { checksRequests: false });
    const contents: Content[] = [USER, model(CALL), USER];
    const body = JSON.stringify({ contents });
    const response = await fetch(`${lax.url}/v1beta/models/m:generateContent`, { method: 'POST', body });
    assert.equal(response.status, 200);
    await lax.dispose();
  });
});
