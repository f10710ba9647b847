import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  apiError,
  blockedPrompt,
  cut,
  cutInFrame,
  forbidden,
  htmlPage,
  invalidKey,
  malformedFrame,
  noCandidates,
  noContent,
  overloaded,
  quotaExceeded,
  serverError,
  streamError,
  unauthorized,
} from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import { delay, finish, hold, type Piece, pause, slow, text } from '../../support/gemini/script.ts';
import { collect, SdkClient } from '../../support/gemini/sdk.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';

describe('the Gemini endpoint for tests misbehaves with', () => {
  let endpoint: GeminiEndpoint;
  let sdk: SdkClient;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    sdk = new SdkClient(endpoint.url);
  });

  afterEach(() => endpoint.dispose());

  const errors: readonly [string, Piece, number, RegExp][] = [
    ['429 with quota and retry details', quotaExceeded({ retryDelay: '3s' }), 429, /QuotaFailure.*RetryInfo.*"3s/s],
    ['a wrong key', invalidKey(), 400, /API_KEY_INVALID/],
    ['401', unauthorized(), 401, /UNAUTHENTICATED/],
    ['403', forbidden(), 403, /SERVICE_DISABLED/],
    ['500', serverError(), 500, /INTERNAL/],
    ['503', overloaded(), 503, /overloaded/],
    ['any other status', apiError(418, { message: 'short and stout' }), 418, /stout/],
    ['an HTML page with an error status', htmlPage(502), 502, /<!DOCTYPE html>/],
  ];
  for (const [name, piece, status, message] of errors) {
    it(`${name}, streamed or not`, async () => {
      endpoint.always(piece);
      for (const attempt of [() => sdk.ask(), () => sdk.generate()]) {
        await assert.rejects(attempt(), { name: 'ApiError', status, message });
      }
    });
  }

  it('a stream error that the SDK wraps twice, as the real service makes it do', async () => {
    endpoint.reply(invalidKey());
    await assert.rejects(sdk.ask(), /^ApiError: \{"error":\{"message":"\{\\n {2}\\"error\\"/);
  });

  it('a Retry-After header', async () => {
    endpoint.reply(overloaded({ retryAfter: '12' }));
    const body = '{"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}';
    const response = await fetch(`${endpoint.url}/v1beta/models/m:generateContent`, { method: 'POST', body });
    assert.equal(response.headers.get('retry-after'), '12');
  });

  it('an HTML page instead of a stream', async () => {
    endpoint.reply(htmlPage());
    await assert.rejects(sdk.ask(), /Incomplete JSON segment/);
  });

  it('a stall before the headers, until released', async () => {
    const door = gate();
    endpoint.reply(hold(door), 'late');
    const answer = watch(sdk.open());
    await door.reached;
    await roundTrip();
    assert.equal(answer.settled, false);
    door.open();
    assert.equal((await collect(await answer.promise)).text, 'late');
  });

  it('a stall after the headers, until released', async () => {
    const door = gate();
    endpoint.reply(pause(door), 'late');
    const answer = await sdk.open();
    const first = watch(answer.next());
    await roundTrip();
    assert.equal(first.settled, false);
    door.open();
    assert.equal((await first.promise).value?.text, 'late');
  });

  it('a stall between chunks, until released', async () => {
    const door = gate();
    endpoint.reply('a', pause(door), 'b');
    const answer = await sdk.open();
    assert.equal((await answer.next()).value?.text, 'a');
    const rest = watch(collect(answer));
    await door.reached;
    await roundTrip();
    assert.equal(rest.settled, false);
    door.open();
    assert.equal((await rest.promise).text, 'b');
  });

  /** Long enough for anything the endpoint had sent before to have arrived. */
  async function roundTrip(): Promise<void> {
    await sdk.countTokens('ping');
  }

  it('slow chunks', async () => {
    endpoint.reply(slow(1, 'a', 'b'), delay(1), text('c'));
    assert.deepEqual(
      (await sdk.ask()).chunks.map((chunk) => chunk.text),
      ['a', 'b', 'c'],
    );
  });

  it('a stall, and notices the client that aborts there', async () => {
    const doors = [gate(), gate()] as const;
    endpoint.reply(hold(doors[0]), 'never');
    endpoint.reply('a', pause(doors[1]), 'never');
    for (const [index, door] of doors.entries()) {
      const abort = new AbortController();
      const answer = sdk.ask('Hi', { abortSignal: abort.signal });
      await door.reached;
      assert.equal(endpoint.requests[index]?.outcome, undefined);
      abort.abort();
      await assert.rejects(answer, { name: 'AbortError' });
      assert.equal(await endpoint.requests[index]?.closed, 'disconnected');
      assert.equal(endpoint.requests[index]?.disconnected, true);
    }
  });

  it('a connection cut before the headers', async () => {
    endpoint.reply(cut());
    await assert.rejects(sdk.open(), TypeError);
    assert.equal(await endpoint.requests[0]?.closed, 'cut');
  });

  for (const [place, ending] of [
    ['between two events', cut()],
    ['in the middle of an event', cutInFrame('lost')],
  ] as const) {
    it(`a stream cut ${place}`, async () => {
      const door = gate();
      endpoint.reply('a', pause(door), ending);
      const answer = await sdk.open();
      const { value } = await answer.next();
      assert.deepEqual([value?.text, value?.candidates?.[0]?.finishReason], ['a', undefined]);
      door.open();
      await assert.rejects(answer.next(), TypeError);
      assert.equal(await endpoint.requests[0]?.closed, 'cut');
    });
  }

  it('a whole answer cut in the middle', async () => {
    endpoint.reply('some text', cut());
    await assert.rejects(sdk.generate(), TypeError);
  });

  it('a malformed event, after a good one', async () => {
    endpoint.reply('a', malformedFrame());
    const answer = await sdk.open();
    assert.equal((await answer.next()).value?.text, 'a');
    await assert.rejects(answer.next(), SyntaxError);
  });

  for (const framed of [true, false]) {
    it(`an error inside a stream that began well, ${framed ? 'as an event' : 'bare'}`, async () => {
      const door = gate();
      endpoint.reply('a', pause(door), streamError(503, 'overloaded', framed));
      const answer = await sdk.open();
      const { value } = await answer.next();
      assert.equal(value?.candidates?.[0]?.finishReason, undefined);
      door.open();
      await assert.rejects(answer.next(), { name: 'ApiError', status: 503 });
    });
  }

  const empties: readonly [string, Piece, number, string | undefined][] = [
    ['a stream without events', [], 0, undefined],
    ['no candidates', noCandidates(), 1, undefined],
    ['a candidate without content', noContent(), 1, 'STOP'],
    ['only a finish reason', finish('SAFETY'), 1, 'SAFETY'],
    ['a blocked prompt', blockedPrompt(), 1, undefined],
    ['no finish reason', ['half', finish('none')], 1, undefined],
  ];
  for (const [name, piece, count, reason] of empties) {
    it(`an empty answer: ${name}`, async () => {
      endpoint.always(piece);
      const { chunks } = await sdk.ask();
      assert.equal(chunks.length, count);
      assert.equal(chunks[0]?.candidates?.[0]?.finishReason, reason);
      assert.equal((await sdk.generate()).candidates?.[0]?.finishReason, reason);
    });
  }

  it('a report when the script cannot be played', async () => {
    endpoint.reply('a', serverError());
    await assert.rejects(sdk.ask());
    assert.match(endpoint.takeProblems().join(), /must come before anything is sent/);
  });
});

interface Watched<T> {
  readonly promise: Promise<T>;
  readonly settled: boolean;
}

function watch<T>(promise: Promise<T>): Watched<T> {
  const watched = { promise, settled: false };
  const mark = (): void => {
    watched.settled = true;
  };
  promise.then(mark, mark);
  return watched;
}
