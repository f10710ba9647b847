import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { textPart } from '../../../extension/protocol/agent/content-part.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { openQuestions, untilAsked, untilEvent, useAgent } from '../../support/agent.ts';
import { all, answer, message, testTool } from '../../support/conversation.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause } from '../../support/gemini/script.ts';

const write = testTool('write', 'edit', async () => ({ content: 'written' }));
const [PRO, FLASH] = ['gemini-2.5-pro', 'gemini-2.5-flash'];

describe('A session that decides for itself whether somebody can be asked', () => {
  const agent = useAgent();

  for (const isHere of [true, false]) {
    it(`${isHere ? 'refuses' : 'asks'} although everyone else ${isHere ? 'is asked' : 'refuses'}`, async () => {
      const service = agent.open([write], { interactive: isHere });
      const session = await service.createSession({ interactive: !isHere });
      const other = await service.createSession();
      const [asking, refusing] = isHere ? [other, session] : [session, other];
      agent.endpoint.reply(call('write'));
      agent.endpoint.reply('No.');
      const refused = await all(refusing, message('go'));
      assert.match(JSON.stringify(refused), /nobody can be asked/);
      assert.deepEqual(openQuestions(refusing), []);
      agent.endpoint.reply(call('write'));
      agent.endpoint.reply('Done.');
      const run = all(asking, message('go'));
      const { requestId } = await untilAsked(asking);
      await asking.send(answer(requestId, 'accept'));
      await run;
    });
  }
});

describe('A message that names its model', () => {
  const agent = useAgent();
  const models = (): (string | undefined)[] => agent.endpoint.requests.map(({ model }) => model);
  const withModel = (text: string, model: string, delivery: 'steer' | 'queue' = 'steer') => ({
    message: { content: [textPart(text)], model, delivery },
  });

  it('is answered by it, and the next one by that of the session again', async () => {
    const session = await agent.open([], { modelName: PRO }).createSession();
    for (const text of ['one', 'two', 'three']) agent.endpoint.reply(text);
    await all(session, message('1'));
    await all(session, withModel('2', FLASH));
    await all(session, message('3'));
    assert.deepEqual(models(), [PRO, FLASH, PRO]);
  });

  it('keeps it when it waits for its turn', async () => {
    const door = gate();
    const session = await agent.open([], { modelName: PRO }).createSession();
    agent.endpoint.reply('o', pause(door), 'ne');
    agent.endpoint.reply('two');
    await session.send(message('1'));
    await door.reached;
    await session.send(withModel('2', FLASH, 'queue'));
    door.open();
    await untilEvent(session, () => ends(session) === 2);
    assert.deepEqual(models(), [PRO, FLASH]);
  });

  it('keeps it across a restart', async () => {
    const first = agent.open([write], { modelName: PRO });
    const session = await first.createSession();
    agent.endpoint.reply(call('write'));
    await session.send(withModel('go', FLASH));
    const { requestId } = await untilAsked(session);
    const again = await agent.reopen(first, session, [write]);
    agent.endpoint.reply('Done.');
    await again.send(answer(requestId, 'accept'));
    await untilEvent(again, () => ends(again) === 1);
    assert.deepEqual(models(), [FLASH, FLASH]);
  });

  it('is refused if it joins a run, which has a model already', async () => {
    const door = gate();
    const session = await agent.open().createSession();
    agent.endpoint.reply('o', pause(door), 'ne');
    await session.send(message('1'));
    await door.reached;
    await assert.rejects(session.send(withModel('2', FLASH)), (error) => ProblemError.is(error, 'bad-input'));
    await assert.rejects(session.send(withModel('2', '')), (error) => ProblemError.is(error, 'bad-input'));
    door.open();
    await untilEvent(session, () => ends(session) === 1);
  });
});

describe('The events of a stored session', () => {
  const agent = useAgent();

  it('are those that it had when it was open', async () => {
    const service = agent.open([write]);
    const session = await service.createSession();
    agent.endpoint.reply('Hello.');
    await all(session, message('Hi'));
    const { events } = session;
    await service.closeSession(session.id);
    assert.deepEqual(await service.library?.events(session.id), events);
  });
});

function ends({ events }: AgentSession): number {
  return events.filter(({ type }) => type === 'agent_end').length;
}
