import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { UtilityCalls } from '../../../../extension/model/calls/utility-calls.ts';
import { ProblemError } from '../../../../extension/protocol/agent/problem.ts';
import { quotaExceeded, serverError } from '../../../support/gemini/faults.ts';
import { gate } from '../../../support/gemini/gate.ts';
import { finish, hold, usage } from '../../../support/gemini/script.ts';
import { useGemini } from '../../../support/gemini/suite.ts';
import { userSays } from '../asking.ts';
import { Caller, FLASH, LITE, NEVER } from './calling.ts';

describe('A question beside the conversation', () => {
  const gemini = useGemini();
  const call = { alias: LITE, purpose: 'A route', instruction: 'Choose.', contents: [userSays('Hi')] };
  const schema = { type: 'object', properties: { score: { type: 'number' } } };

  function utility(): { readonly asking: Caller; readonly model: UtilityCalls; readonly used: string[] } {
    const asking = new Caller(gemini().url);
    const used: string[] = [];
    const model = new UtilityCalls({
      calls: asking.calls,
      now: () => asking.now,
      pause: async (ms) => void asking.waits.push(ms),
      random: () => 1,
      allowed: (name) => {
        if (name === 'forbidden') throw new Error('It costs too much.');
      },
      used: ({ answer, model: name }) => used.push(`${name} ${answer.usageMetadata?.totalTokenCount}`),
    });
    return { asking, model, used };
  }

  it('has a schema, and its tokens are counted', async () => {
    const { model, used } = utility();
    gemini().reply('{"score": 7}', usage({ promptTokenCount: 3, candidatesTokenCount: 2 }));
    assert.deepEqual(await model.json({ ...call, schema }, NEVER), { score: 7 });
    assert.deepEqual(used, [`${LITE} 5`]);
    const { generationConfig, systemInstruction } = gemini().requests[0]?.body ?? {};
    assert.equal(generationConfig?.['responseMimeType'], 'application/json');
    assert.deepEqual(generationConfig?.['responseJsonSchema'], schema);
    assert.match(JSON.stringify(systemInstruction), /Choose\./);
  });

  it('is asked once more when the answer is no JSON, after a wait, and then given up', async () => {
    const { asking, model } = utility();
    gemini().reply('Well,');
    gemini().reply('{"score": 8}');
    assert.deepEqual(await model.json({ ...call, schema }, NEVER), { score: 8 });
    assert.deepEqual(asking.waits, [6500]);
    gemini().always('Well,');
    await assert.rejects(model.json({ ...call, schema }, NEVER), (error) => ProblemError.is(error, 'bad-stream'));
  });

  it('is not answered by half an answer, whose tokens are counted', async () => {
    const { asking, model, used } = utility();
    for (const [reason, kind] of [
      ['MAX_TOKENS', 'bad-stream'],
      ['SAFETY', 'refused-by-model'],
    ] as const) {
      gemini().reply('{"score": 1}', finish(reason), usage({ promptTokenCount: 3, candidatesTokenCount: 2 }));
      await assert.rejects(model.json({ ...call, schema }, NEVER), (error) => ProblemError.is(error, kind));
      gemini().reply('A bridge of', finish(reason), usage({ promptTokenCount: 3, candidatesTokenCount: 2 }));
      await assert.rejects(model.text(call, NEVER), (error) => ProblemError.is(error, kind));
    }
    assert.deepEqual(used, Array(4).fill(`${LITE} 5`));
    assert.deepEqual(asking.waits, []);
  });

  it('goes down the chain by itself', async () => {
    const { asking, model } = utility();
    gemini().reply(quotaExceeded({ quotaId: 'RequestsPerDay' }));
    gemini().reply('Hello');
    assert.equal(await model.text(call, NEVER), 'Hello');
    assert.deepEqual(
      gemini().requests.map((request) => request.model),
      [LITE, FLASH],
    );
    assert.equal(asking.questions.length, 0);
  });

  it('does not wait beyond its time, and says so when none came', async () => {
    const { asking, model } = utility();
    gemini().always(serverError());
    await assert.rejects(model.text({ ...call, timeoutMs: 12_000 }, NEVER), (error) =>
      ProblemError.is(error, 'server'),
    );
    assert.deepEqual(asking.waits, [5000]);
    gemini().startOver();
    gemini().reply(hold(gate()), 'Too late');
    await assert.rejects(model.text({ ...call, timeoutMs: 50 }, NEVER), /^ProblemError: A route took too long\./);
  });

  it('is not asked of a model that must not be asked', async () => {
    const { model } = utility();
    await assert.rejects(model.text({ ...call, alias: 'forbidden' }, NEVER), /It costs too much/);
    assert.equal(gemini().requests.length, 0);
  });
});
