import assert from 'node:assert/strict';
import type { Content } from '@google/genai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readFileTurns, readsThenAnswers } from '../../support/gemini/conversation.ts';
import {
  call,
  finish,
  huge,
  modelVersion,
  signed,
  stream,
  thought,
  together,
  tokenCount,
  usage,
} from '../../support/gemini/script.ts';
import { SdkClient } from '../../support/gemini/sdk.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';

describe('the Gemini endpoint for tests', () => {
  let endpoint: GeminiEndpoint;
  let sdk: SdkClient;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    sdk = new SdkClient(endpoint.url);
  });

  afterEach(() => endpoint.dispose());

  describe('answers from the script', () => {
    it('streams each text as a chunk, with the finish reason and the token counts on the last', async () => {
      endpoint.reply(
        stream('Hel', 'lo'),
        usage({ promptTokenCount: 7, candidatesTokenCount: 2 }),
        modelVersion('gemini-x-001'),
      );
      const { chunks } = await sdk.ask();
      assert.deepEqual(
        chunks.map((chunk) => [chunk.text, chunk.candidates?.[0]?.finishReason]),
        [
          ['Hel', undefined],
          ['lo', 'STOP'],
        ],
      );
      const { usageMetadata, modelVersion: version, responseId } = chunks[1] ?? {};
      assert.equal(usageMetadata?.totalTokenCount, 9);
      assert.deepEqual([version, responseId], ['gemini-x-001', 'response-1']);
    });

    it('streams thoughts and calls, alone and in parallel', async () => {
      endpoint.reply(
        thought('Let me look.'),
        signed('c2ln', call('read_file', { file_path: 'a.txt' }, 'call-1')),
        together(call('read_file', { file_path: 'b.txt' }), call('read_file', { file_path: 'c.txt' })),
      );
      const { chunks, parts } = await sdk.ask();
      assert.equal(chunks.length, 3);
      assert.deepEqual(parts[0], { text: 'Let me look.', thought: true });
      assert.deepEqual(parts[1], {
        functionCall: { name: 'read_file', args: { file_path: 'a.txt' }, id: 'call-1' },
        thoughtSignature: 'c2ln',
      });
      assert.equal(chunks[2]?.functionCalls?.length, 2);
      assert.ok((chunks[2]?.usageMetadata?.thoughtsTokenCount ?? 0) > 0);
    });

    it('gives the same reply whole to generateContent', async () => {
      endpoint.reply(thought('Hm.'), stream('Hel', 'lo'), call('read_file'), finish('MAX_TOKENS'));
      const response = await sdk.generate();
      assert.equal(response.candidates?.[0]?.content?.parts?.length, 3);
      assert.equal(response.candidates?.[0]?.finishReason, 'MAX_TOKENS');
      assert.equal(endpoint.requests[0]?.operation, 'generateContent');
    });

    it('estimates tokens without using up a reply, unless a rule counts them', async () => {
      assert.ok(((await sdk.countTokens('Hello there')) ?? 0) > 0);
      endpoint.when((request) => request.operation === 'countTokens', tokenCount(42));
      assert.equal(await sdk.countTokens('Hi'), 42);
    });

    it('uses replies in order, rules ahead of them and the default after them', async () => {
      endpoint.reply('first');
      endpoint.reply((request) => `you said ${request.lastUserText}`);
      endpoint.when((request) => request.lastUserText.includes('title'), 'A title');
      endpoint.always('again');
      const answers: string[] = [];
      for (const prompt of ['a', 'a title please', 'b', 'c', 'd']) answers.push((await sdk.ask(prompt)).text);
      assert.deepEqual(answers, ['first', 'A title', 'you said b', 'again', 'again']);
      endpoint.assertDone();
    });

    it('fails the test when the script is exhausted', async () => {
      await assert.rejects(sdk.ask('one too many'), /no reply left for request 1 \(\\+"one too many/);
      assert.throws(() => endpoint.assertDone(), /no reply left/);
      await assert.rejects(sdk.ask('again'), { name: 'ApiError', status: 500 });
      await assert.rejects(endpoint.dispose(), /no reply left/);
    });

    it('fails the test when a reply was not used', () => {
      endpoint.reply('never asked for');
      assert.throws(() => endpoint.assertDone(), /1 scripted replies were not used/);
    });

    it('serves an answer of 5 MB', async () => {
      endpoint.reply(huge(5_000_000));
      assert.equal((await sdk.ask()).text.length, 5_000_000);
    });

    it('plays a conversation with tool calls', async () => {
      const turn = { filePath: 'a.txt', reads: 2 };
      for (const reply of readFileTurns(2, turn)) endpoint.reply(reply);
      const history: Content[] = [];
      for (const prompt of ['one', 'two']) {
        assert.equal(await sdk.turn(history, prompt, () => ({ output: 'x' })), 'I have read the file.');
      }
      endpoint.assertDone();
      endpoint.always(readsThenAnswers(turn));
      assert.equal(await sdk.turn(history, 'three', () => ({ output: 'x' })), 'I have read the file.');
      assert.equal(endpoint.requests.length, 9);
    });
  });

  describe('speaks HTTP as Google does', () => {
    it('serves both API versions, tuned models and the longer Vertex paths', async () => {
      endpoint.always('ok');
      await new SdkClient(endpoint.url, { apiVersion: 'v1' }).generate();
      await new SdkClient(endpoint.url, { apiVersion: 'v1beta', model: 'tunedModels/mine' }).generate();
      const vertex = `${endpoint.url}/v1beta1/projects/p/locations/l/publishers/google/models/gemini-pro:generateContent`;
      assert.equal((await post(vertex)).status, 200);
      assert.deepEqual(
        endpoint.requests.map(({ apiVersion, model }) => [apiVersion, model]),
        [
          ['v1', sdk.model],
          ['v1beta', 'mine'],
          ['v1beta1', 'gemini-pro'],
        ],
      );
    });

    it('ends each event with CRLF CRLF and keeps the connection', async () => {
      endpoint.reply(stream('a', 'b'));
      const response = await post(`${endpoint.url}/v1beta/models/m:streamGenerateContent?alt=sse`);
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      assert.equal(response.headers.get('connection'), 'keep-alive');
      assert.match(await response.text(), /^(data: \{[^\r\n]+\}\r\n\r\n){2}$/);
    });

    it('answers unknown paths, verbs and bodies with Google error JSON', async () => {
      const missing = await fetch(`${endpoint.url}/v1beta/v1beta/models/m:generateContent`, { method: 'POST' });
      assert.equal(missing.status, 404);
      assert.match(missing.headers.get('content-type') ?? '', /application\/json/);
      assert.match(await missing.text(), /"status": "NOT_FOUND"/);
      assert.equal((await fetch(`${endpoint.url}/v1beta/models/m:generateContent`)).status, 404);
      assert.equal(endpoint.notFound.length, 2);
      assert.equal((await post(`${endpoint.url}/v1beta/models/m:generateContent`, '{"contents": [')).status, 400);
      assert.equal((await post(`${endpoint.url}/v1beta/models/m:generateContent`, '{"contents": 1}')).status, 400);
      assert.equal((await post(`${endpoint.url}/v1beta/models/m:streamGenerateContent`)).status, 400);
      assert.equal(endpoint.requests.length, 0);
    });

    it('lets in one key only, when told which', async () => {
      const guarded = await startGeminiEndpoint(['welcome'], { apiKey: 'good' });
      const path = `${guarded.url}/v1beta/models/m:generateContent`;
      const wrong = await post(path, undefined, { 'x-goog-api-key': 'bad' });
      assert.equal(wrong.status, 400);
      assert.match(await wrong.text(), /API_KEY_INVALID/);
      assert.equal((await post(path)).status, 403);
      assert.equal((await post(path, undefined, { 'x-goog-api-key': 'good' })).status, 200);
      guarded.assertDone();
      await guarded.dispose();
    });
  });

  describe('records requests', () => {
    it('with what the client said', async () => {
      endpoint.reply('ok');
      await sdk.ask('What is in a.txt?', {
        systemInstruction: 'Be brief.',
        tools: [{ functionDeclarations: [{ name: 'read_file' }, { name: 'grep' }] }],
      });
      const request = await endpoint.waitForRequest(1);
      assert.equal(request.method, 'POST');
      assert.equal(request.path, `/v1beta/models/${sdk.model}:streamGenerateContent?alt=sse`);
      assert.equal(request.lastUserText, 'What is in a.txt?');
      assert.equal(request.systemText, 'Be brief.');
      assert.deepEqual(request.toolNames, ['read_file', 'grep']);
      assert.equal(request.apiKey, 'test-key');
      assert.equal(request.contents.length, 1);
      assert.equal(await request.closed, 'answered');
    });

    it('with the tool results, behind which the user text is still found', async () => {
      endpoint.reply('ok');
      await sdk.ask([
        { role: 'user', parts: [{ text: 'Read it' }] },
        { role: 'model', parts: [{ functionCall: { name: 'read_file', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'read_file', response: { output: 'x' } } }] },
      ]);
      const [request] = endpoint.requests;
      assert.equal(request?.lastUserText, 'Read it');
      assert.deepEqual(request?.toolResults, [{ name: 'read_file', response: { output: 'x' } }]);
    });

    it('as they come, and lets go of those who wait when disposed', async () => {
      endpoint.always('ok');
      const second = endpoint.waitForRequest(2);
      const third = endpoint.waitForRequest(3);
      await sdk.ask('one');
      await sdk.ask('two');
      assert.equal((await second).lastUserText, 'two');
      await endpoint.dispose();
      await assert.rejects(third, /disposed before request 3/);
    });

    it('takes a message of 5 MB', async () => {
      endpoint.reply('ok');
      await sdk.ask('x'.repeat(5_000_000));
      assert.equal(endpoint.requests[0]?.lastUserText.length, 5_000_000);
    });
  });
});

function post(
  url: string,
  body = '{"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}',
  headers = {},
): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
}
