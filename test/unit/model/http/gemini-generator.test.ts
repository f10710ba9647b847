import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { cut, raw, unauthorized } from '../../../support/gemini/faults.ts';
import { gate } from '../../../support/gemini/gate.ts';
import { call, finish, hold, pause, text, thought, usage } from '../../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../../support/gemini/server.ts';
import { useGemini } from '../../../support/gemini/suite.ts';
import { ask, KEY, MODEL, problemIn, userSays, WAYS } from '../asking.ts';

for (const { way, generatorAt } of WAYS) {
  describe(`an answer from the Gemini API (${way})`, () => {
    let endpoint: GeminiEndpoint;

    beforeEach(async () => {
      endpoint = await startGeminiEndpoint();
    });

    afterEach(() => endpoint.dispose());

    it('streams in, with thoughts, calls, usage and the finish reason, and text that arrives together as one chunk', async () => {
      endpoint.reply(
        thought('Hm.'),
        'Hel',
        'lo',
        call('read_file', { file_path: 'a.ts' }),
        usage({ promptTokenCount: 7 }),
      );
      const { chunks, text, error } = await ask(generatorAt(endpoint.url));
      assert.equal(error, undefined);
      assert.equal(text, 'Hello');
      assert.equal(chunks.length, 3);
      const last = chunks[2]?.candidates?.[0]?.content?.parts?.[0];
      assert.deepEqual(last?.functionCall, { name: 'read_file', args: { file_path: 'a.ts' } });
      assert.equal(chunks[2]?.candidates?.[0]?.finishReason, 'STOP');
      assert.equal(chunks[2]?.usageMetadata?.promptTokenCount, 7);
    });

    it('is asked for with the model, the key in a header, and what the request holds', async () => {
      endpoint.reply('Hello');
      const tools = [{ functionDeclarations: [{ name: 'read_file', description: 'Reads.' }] }];
      const config = { systemInstruction: 'Be brief.', tools, thinkingConfig: { includeThoughts: true } };
      await ask(generatorAt(endpoint.url), { contents: [userSays('One'), userSays('Two')], config });
      const [request] = endpoint.requests;
      assert.equal(request?.model, MODEL);
      assert.equal(request?.apiKey, KEY.value);
      assert.doesNotMatch(request?.path ?? '', /AIza|key=/);
      assert.equal(request?.systemText, 'Be brief.');
      assert.deepEqual(request?.toolNames, ['read_file']);
      assert.deepEqual(request?.contents, [userSays('One'), userSays('Two')]);
      assert.deepEqual(request?.body.generationConfig?.['thinkingConfig'], { includeThoughts: true });
    });

    it('leaves nothing behind on the signal of a run, which asks many times', async () => {
      endpoint.always('Hello');
      const { signal } = new AbortController();
      for (let times = 0; times < 3; times++) await ask(generatorAt(endpoint.url), { signal });
      assert.equal(endpoint.requests.length, 3);
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
    });

    it('takes no key from the environment for an endpoint without one', async () => {
      endpoint.reply('Hello');
      process.env['GOOGLE_API_KEY'] = 'from-the-environment';
      try {
        await ask(generatorAt(endpoint.url, {}));
      } finally {
        delete process.env['GOOGLE_API_KEY'];
      }
      assert.equal(endpoint.requests[0]?.headers['x-goog-api-key'], undefined);
    });

    it('keeps the path of a gateway', async () => {
      await ask(generatorAt(`${endpoint.url}/team/gemini/`));
      assert.deepEqual(endpoint.notFound, [`POST /team/gemini/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`]);
    });

    it('is read in spite of comments, event names and a missing last empty line', async () => {
      const json = (words: string, more = ''): string =>
        `{"candidates":[{"content":{"role":"model","parts":[{"text":"${words}"}]}${more}}]}`;
      endpoint.reply(
        finish('none'),
        raw(`: ping\n\nevent: chunk\ndata: ${json('Hel')}\n\n`),
        raw(`data: ${json('lo', ',"finishReason":"STOP"')}`),
      );
      const { text, error } = await ask(generatorAt(endpoint.url));
      assert.equal(error, undefined);
      assert.equal(text, 'Hello');
    });

    it('may be of several megabytes in one event', async () => {
      const long = 'a'.repeat(5_000_000);
      endpoint.reply(long);
      assert.equal((await ask(generatorAt(endpoint.url))).text.length, long.length);
    });

    it('that refuses after some words is an answer', async () => {
      endpoint.reply('I would', finish('SAFETY'));
      const { text, chunks, error } = await ask(generatorAt(endpoint.url));
      assert.equal(error, undefined);
      assert.equal(text, 'I would');
      assert.equal(chunks.at(-1)?.candidates?.[0]?.finishReason, 'SAFETY');
    });
  });
}

