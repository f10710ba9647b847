import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import { describe, it } from 'mocha';
import { historyError } from '../../support/gemini/history.ts';
import { SdkClient } from '../../support/gemini/sdk.ts';
import { startGeminiEndpoint } from '../../support/gemini/server.ts';

describe('the Gemini endpoint for tests refuses what Gemini refuses:', () => {
  const user: Content = { role: 'user', parts: [{ text: 'Read it' }] };
  const calls: Content = { role: 'model', parts: [{ functionCall: { name: 'read_file', args: {} } }] };
  const result = { functionResponse: { name: 'read_file', response: {} } };
  const said: Content = { role: 'model', parts: [{ text: 'ok' }] };
  const results = (...parts: Content['parts'] & object): Content => ({ role: 'user', parts });
  const cases: readonly [string, Content[], RegExp][] = [
    ['a call without its result', [user, calls, user], /number of function response parts is equal/],
    ['a call that was left open', [user, calls], /number of function response parts is equal/],
    ['more results than calls', [user, calls, results(result, result)], /number of function response/],
    ['a result without a call', [user, said, results(result)], /function response turn comes/],
    ['a call before the user spoke', [calls, results(result)], /function call turn comes/],
    [
      'a content without parts',
      [user, { role: 'model', parts: [] }, user],
      /contents\[1\]\.parts: contents\.parts must not/,
    ],
    ['a part without data', [user, { role: 'model', parts: [{}] }, user], /required oneof field 'data'/],
    ['nothing at all', [], /contents is not specified/],
    ['an unknown role', [{ role: 'system', parts: [{ text: 'x' }] }], /valid role/],
  ];
  for (const [name, contents, message] of cases) {
    it(name, () => assert.match(historyError(contents) ?? '', message));
  }

  it('not a complete tool turn, even when its contents come in pieces', () => {
    const two: Content = { role: 'model', parts: [...(calls.parts ?? []), ...(calls.parts ?? [])] };
    assert.equal(historyError([user, said, two, results(result), results(result), said, user]), undefined);
  });

  it('with the 400 of the API, and tells the test', async () => {
    const endpoint = await startGeminiEndpoint(['unused']);
    const sdk = new SdkClient(endpoint.url);
    await assert.rejects(sdk.ask([user, calls, user]), {
      name: 'ApiError',
      status: 400,
      message: /function response parts/,
    });
    await assert.rejects(endpoint.dispose(), /request 1 has a history that Gemini refuses/);
  });

  it('unless the test switched the check off', async () => {
    const endpoint = await startGeminiEndpoint(['fine'], { checkHistory: false });
    assert.equal((await new SdkClient(endpoint.url).ask([user, calls, user])).text, 'fine');
    await endpoint.dispose();
  });
});
