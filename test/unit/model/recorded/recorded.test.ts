import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeContentGenerator } from '@google/gemini-cli-core/dist/src/core/fakeContentGenerator.js';
import { RecordingContentGenerator } from '@google/gemini-cli-core/dist/src/core/recordingContentGenerator.js';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ContentGenerator } from '../../../../extension/model/content-generator.ts';
import { ModelSource } from '../../../../extension/model/model-source.ts';
import { overloaded } from '../../../support/gemini/faults.ts';
import { call, stream, thought } from '../../../support/gemini/script.ts';
import { SdkClient } from '../../../support/gemini/sdk.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../../support/gemini/server.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { testHost } from '../../../support/test-host.ts';
import { ask, problemIn, userSays } from '../asking.ts';

const never = new AbortController().signal;
const MODEL = 'gemini-3.8-flash';
const contents = [userSays('Hi')];
const request = { model: MODEL, contents, config: {} };

describe('recorded answers', () => {
  let endpoint: GeminiEndpoint;
  let folder: TempWorkspace;
  let file: string;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    folder = await createTempWorkspace();
    file = join(folder.path, 'answers.jsonl');
  });
  afterEach(async () => {
    await endpoint.dispose();
    await folder.dispose();
  });

  async function recorder(secretKey = 'AIzaSyRecordedKey'): Promise<ContentGenerator> {
    const host = testHost({ baseUrl: endpoint.url, secretKey, recorded: { record: file } });
    return (await new ModelSource(host).resolve('auto')).generator;
  }

  async function replayer(): Promise<ContentGenerator> {
    const { model, generator } = await new ModelSource(testHost({ recorded: { replay: file } })).resolve('auto');
    assert.equal(model, MODEL);
    return generator;
  }

  /** The same three questions, answered in the same way. */
  function script(): void {
    endpoint.reply(thought('Hm'), stream('Reading', ' it.'), call('read_file', { file_path: 'a.txt' }));
    endpoint.reply('A title');
  }

  const substance = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, item) => (key === 'modelVersion' || key === 'responseId' ? undefined : item)),
    );

  it('come back as they were', async () => {
    script();
    const live = await recorder();
    const streamed = await ask(live);
    const whole = await live.generateContent(request, never);
    const count = await live.countTokens?.({ model: MODEL, contents }, never);
    const replay = await replayer();
    assert.deepEqual(substance((await ask(replay)).chunks), substance(streamed.chunks));
    assert.deepEqual(substance(await replay.generateContent(request, never)), substance(whole));
    assert.equal(await replay.countTokens?.({ model: MODEL, contents }, never), count);
    const methods = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).method);
    assert.deepEqual(methods, ['generateContentStream', 'generateContent', 'countTokens']);
  });

  it('of Gemini CLI are replayed', async () => {
    script();
    const inner = new SdkClient(endpoint.url).ai.models;
    const theirs = new RecordingContentGenerator(inner as never, file);
    const chunks: unknown[] = [];
    for await (const chunk of await theirs.generateContentStream(request as never, 'p', 'main' as never))
      chunks.push(chunk);
    const whole = await theirs.generateContent(request as never, 'p', 'main' as never);
    const { totalTokens } = await theirs.countTokens({ model: MODEL, contents } as never);
    const replay = await replayer();
    const answer = await ask(replay);
    assert.equal(answer.error, undefined);
    assert.equal(answer.text, 'Reading it.');
    assert.equal(answer.chunks.length, chunks.length);
    assert.deepEqual((await replay.generateContent(request, never)).candidates, substance(whole.candidates));
    assert.equal(await replay.countTokens?.({ model: MODEL, contents }, never), totalTokens);
  });

  it('are replayed by Gemini CLI', async () => {
    script();
    const live = await recorder();
    const streamed = await ask(live);
    const whole = await live.generateContent(request, never);
    const count = await live.countTokens?.({ model: MODEL, contents }, never);
    const theirs = await FakeContentGenerator.fromFile(file);
    const chunks: unknown[] = [];
    for await (const chunk of await theirs.generateContentStream(request as never, 'p', 'main' as never))
      chunks.push(chunk);
    assert.deepEqual(substance(chunks), substance(streamed.chunks));
    assert.deepEqual(substance(await theirs.generateContent(request as never, 'p', 'main' as never)), substance(whole));
    assert.equal((await theirs.countTokens({ model: MODEL, contents } as never)).totalTokens, count);
  });

  it('are only those that came to their end', async () => {
    endpoint.reply(overloaded());
    endpoint.reply('Hello');
    const live = await recorder();
    assert.equal(problemIn((await ask(live)).error).kind, 'server');
    await ask(live);
    assert.equal((await readFile(file, 'utf8')).trimEnd().split('\n').length, 1);
  });

  it('have no key in them, even when the model repeats it', async () => {
    const key = 'AIza"odd\\Key';
    endpoint.reply(`Your key is ${key}.`);
    await ask(await recorder(key));
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, /odd/);
    assert.match(text, /Your key is …\./);
    assert.doesNotThrow(() => JSON.parse(text));
  });

  describe('that cannot be used are named with their line:', () => {
    const good =
      '{"method":"generateContentStream","response":[{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}]}]}';
    const cases: readonly [what: string, text: string, says: RegExp][] = [
      ['not JSON', `${good}\n\n{nonsense\n`, /answers\.jsonl, line 3, is not JSON/],
      [
        'no method',
        '{"response":[]}',
        /line 1, has no method that is generateContentStream, generateContent, countTokens/,
      ],
      ['another method', '{"method":"embedContent","response":{}}', /line 1, has no method/],
      [
        'a response of another method',
        '{"method":"generateContentStream","response":{}}',
        /line 1, has a response that is none of generateContentStream/,
      ],
      [
        'a part that is none',
        '{"method":"generateContent","response":{"candidates":[{"content":{"parts":[{"text":7}]}}]}}',
        /line 1, has a response/,
      ],
      [
        'the wrong one next',
        '\n{"method":"countTokens","response":{"totalTokens":7}}',
        /line 2, is an answer to countTokens, and generateContentStream was asked for/,
      ],
      ['nothing', '', /ends after line 0, and generateContentStream was asked for/],
    ];
    for (const [what, text, says] of cases) {
      it(what, async () => {
        await folder.write({ 'answers.jsonl': text });
        const { kind, detail } = problemIn((await ask(await replayer())).error);
        assert.equal(kind, 'bad-input');
        assert.match(detail, says);
      });
    }

    it('the end of the file', async () => {
      await folder.write({ 'answers.jsonl': `${good}\n` });
      const replay = await replayer();
      assert.equal((await ask(replay)).text, 'Hi');
      assert.match(problemIn((await ask(replay)).error).detail, /ends after line 1/);
    });

    it('an answer that a model would be blamed for', async () => {
      await folder.write({
        'answers.jsonl': '{"method":"generateContentStream","response":[{"promptFeedback":{"blockReason":"SAFETY"}}]}',
      });
      assert.equal(problemIn((await ask(await replayer())).error).kind, 'refused-by-model');
    });
  });
});
