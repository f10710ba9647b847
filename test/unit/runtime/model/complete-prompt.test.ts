import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { AgentService } from '../../../../extension/runtime/agent-service.ts';
import { gate } from '../../../support/gemini/gate.ts';
import { hold, thought, usage } from '../../../support/gemini/script.ts';
import { useGemini } from '../../../support/gemini/suite.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { type TestHostOptions, testHost } from '../../../support/test-host.ts';

describe('An answer outside of any conversation', () => {
  const gemini = useGemini();
  const question = { what: 'A commit message', instruction: 'Be brief.', text: 'The changes' };

  function service(options: TestHostOptions = {}): AgentService {
    return new AgentService(testHost({ baseUrl: gemini().url, ...options }));
  }
  const never = new AbortController().signal;

  it('comes from the model of the settings, without tools and without thoughts', async () => {
    gemini().reply(thought('Hm.'), 'Fix', ' it', usage({ promptTokenCount: 7, candidatesTokenCount: 2 }));
    const answer = await service({ modelName: 'gemini-2.5-flash' }).complete(question, never);
    assert.equal(answer, 'Fix it');
    const [request] = gemini().requests;
    assert.equal(request?.model, 'gemini-2.5-flash');
    assert.deepEqual(request?.toolNames, []);
    assert.match(JSON.stringify(request?.body), /"Be brief\."/);
    assert.match(JSON.stringify(request?.body.contents), /The changes/);
  });

  it('leaves no session behind', async () => {
    const folder = await tempFolder('sessions');
    gemini().reply('Fix it');
    const agent = service({ sessions: folder.path });
    await agent.complete(question, never);
    assert.deepEqual(await agent.library?.list(), []);
    await agent.dispose();
    await folder.dispose();
  });

  it('needs a model: the offline guide says so', async () => {
    await assert.rejects(service({ baseUrl: '' }).complete(question, never), {
      name: 'ProblemError',
      message: /^A commit message needs a model\. The offline guide is a script/,
    });
  });

  it('is not asked for when its cost is limited and not known', async () => {
    const limited = service({ promptLimit: { cost: 1 } });
    await assert.rejects(limited.complete(question, never), /The price of .* is unknown/);
  });

  it('can be stopped', async () => {
    const held = gate();
    gemini().reply(hold(held), 'Too late');
    const stopped = new AbortController();
    const answer = service().complete(question, stopped.signal);
    await held.reached;
    stopped.abort();
    await assert.rejects(answer, { name: 'AbortError' });
  });

  it('is not asked for when there is too much to send', async () => {
    await assert.rejects(
      service().complete({ ...question, text: 'x'.repeat(3 * 1024 * 1024) }, never),
      /The message is too long/,
    );
  });
});
