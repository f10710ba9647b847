import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CURRENT } from '../../../extension/model/catalog/model-names.ts';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSend } from '../../../extension/protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import type { Entry } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { idOf, unansweredCalls, useAgent } from '../../support/agent.ts';
import { all, message, outline, testTool } from '../../support/conversation.ts';
import { deferred } from '../../support/deferred.ts';
import { serverError } from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import type { RecordedRequest } from '../../support/gemini/request.ts';
import { call, pause, stream, together } from '../../support/gemini/script.ts';
import type { TestHostOptions } from '../../support/test-host.ts';

const CONTINUE: AgentSend = { action: { type: 'continue', data: undefined } };
const SWITCH_OFF: AgentSend = { update: { config: { loopDetection: false } } };
const STEP = 'I will open the file now and see whether the port in it is the right one. ';
const BOTH = [CURRENT.flash, CURRENT.pro];
const CHANT = stream(...Array.from({ length: 40 }, () => STEP));

describe('A model that goes in circles', () => {
  const agent = useAgent();
  let ran = 0;

  function looking(result: (at: number) => string = () => 'seen'): Tool {
    ran = 0;
    return testTool('look', 'read', async () => ({ content: result(ran++) }));
  }
  const open = (tools: readonly Tool[] = [looking()], options: TestHostOptions = {}): Promise<AgentSession> =>
    agent.open(tools, options).createSession();
  const repeat = (times: number): void => {
    for (let at = 0; at < times; at++) agent.endpoint.reply(call('look', {}));
  };
  const isCheck = ({ body }: RecordedRequest): boolean =>
    JSON.stringify(body).includes('unproductive_state_confidence');
  const lastTexts = (): string =>
    JSON.stringify(agent.endpoint.requests.findLast((request) => !isCheck(request))?.contents);

  it('with its calls is told once, and then gets on', async () => {
    const session = await open();
    repeat(5);
    agent.endpoint.reply('I see, done.');
    const seen = await all(session, message('go'));
    assert.equal(ran, 4);
    assert.deepEqual(unansweredCalls(seen), []);
    assert.deepEqual(outline(seen).slice(-6), [
      'tool_request look look',
      'tool_response look error',
      'loop',
      'agent: I see, done.',
      'usage',
      'agent_end completed',
    ]);
    const texts = lastTexts();
    assert.match(texts, /You are repeating yourself/);
    assert.match(texts, /Not run/);
    const notes = entriesOf(session).filter((entry) => entry.kind === 'note');
    assert.deepEqual(
      notes.map(({ text }) => text),
      ['Gantry was repeating itself and was told to try something else: look {}'],
    );
    agent.endpoint.reply('ok');
    await all(session, message('thanks'));
    assert.equal(lastTexts().split('You are repeating yourself').length, 2, 'it is told once');
    agent.endpoint.assertDone();
  });

  it('with its calls after it was told is stopped, and nothing of it runs', async () => {
    const session = await open();
    repeat(10);
    const seen = await all(session, message('go'));
    assert.equal(ran, 8);
    assertStopped(seen);
    assert.deepEqual(unansweredCalls(seen), []);
    agent.endpoint.assertDone();
  });

  it('is stopped in a cycle of calls, and with several in one answer', async () => {
    const other = testTool('other', 'read', async () => ({ content: 'seen' }));
    const session = await open([looking(), other]);
    for (let at = 0; at < 10; at++) agent.endpoint.reply(together(call('look', {}), call('other', {})));
    assertStopped(await all(session, message('go')));
    assert.equal(ran, 8);
  });

  it('continues with a fresh start when the user says so', async () => {
    const session = await open();
    repeat(10);
    assertStopped(await all(session, message('go')));
    repeat(4);
    agent.endpoint.reply('Done.');
    assert.deepEqual(outline(await all(session, CONTINUE)).slice(-1), ['agent_end completed']);
    assert.equal(ran, 12);
    agent.endpoint.assertDone();
  });

  it('is told and stopped again when it continues as before', async () => {
    const session = await open();
    repeat(10);
    assertStopped(await all(session, message('go')));
    repeat(10);
    assertStopped(await all(session, CONTINUE));
    assert.equal(ran, 16);
  });

  it('is left alone in a session where the user does not want it, also after a restart', async () => {
    const service = agent.open([looking()]);
    const session = await service.createSession();
    repeat(10);
    assertStopped(await all(session, message('go')));
    await session.send(SWITCH_OFF);
    repeat(12);
    agent.endpoint.reply('Done.');
    assert.deepEqual(outline(await all(session, CONTINUE)).slice(-1), ['agent_end completed']);
    assert.equal(ran, 20);
    const before = outline(session.events);
    const again = await agent.reopen(service, session, [looking()]);
    assert.deepEqual(outline(again.events).slice(0, before.length), before);
    repeat(12);
    agent.endpoint.reply('Done.');
    assert.deepEqual(outline(await all(again, message('more'))).slice(-1), ['agent_end completed']);
    assert.equal(ran, 12);
  });

  it('is left alone when the setting says so', async () => {
    const session = await open([looking()], { loopDetection: false });
    repeat(12);
    agent.endpoint.reply(...CHANT);
    assert.deepEqual(outline(await all(session, message('go'))).slice(-1), ['agent_end completed']);
    assert.equal(ran, 12);
  });

  it('begins anew with a new message', async () => {
    const session = await open();
    for (let times = 0; times < 4; times++) {
      repeat(4);
      agent.endpoint.reply('Done.');
      assert.deepEqual(outline(await all(session, message('go'))).slice(-1), ['agent_end completed']);
    }
    assert.equal(ran, 16);
    assert.ok(!outline(session.events).includes('loop'));
  });

  it('begins anew with a message during the run', async () => {
    const door = gate();
    const session = await open();
    repeat(4);
    agent.endpoint.reply('So', pause(door), ' far.', call('look', {}));
    repeat(3);
    agent.endpoint.reply('Done.');
    const run = all(session, message('go'));
    await door.reached;
    // The fifth call is one too many; from the message on it counts from one again.
    await session.send(message('Look a few more times.'));
    door.open();
    await run;
    assert.equal(outline(session.events).filter((line) => line === 'loop').length, 1);
    assert.equal(ran, 4 + 3);
    agent.endpoint.assertDone();
  });

  it('is not taken for one when its results change', async () => {
    const session = await open([looking((at) => `${at} % are done`)]);
    repeat(20);
    agent.endpoint.reply('Done.');
    await all(session, message('go'));
    assert.equal(ran, 20);
    assert.ok(!outline(session.events).includes('loop'));
  });

  it('is not taken for one while it waits for a process', async () => {
    const waiting: Tool = { ...looking(), isWaiting: () => true };
    const session = await open([waiting]);
    repeat(20);
    agent.endpoint.reply('Done.');
    await all(session, message('go'));
    assert.equal(ran, 20);
    assert.ok(!outline(session.events).includes('loop'));
  });

  it('with its words is cut off, told, and gets on', async () => {
    const session = await open();
    agent.endpoint.reply('Let me see. ', ...CHANT);
    agent.endpoint.reply('I see, done.');
    const seen = await all(session, message('go'));
    assert.deepEqual(outline(seen).slice(-4), ['loop', 'agent: I see, done.', 'usage', 'agent_end completed']);
    const contents = agent.endpoint.requests.at(-1)?.contents ?? [];
    const said =
      contents
        .find(({ role }) => role === 'model')
        ?.parts?.map(({ text }) => text)
        .join('') ?? '';
    assert.ok(said.startsWith('Let me see. I will open'), said);
    assert.ok(said.length < 3 * STEP.length, said);
    assert.match(JSON.stringify(contents.at(-1)), /the same words came again and again/);
    const shown = entriesOf(session).flatMap((entry) => (entry.kind === 'answer' ? entry : []));
    assert.deepEqual(
      shown.map(({ state }) => state),
      ['interrupted', 'done'],
    );
    assert.ok((shown[0]?.text.length ?? 0) < 12 * STEP.length, 'the rest of it is not shown');
  });

  it('with its words is stopped when it continues after it was told, and can be continued', async () => {
    const session = await open();
    agent.endpoint.reply(...CHANT);
    agent.endpoint.reply(...CHANT);
    assertStopped(await all(session, message('go')));
    agent.endpoint.reply('Done.');
    assert.deepEqual(outline(await all(session, CONTINUE)).slice(-1), ['agent_end completed']);
    agent.endpoint.assertDone();
  });

  it('drops the connection of an answer that it cuts off', async () => {
    const session = await open();
    agent.endpoint.reply(...CHANT, pause(gate()), 'never');
    agent.endpoint.reply('Done.');
    await all(session, message('go'));
    assert.equal(await agent.endpoint.requests[0]?.closed, 'disconnected');
  });

  it('as other models judge is told after thirty requests, and stopped when they judge so again', async () => {
    const asked: string[] = [];
    agent.endpoint.when(isCheck, ({ model, contents }) => {
      asked.push(model);
      assert.equal(contents.at(-1)?.role, 'user');
      return JSON.stringify({ unproductive_state_analysis: 'It counts.', unproductive_state_confidence: 0.95 });
    });
    const answered = deferred<void>();
    const answeredAgain = deferred<void>();
    const look = testTool('look', 'read', async () => {
      // A check is requested before the 30th request and before the 40th. Its answer counts before the next one.
      if (ran === 29) await answered.promise;
      if (ran === 38) await answeredAgain.promise;
      return { content: `${ran++}` };
    });
    ran = 0;
    const session = await agent.open([look]).createSession();
    let answers = 0;
    session.subscribe(({ type, _meta }) => {
      if (type !== 'usage' || !_meta?.['beside']) return;
      answers++;
      if (answers === 2) answered.resolve();
      if (answers === 4) answeredAgain.resolve();
    });
    agent.endpoint.always(call('look', {}));
    const seen = await all(session, message('go'));
    assertStopped(seen);
    assert.equal(ran, 30 + 9);
    assert.deepEqual(asked, [...BOTH, ...BOTH]);
    assert.match(lastTexts(), /Your last steps seem to lead nowhere/);
    assert.equal(outline(seen).filter((line) => line === 'loop').length, 2);
  });

  it('does not wait for the other models, and no longer asks them when it is done', async () => {
    const door = gate();
    agent.endpoint.when(isCheck, pause(door), 'too late');
    ran = 0;
    const look = testTool('look', 'read', async () => {
      if (ran === 31) await door.reached;
      return { content: `${ran++}` };
    });
    const session = await agent.open([look]).createSession();
    repeat(32);
    agent.endpoint.reply('Done.');
    assert.deepEqual(outline(await all(session, message('go'))).slice(-1), ['agent_end completed']);
    assert.equal(ran, 32);
    const checks = agent.endpoint.requests.filter(isCheck);
    assert.deepEqual(await Promise.all(checks.map(({ closed }) => closed)), ['disconnected']);
  });

  it('is not stopped when the models cannot be asked', async () => {
    agent.endpoint.when(isCheck, serverError());
    const session = await agent.open([looking((at) => `${at}`)]).createSession();
    repeat(45);
    agent.endpoint.reply('Done.');
    assert.deepEqual(outline(await all(session, message('go'))).slice(-1), ['agent_end completed']);
    assert.equal(ran, 45);
  });

  it('can be stopped by the user like any other', async () => {
    const session = await open();
    agent.endpoint.reply(...CHANT);
    agent.endpoint.reply('Done.');
    session.subscribe((event) => {
      if (event.type === 'custom' && event.kind === 'loop') void session.abort();
    });
    assert.deepEqual(outline(await all(session, message('go'))).slice(-1), ['agent_end aborted']);
  });

  it('gives the same events when the session is read again', async () => {
    const service = agent.open([looking()]);
    const session = await service.createSession();
    repeat(10);
    await all(session, message('go'));
    const live = outline(session.events);
    const again = await agent.reopen(service, session);
    assert.deepEqual(outline(again.events).slice(0, live.length), live);
    assert.equal(idOf(again), idOf(session));
  });

  it('says no to what it cannot be told', async () => {
    const session = await open();
    await assert.rejects(session.send({ update: { config: { loopDetection: 'no' } } }), /true or false/);
    await assert.rejects(session.send({ update: { config: {} } }), /can be configured/);
  });
});

function entriesOf({ events }: AgentSession): Entry[] {
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  return transcript.entries;
}

function assertStopped(seen: readonly AgentEvent[]): void {
  assert.deepEqual(outline(seen).slice(-3), ['loop', 'error', 'agent_end failed']);
  const error = seen.findLast((event) => event.type === 'error');
  assert.deepEqual(
    [error?.fatal, error?._meta?.['code'], error?._meta?.problem?.kind],
    [false, 'LOOP_DETECTED', 'loop'],
  );
  assert.deepEqual(error?._meta?.problem?.actions, ['keep-going', 'stop-detecting']);
  const end = seen.findLast((event) => event.type === 'agent_end');
  assert.deepEqual(end?.data, { code: 'LOOP_DETECTED' });
}
