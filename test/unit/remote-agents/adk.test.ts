import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { openQuestions, untilAsked } from '../../support/agent.ts';
import { drain, message } from '../../support/conversation.ts';
import { type AdkProcess, startAdkAgent } from '../../support/remote-agents/adk-process.ts';
import { useRemoteAgents } from '../../support/remote-agents/remote-suite.ts';
import { invoke } from '../../support/subagents.ts';

const TOKEN = 's3cret';

describe('A remote agent of ADK, served by toA2a', () => {
  const remote = useRemoteAgents();
  let adk: AdkProcess;
  before(async () => {
    adk = await startAdkAgent(TOKEN);
  });
  after(() => adk.dispose());

  async function open(): Promise<AgentService> {
    await remote.define(adk, 'auth:', '  type: http', '  scheme: Bearer', '  token: $FAR_TOKEN');
    return remote.open({ environment: { ...remote.agents.environment, FAR_TOKEN: TOKEN } });
  }

  it('works, with its calls as part of its thread', async () => {
    const { result, thread } = await remote.run(await open());
    assert.equal(result, 'The agent far is done. Its report:\n\nIt is sunny in {"town":"Bern"}.');
    assert.ok(thread.some((line) => line.startsWith('thought: ') && line.includes('get_weather')));
    const said = thread.flatMap((line) => (line.startsWith('agent: ') ? line.slice('agent: '.length) : []));
    assert.equal(said.join(''), 'It is sunny in {"town":"Bern"}.');
    assert.equal(thread.at(-1), 'agent_end completed');
  });

  it('asks, and is answered with the result of its call', async () => {
    remote.agents.script('Go', invoke('far', 'The weather here'), 'Thanks.');
    const session = await (await open()).createSession();
    const run = drain(session.sendStream(message('Go')));
    await untilAsked(session);
    const [requestId = ''] = openQuestions(session);
    const content = { decision: 'once', answers: { 0: 'Thun' } };
    await session.send({ elicitations: [{ requestId, action: 'accept', content }] });
    await run;
    assert.match(remote.handed(session).result, /It is sunny in \{"result":"Thun"\}\./);
  });

  it('without its token is an error that says so', async () => {
    await remote.define(adk);
    assert.match((await remote.run()).result, /wants other credentials \(HTTP 401\)/);
  });
});