for (const { way, generatorAt } of WAYS) {
  describe(`stopping (${way})`, () => {
    let endpoint: GeminiEndpoint;
    const reason = new Error('Stop was pressed');

    beforeEach(async () => {
      endpoint = await startGeminiEndpoint();
    });

    afterEach(() => endpoint.dispose());

    it('before the request sends nothing', async () => {
      const { error } = await ask(generatorAt(endpoint.url), { signal: AbortSignal.abort(reason) });
      assert.equal(error, reason);
      assert.equal(endpoint.requests.length, 0);
    });

    for (const [when, wait] of [
      ['while the endpoint has not answered', hold],
      ['while the answer stalls', pause],
    ] as const) {
      it(`${when} ends at once and closes the connection`, async () => {
        const stalled = gate();
        endpoint.reply(wait(stalled), text('never'));
        const stop = new AbortController();
        const asking = ask(generatorAt(endpoint.url), { signal: stop.signal });
        await stalled.reached;
        stop.abort(reason);
        const { error } = await asking;
        assert.equal(error, reason);
        assert.equal(await endpoint.requests[0]?.closed, 'disconnected');
      });
    }

    it('after the first words keeps them', async () => {
      const stalled = gate();
      endpoint.reply('Hel', pause(stalled), text('lo'));
      const stop = new AbortController();
      const request = { model: MODEL, contents: [userSays('Hi')], config: {} };
      const chunks = generatorAt(endpoint.url).generateContentStream(request, stop.signal);
      const first = await chunks.next();
      assert.equal(first.value?.candidates?.[0]?.content?.parts?.[0]?.text, 'Hel');
      const next = chunks.next();
      stop.abort(reason);
      await assert.rejects(next, reason);
    });

    it('reading closes the connection too', async () => {
      const stalled = gate();
      endpoint.reply('Hello', pause(stalled));
      const { signal } = new AbortController();
      const contents = [userSays('Hi')];
      for await (const _ of generatorAt(endpoint.url).generateContentStream(
        { model: MODEL, contents, config: {} },
        signal,
      )) {
        break;
      }
      assert.equal(await endpoint.requests[0]?.closed, 'disconnected');
    });
  });
}

for (const { way, generatorAt } of WAYS) {
  describe(`a whole answer from the Gemini API (${way})`, () => {
    const endpoint = useGemini();
    const request = { model: MODEL, contents: [userSays('Hi')], config: { temperature: 0.2 } };
    const askWhole = (signal = new AbortController().signal) =>
      generatorAt(endpoint().url).generateContent(request, signal);

    it('comes in one piece, with its usage', async () => {
      endpoint().reply(thought('Hm.'), 'Hel', 'lo', usage({ promptTokenCount: 7 }));
      const answer = await askWhole();
      assert.deepEqual(answer.candidates?.[0]?.content?.parts?.at(-1), { text: 'Hello' });
      assert.equal(answer.usageMetadata?.promptTokenCount, 7);
      const [sent] = endpoint().requests;
      assert.deepEqual([sent?.operation, sent?.apiKey], ['generateContent', KEY.value]);
      assert.equal(sent?.body.generationConfig?.['temperature'], 0.2);
    });

    it('is that of its own request when several are asked for at once', async () => {
      const wanted = ['one', 'two', 'three'];
      endpoint().always(({ contents }) => contents[0]?.parts?.[0]?.text ?? '');
      const generator = generatorAt(endpoint().url);
      const { signal } = new AbortController();
      const asked = wanted.map((said) => generator.generateContent({ ...request, contents: [userSays(said)] }, signal));
      const answers = await Promise.all(asked);
      assert.deepEqual(
        answers.map(({ candidates }) => candidates?.[0]?.content?.parts?.[0]?.text),
        wanted,
      );
    });

    for (const { name, reply, kind } of [
      { name: 'an error', reply: unauthorized(), kind: 'bad-credential' },
      { name: 'half an answer', reply: raw('{"candidates": [{"content"'), kind: 'stream-cut' },
      { name: 'something else', reply: raw('{"candidates": 1}'), kind: 'bad-stream' },
      { name: 'no answer', reply: finish('SAFETY'), kind: 'refused-by-model' },
      { name: 'a cut connection', reply: ['Hel', cut()], kind: 'stream-cut' },
    ]) {
      it(`rejects with ${kind} after ${name}`, async () => {
        endpoint().reply(reply);
        await assert.rejects(askWhole(), (error) => problemIn(error).kind === kind);
      });
    }

    it('can be stopped', async () => {
      const stop = new AbortController();
      const door = gate();
      endpoint().reply(hold(door), 'never');
      const asking = askWhole(stop.signal);
      await door.reached;
      stop.abort(new Error('enough'));
      await assert.rejects(asking, /enough/);
      assert.equal(await endpoint().requests[0]?.closed, 'disconnected');
    });
  });
}
