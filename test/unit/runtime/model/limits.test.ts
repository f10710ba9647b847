import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'mocha';
import type { Limits } from '../../../../extension/ports/settings.ts';
import type { Tool } from '../../../../extension/ports/tool.ts';
import type { AgentEvent } from '../../../../extension/protocol/agent/agent-event.ts';
import type { AgentSend } from '../../../../extension/protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../../../../extension/protocol/agent/agent-session.ts';
import { idOf, openQuestions, useAgent } from '../../../support/agent.ts';
import { all, answer, drain, message, outline, testTool, until } from '../../../support/conversation.ts';
import { gate } from '../../../support/gemini/gate.ts';
import { call, modelVersion, type Piece, pause, usage } from '../../../support/gemini/script.ts';
import { type TestHostOptions, testHost } from '../../../support/test-host.ts';

const CONTINUE: AgentSend = { action: { type: 'continue', data: undefined } };
const MINUTE = 60_000;
const PRICES = { gemini: { input: 100_000, output: 0 } };
const look = testTool('look', 'read', async () => ({ content: 'seen' }));

/** A clock that the test moves. */
class TestClock {
  time = Date.UTC(2030, 0, 1);
  now = (): number => this.time;
}

describe('A limit', () => {
  const agent = useAgent();

  async function open(options: TestHostOptions, tools: readonly Tool[] = [look]): Promise<AgentSession> {
    return agent.open(tools, options).createSession();
  }

  const perPrompt: readonly [string, TestHostOptions, string, Record<string, unknown>][] = [
    ['turns', { promptLimit: { turns: 2 } }, 'max_turns', { maxTurns: 2, turnCount: 2 }],
    ['tokens', { promptLimit: { tokens: 20 } }, 'max_budget', { maxTokens: 20, tokens: 20 }],
    ['cost', { promptLimit: { cost: 2 }, prices: PRICES }, 'max_budget', { maxCost: 2, cost: 2 }],
  ];
  for (const [what, options, reason, data] of perPrompt) {
    it(`of ${what} for a message ends the run after two turns, and continuing gives two more`, async () => {
      agent.endpoint.always(lookFor(10));
      const session = await open(options);
      const first = end(await all(session, message('go')));
      assert.equal(first.reason, reason);
      assert.deepEqual(pick(first.data, data), data);
      assert.equal(first.data?.['scope'], 'prompt');
      assert.equal(agent.endpoint.requests.length, 2);
      assert.equal(end(await all(session, CONTINUE)).reason, reason);
      assert.equal(agent.endpoint.requests.length, 4);
      assert.equal(end(await all(session, message('more'))).reason, reason);
      assert.equal(agent.endpoint.requests.length, 6);
    });
  }

  const perSession: readonly [string, TestHostOptions][] = [
    ['turns', { sessionLimit: { turns: 2 } }],
    ['tokens', { sessionLimit: { tokens: 20 } }],
    ['cost', { sessionLimit: { cost: 2 }, prices: PRICES }],
  ];
  for (const [what, options] of perSession) {
    it(`of ${what} for the session holds for the next message too, and after a restart, until told to continue`, async () => {
      agent.endpoint.always(lookFor(10));
      const service = agent.open([look], options);
      const before = await service.createSession();
      assert.equal(end(await all(before, message('go'))).data?.['scope'], 'session');
      await all(before, message('more'));
      await service.dispose();
      const session = await agent.open([look], options).resumeSession(idOf(before));
      await all(session, message('and now'));
      assert.equal(agent.endpoint.requests.length, 2);
      assert.equal(end(await all(session, CONTINUE)).data?.['scope'], 'session');
      assert.equal(agent.endpoint.requests.length, 4);
      await all(session, message('still'));
      assert.equal(agent.endpoint.requests.length, 4);
    });
  }

  it('of cost sends nothing to a model whose price is not known', async () => {
    const session = await open({ promptLimit: { cost: 1 }, prices: { other: { input: 1, output: 1 } } });
    const seen = await all(session, message('go'));
    assert.deepEqual(outline(seen).slice(-2), ['error', 'agent_end failed']);
    const error = seen.find((event) => event.type === 'error');
    assert.equal(error?.type === 'error' && error._meta?.problem?.kind, 'bad-configuration');
    assert.equal(agent.endpoint.requests.length, 0);
  });

  it('of cost holds when the answer names its model otherwise', async () => {
    agent.endpoint.always(lookFor(10), modelVersion('models/some-alias'));
    const session = await open({ promptLimit: { cost: 2 }, prices: PRICES });
    assert.equal(end(await all(session, message('go'))).reason, 'max_budget');
    assert.equal(agent.endpoint.requests.length, 2);
  });

  it('of time does not count the time an approval waits', async () => {
    const clock = new TestClock();
    const write = testTool('write', 'edit', async () => {
      clock.time += 0.6 * MINUTE;
      return { content: 'written' };
    });
    agent.endpoint.reply(call('write', {}));
    agent.endpoint.reply(call('write', {}));
    const session = await agent.open([write], { promptLimit: { minutes: 1 } }, { clock }).createSession();
    const run = drain(session.sendStream(message('go')));
    for (const asked of [1, 2]) {
      await untilAsked(session, asked);
      clock.time += 100 * MINUTE;
      await session.send(answer(openQuestions(session)[0] ?? '', 'accept'));
    }
    const last = end(await run);
    assert.equal(last.reason, 'max_time');
    assert.deepEqual(last.data, { code: 'MAX_TIME_EXCEEDED', scope: 'prompt', maxMinutes: 1 });
    agent.endpoint.reply('Fine.');
    assert.equal(end(await all(session, CONTINUE)).reason, 'completed');
  });

  it('of time does not count the time between runs, or the time Gantry was closed', async () => {
    const clock = new TestClock();
    const options = { sessionLimit: { minutes: 10 } };
    const door = gate();
    agent.endpoint.reply('one');
    agent.endpoint.reply('Half ', pause(door), 'never');
    const service = agent.open([look], options, { clock });
    const session = await service.createSession();
    await all(session, message('go'));
    clock.time += 600 * MINUTE;
    await session.send(message('again'));
    await until(session, 'agent: Half ');
    await service.dispose();
    clock.time += 600 * MINUTE;
    const again = await agent.open([look], options, { clock }).resumeSession(idOf(session));
    agent.endpoint.reply('answer.');
    assert.equal(end(await all(again, CONTINUE)).reason, 'completed');
  });

  it('of time continues from there when told to continue', async () => {
    const clock = new TestClock();
    const slow = testTool('look', 'read', async () => {
      clock.time += 2 * MINUTE;
      return { content: 'seen' };
    });
    agent.endpoint.reply(call('look', {}));
    agent.endpoint.reply('done');
    const session = await agent.open([slow], { sessionLimit: { minutes: 1 } }, { clock }).createSession();
    assert.equal(end(await all(session, message('go'))).reason, 'max_time');
    assert.equal(end(await all(session, message('more'))).reason, 'max_time');
    assert.equal(end(await all(session, CONTINUE)).reason, 'completed');
  });

  it('keeps a message that waits, for when it continues', async () => {
    const door = gate();
    const slow = testTool('look', 'read', async (_args, { signal }) => {
      await door.pass(signal);
      return { content: 'seen' };
    });
    agent.endpoint.reply(call('look', {}));
    agent.endpoint.reply('done');
    const session = await open({ maxTurns: 1 }, [slow]);
    const run = all(session, message('go'));
    await door.reached;
    await session.send(message('and this'));
    door.open();
    assert.equal(end(await run).reason, 'max_turns');
    await all(session, CONTINUE);
    assert.match(JSON.stringify(agent.endpoint.requests.at(-1)?.contents.at(-1)), /and this/);
  });

  it('of more minutes than a timer can wait for is not looked at all the time', async () => {
    const door = gate();
    agent.endpoint.reply(pause(door), 'done');
    let looks = 0;
    const { settings } = testHost({ promptLimit: { minutes: 100_000 } });
    const limits = (): Limits => {
      looks++;
      return settings.limits();
    };
    const session = await agent.open([look], {}, { settings: { ...settings, limits } }).createSession();
    const run = all(session, message('go'));
    await door.reached;
    const before = looks;
    // Node takes a time that is too long for 1 ms. Timers of the same time end in their order: that one would come first.
    await delay(1);
    assert.equal(looks, before);
    door.open();
    assert.equal(end(await run).reason, 'completed');
  });
});

/** A model that always wants another look, and used so many tokens. */
function lookFor(tokens: number): Piece {
  return [call('look', {}), usage({ promptTokenCount: tokens, candidatesTokenCount: 0 })];
}

function end(events: readonly AgentEvent[]): Extract<AgentEvent, { type: 'agent_end' }> {
  const last = events.at(-1);
  assert.ok(last?.type === 'agent_end');
  return last;
}

function pick(data: Readonly<Record<string, unknown>> | undefined, like: object): object {
  return Object.fromEntries(Object.keys(like).map((key) => [key, data?.[key]]));
}

async function untilAsked(session: AgentSession, count: number): Promise<void> {
  const asked = (): number => session.events.filter(({ type }) => type === 'elicitation_request').length;
  if (asked() >= count) return;
  await new Promise<void>((resolve) => {
    const stop = session.subscribe(() => {
      if (asked() < count) return;
      stop();
      resolve();
    });
  });
}
