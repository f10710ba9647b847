import assert from 'node:assert/strict';
import { ThinkingLevel } from '@google/genai';
import { describe, it } from 'mocha';
import {
  apiError,
  cut,
  http,
  noContent,
  overloaded,
  quotaExceeded,
  raw,
  serverError,
  unauthorized,
} from '../../../support/gemini/faults.ts';
import { finish, type Piece, thought } from '../../../support/gemini/script.ts';
import { useGemini } from '../../../support/gemini/suite.ts';
import { errorBody, JSON_TYPE, jsonText } from '../../../support/gemini/wire.ts';
import { userSays } from '../asking.ts';
import { ALONE, Caller, FLASH, LITE, NEVER, PRO } from './calling.ts';

const DAILY = quotaExceeded({ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' });
const FULL = apiError(503, { message: 'No capacity.', reason: 'MODEL_CAPACITY_EXHAUSTED' });

describe('Asking a model', () => {
  const gemini = useGemini();

  function caller(): Caller {
    return new Caller(gemini().url);
  }

  function replies(...pieces: Piece[]): void {
    for (const piece of pieces) gemini().reply(piece);
  }

  it('waits as the service wants it, tries again, and what answers is healthy', async () => {
    const asking = caller();
    replies(quotaExceeded({ retryDelay: '7s' }), overloaded(), ['Hello']);
    assert.deepEqual(await asking.stream(), [
      `ask ${FLASH}`,
      'wait 7700 for 2/10',
      `ask ${FLASH}`,
      'wait 14000 for 3/10',
      `ask ${FLASH}`,
      'said Hello',
      `done ${FLASH} 3`,
    ]);
    assert.equal(asking.health.isAvailable(FLASH), true);
  });

  it('asks the user when there is no capacity, and goes where they want for good', async () => {
    const asking = caller();
    replies(FULL, FULL, FULL, ['Hello']);
    assert.deepEqual(await asking.stream({ answers: ['retry_always'] }), [
      `ask ${FLASH}`,
      'wait 1100 for 2/10',
      `ask ${FLASH}`,
      'wait 3300 for 3/10',
      `ask ${FLASH}`,
      `${FLASH} -> ${PRO} for good`,
      `ask ${PRO}`,
      'said Hello',
      `done ${PRO} 4`,
    ]);
    assert.deepEqual(
      asking.questions.map(({ failed, other, isQuota }) => [failed, other, isQuota]),
      [[FLASH, PRO, false]],
    );
    assert.equal(asking.health.unavailability(FLASH), 'capacity', 'its mark stays');
  });

  it('asks the same model once more when the user wants it so, and asks the user again after that', async () => {
    const asking = caller();
    replies(DAILY, DAILY);
    const lines = await asking.stream({ answers: ['retry_once', 'stop'] });
    assert.deepEqual(lines, [`ask ${FLASH}`, `ask ${FLASH}`, 'failed: quota']);
    assert.deepEqual([asking.questions.length, asking.questions[0]?.isQuota], [2, true]);
    assert.equal(asking.health.isAvailable(FLASH), true, 'nobody gave it up');
  });

  it('goes to another model by itself where nobody is asked, and from then on begins there', async () => {
    const asking = caller();
    replies(DAILY, ['One'], ['Two']);
    assert.deepEqual(await asking.stream({ silent: true }), [
      `ask ${FLASH}`,
      `${FLASH} -> ${PRO}`,
      `ask ${PRO}`,
      'said One',
      `done ${PRO} 2`,
    ]);
    assert.deepEqual(await asking.stream({ silent: true }), [
      `${FLASH} -> ${PRO}`,
      `ask ${PRO}`,
      'said Two',
      `done ${PRO} 1`,
    ]);
  });

  it('does not go round in circles when no model answers', async () => {
    const asking = caller();
    replies(DAILY, DAILY);
    assert.deepEqual(await asking.stream({ silent: true }), [
      `ask ${FLASH}`,
      `${FLASH} -> ${PRO}`,
      `ask ${PRO}`,
      'failed: quota',
    ]);
    replies(DAILY, DAILY, DAILY);
    assert.equal((await asking.stream({ model: LITE, silent: true })).at(-1), 'failed: quota');
  });

  it('leaves a model that was named alone alone', async () => {
    const asking = caller();
    replies(DAILY, ['Hello']);
    assert.deepEqual(await asking.stream({ model: ALONE, silent: true }), [`ask ${ALONE}`, 'failed: quota']);
    assert.deepEqual(await asking.stream({ model: ALONE, silent: true }), [
      `ask ${ALONE}`,
      'said Hello',
      `done ${ALONE} 1`,
    ]);
  });

  it('waits for capacity like for anything else where there is no other model and nobody to ask', async () => {
    const asking = caller();
    gemini().always(FULL);
    assert.equal((await asking.stream({ model: ALONE, silent: true })).at(-1), 'failed: server');
    assert.deepEqual([gemini().requests.length, asking.waits.slice(0, 3)], [10, [5000, 10_000, 20_000]]);
  });

  it('lets the model of the conversation help out beside it, and remembers that', async () => {
    const asking = caller();
    replies(DAILY, ['One'], ['Two']);
    const beside = { model: ALONE, silent: true, isChat: false, active: FLASH };
    assert.equal((await asking.calls.ask(asking.call(beside), NEVER)).model, FLASH);
    assert.equal((await asking.calls.ask(asking.call(beside), NEVER)).model, FLASH);
    assert.deepEqual(
      gemini().requests.map(({ model }) => model),
      [ALONE, FLASH, FLASH],
    );
  });

  it('gives a model that was only busy another chance with the next message', async () => {
    const asking = caller();
    replies(overloaded(), overloaded(), overloaded(), ['One'], ['Two'], ['Three']);
    const auto = { model: PRO, auto: true, answers: [] };
    asking.health.markTerminal(LITE, 'quota');
    const lines = await asking.stream({ ...auto, silent: true });
    assert.deepEqual(lines.slice(-4), [`${PRO} -> ${FLASH}`, `ask ${FLASH}`, 'said One', `done ${FLASH} 4`]);
    assert.equal((await asking.stream({ ...auto, silent: true })).at(-1), `done ${FLASH} 1`);
    asking.health.resetTurn();
    assert.equal((await asking.stream({ ...auto, silent: true })).at(-1), `done ${PRO} 1`);
  });

  it('retracts what broke off, and asks for it four times', async () => {
    const asking = caller();
    replies(['Hal', cut()], ['Half', cut()], ['Ha', cut()], ['H', cut()]);
    assert.deepEqual(await asking.stream(), [
      `ask ${FLASH}`,
      'said Hal',
      'retracted',
      'wait 1000 for 2/4',
      `ask ${FLASH}`,
      'said Half',
      'retracted',
      'wait 2000 for 3/4',
      `ask ${FLASH}`,
      'said Ha',
      'retracted',
      'wait 4000 for 4/4',
      `ask ${FLASH}`,
      'said H',
      'failed: stream-cut',
    ]);
  });

  it('tells a model that said nothing that it did, at the end of the same contents', async () => {
    const asking = caller();
    replies([thought('Hm.')], [noContent()], ['Hello']);
    assert.equal((await asking.stream()).at(-1), `done ${FLASH} 3`);
    assert.deepEqual(gemini().requests[0]?.contents, [userSays('Hi')]);
    const [, second, third] = gemini().requests.map(({ contents }) => JSON.stringify(contents));
    assert.match(second ?? '', /"text":"\\n\[System: your last attempt had thoughts and no answer\./);
    assert.match(third ?? '', /"text":"\\n\[System: your last attempt was empty\./);
  });

  it('takes silence after the results of tools for an answer, and spaces for silence', async () => {
    const asking = caller();
    const results = [
      userSays('Hi'),
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] },
    ];
    replies([noContent()]);
    assert.equal((await asking.stream({ contents: results })).at(-1), `done ${FLASH} 1`);
    const facts = userSays('Facts about the machine and the workspace: none.');
    replies([noContent()]);
    assert.equal((await asking.stream({ contents: [...results, facts] })).at(-1), `done ${FLASH} 1`);
    replies([noContent()], ['Hello']);
    assert.equal((await asking.stream({ contents: [...results, userSays('And now?')] })).at(-1), `done ${FLASH} 2`);
    replies([' \n', '<!-- nothing -->\u200b'], ['Hello']);
    assert.equal((await asking.stream()).at(-1), `done ${FLASH} 2`);
  });

  for (const [what, pieces] of [
    ['a call that cannot be read', ['Half', finish('MALFORMED_FUNCTION_CALL')]],
    ['a block without a word', [noContent(), finish('SAFETY')]],
  ] as const) {
    it(`asks again after ${what}`, async () => {
      const asking = caller();
      gemini().reply(...pieces);
      gemini().reply('Hello');
      assert.equal((await asking.stream()).at(-1), `done ${FLASH} 2`);
      assert.deepEqual(asking.waits, [1000]);
    });
  }

  it('asks once for an answer whose length was used up before a word', async () => {
    const asking = caller();
    replies([thought('Hm.'), finish('MAX_TOKENS')], [noContent(), finish('MAX_TOKENS')]);
    assert.deepEqual(await asking.stream(), [`ask ${FLASH}`, 'said Hm.', `done ${FLASH} 1`]);
    assert.deepEqual(await asking.stream(), [`ask ${FLASH}`, 'said ', 'failed: empty-answer']);
  });

  describe('finds how long to wait in an error', () => {
    const RETRY = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '42s' };
    const error = errorBody(429, 'Resource exhausted.', [RETRY]);
    const passedOn = (inner: unknown): unknown => errorBody(429, JSON.stringify(inner, undefined, 2));
    const ways: readonly (readonly [way: string, json: unknown])[] = [
      ['that is plain', error],
      ['that is the element of an array', [error]],
      ['in an array, without a message', [{ error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [RETRY] } }]],
      ['behind another element', [{ usageMetadata: {} }, error]],
      ['in the words of another', passedOn(error)],
      ['that is an array in the words of another', [passedOn([error])]],
    ];
    for (const [way, json] of ways) {
      for (const [where, reply] of [
        ['instead of an answer', http(429, jsonText(json), { 'content-type': JSON_TYPE })],
        ['in the stream', [finish('none'), raw(jsonText(json))]],
      ] as const) {
        it(`${way}, ${where}`, async () => {
          const asking = caller();
          replies(reply, ['Hello']);
          await asking.stream();
          assert.deepEqual(asking.waits, [46_200]);
        });
      }
    }
  });

  it('asks once where another time would not help', async () => {
    const asking = caller();
    replies(unauthorized());
    assert.deepEqual(await asking.stream(), [`ask ${FLASH}`, 'failed: bad-credential']);
  });

  it('sends nothing of the model that failed to the one that takes over', async () => {
    const asking = new Caller(gemini().url, {
      resolve: ({ model, isRetry }) => ({
        model,
        config:
          model === FLASH
            ? { topK: 7, thinkingConfig: { thinkingLevel: ThinkingLevel.LOW } }
            : { temperature: isRetry ? 1 : 0, thinkingConfig: { thinkingLevel: ThinkingLevel.HIGH } },
      }),
    });
    replies(DAILY, ['Hello']);
    await asking.stream({ silent: true, config: { maxOutputTokens: 9, labels: { a: 'b' } } });
    assert.deepEqual(
      gemini().requests.map(({ body }) => body.generationConfig),
      [
        { topK: 7, maxOutputTokens: 9, thinkingConfig: { thinkingLevel: 'LOW' } },
        { temperature: 1, maxOutputTokens: 9, thinkingConfig: { thinkingLevel: 'HIGH' } },
      ],
    );
    assert.ok(gemini().requests.every(({ body }) => !('labels' in body)));
  });

  it('ends with Stop, in the middle of a wait too', async () => {
    const asking = caller();
    const stop = new AbortController();
    asking.onPause = () => stop.abort();
    replies(serverError());
    assert.deepEqual(await asking.stream({ signal: stop.signal }), [`ask ${FLASH}`, 'wait 5000 for 2/10', 'aborted']);
  });

  it('tries no more often than the settings, the caller or a deadline allow', async () => {
    const asking = caller();
    gemini().always(serverError());
    asking.maxAttempts = 2;
    await asking.stream();
    assert.equal(gemini().requests.length, 2);
    asking.maxAttempts = 10;
    assert.deepEqual(await asking.stream({ attempts: 1, silent: true }), [`ask ${FLASH}`, 'failed: server']);
    assert.equal(asking.health.isAvailable(FLASH), true, 'one attempt is no reason to give it up for all');
    await asking.stream({ deadline: asking.now + 20_000 });
    assert.deepEqual(asking.waits.slice(-2), [5000, 10_000]);
  });
});
