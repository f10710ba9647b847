import assert from 'node:assert/strict';
import { TaskState } from '@a2a-js/sdk';
import { describe, it } from 'mocha';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { idOf, untilEvent } from '../../support/agent.ts';
import { all, message } from '../../support/conversation.ts';
import { type A2aSiteOptions, dataPart, textPart } from '../../support/remote-agents/a2a-site.ts';
import { useRemoteAgents } from '../../support/remote-agents/remote-suite.ts';
import { invoke, threadsOf } from '../../support/subagents.ts';

/** Each version over each transport, with and without streams. */
const WIRES: readonly A2aSiteOptions[] = (['1.0', '0.3'] as const).flatMap((version) =>
  (['JSONRPC', 'HTTP+JSON'] as const).flatMap((binding) =>
    [true, false].map((streams) => ({ version, binding, streams })),
  ),
);

describe('A remote agent', () => {
  const remote = useRemoteAgents();

  for (const options of WIRES) {
    const { version, binding, streams } = options;
    it(`works over A2A ${version}, ${binding}, ${streams ? 'with streams' : 'asked again and again'}`, async () => {
      const site = await remote.site((turn) => turn.begin().say('a', 'It is ').say('a', 'here.', true).end(), options);
      await remote.define(site);
      const { result, thread } = await remote.run();
      assert.equal(result, 'The agent far is done. Its report:\n\nIt is here.');
      assert.deepEqual(site.messages, ['Look']);
      assert.deepEqual(thread.slice(0, 3), ['initialize', 'user: Look', 'agent_start']);
      assert.equal(said(thread), 'It is here.');
      assert.equal(thread.at(-1), 'agent_end completed');
    });
  }

  it('may answer with a message instead of a task', async () => {
    const site = await remote.site((turn) => turn.answer('Nothing to do.'));
    await remote.define(site);
    const { result, thread } = await remote.run();
    assert.equal(result, 'The agent far is done. Its report:\n\nNothing to do.');
    assert.equal(said(thread), 'Nothing to do.');
  });

  it('may be defined with its card', async () => {
    const site = await remote.site((turn) => turn.begin().say('a', 'Done.').end());
    await remote.define(site, `agent_card_json: '${JSON.stringify(site.card)}'`);
    assert.match((await remote.run()).result, /report:\n\nDone\.$/);
    assert.ok(!site.requests.some(({ line }) => line.includes('card')));
  });

  it('reports what it made, and not how', async () => {
    const site = await remote.site((turn) => {
      turn.begin().move(TaskState.TASK_STATE_WORKING, 'I am looking.');
      turn.make('a', [
        textPart('Let me think. ', { adk_thought: true }),
        dataPart({ name: 'find' }, { adk_type: 'function_call' }),
        textPart('Found it.'),
      ]);
      turn.make('b', [dataPart({ line: 4 })], false, 'places').end();
    });
    await remote.define(site);
    const { result, thread } = await remote.run();
    assert.match(result, /report:\n\nFound it\.\n\nplaces:\n```json\n\{\n {2}"line": 4\n\}\n```$/);
    assert.ok(thread.includes('agent: I am looking.'));
    assert.ok(thread.some((line) => line.startsWith('thought: Let me think.')));
  });

  it('is not repeated where the last chunk has the whole text', async () => {
    const site = await remote.site((turn) =>
      turn.begin().say('a', 'One ').say('a', 'two', true).say('a', 'One two three').end(),
    );
    await remote.define(site);
    const { result, thread } = await remote.run();
    assert.equal(said(thread), 'One two three');
    assert.match(result, /report:\n\nOne two three$/);
  });

  const ends: readonly (readonly [TaskState, RegExp])[] = [
    [TaskState.TASK_STATE_FAILED, /^The agent far failed: The task failed there\. It says: No\./],
    [TaskState.TASK_STATE_REJECTED, /^The agent far failed: It rejected the task\. It says: No\./],
    [TaskState.TASK_STATE_CANCELED, /^The agent far failed: The task was canceled there\. It says: No\./],
    [TaskState.TASK_STATE_AUTH_REQUIRED, /^The agent far failed: It wants somebody to sign in there\. No\./],
  ];
  for (const [state, expected] of ends) {
    it(`that ends with ${TaskState[state]} is an error that says so, and the turn goes on`, async () => {
      const site = await remote.site((turn) => turn.begin().end(state, 'No.'));
      await remote.define(site);
      const { session, result, thread } = await remote.run();
      assert.match(result, expected);
      assert.equal(thread.at(-1), 'agent_end failed');
      const last = session.events.at(-1);
      assert.ok(last?.type === 'agent_end' && last.reason === 'completed');
    });
  }

  it('is told to stop when the user stops it, and the turn goes on', async () => {
    const site = await remote.site((turn) => void turn.begin().say('a', 'I begin.'));
    await remote.define(site);
    remote.agents.script('Go', invoke('far', 'Look'), 'Thanks.');
    const service = remote.open();
    const session = await service.createSession();
    const whole = all(session, message('Go'));
    await untilEvent(session, ({ type, threadId }) => type === 'message' && threadId !== undefined);
    const request = session.events.find(({ type }) => type === 'tool_request');
    assert.ok(request?.type === 'tool_request');
    await untilEvent(
      session,
      (event) => event.type === 'message' && said([`agent: ${JSON.stringify(event.content)}`]).includes('begin'),
    );
    await session.send({ action: { type: 'stop_agent', data: { callId: request.requestId } } });
    await whole;
    const { result, thread } = remote.handed(session);
    assert.match(result, /^Cancelled: /);
    assert.equal(thread.at(-1), 'agent_end aborted');
    assert.equal(site.canceled.length, 1);
    const last = session.events.at(-1);
    assert.ok(last?.type === 'agent_end' && last.reason === 'completed');
  });

  it('has a thread after a restart, which is only shown when it is opened', async () => {
    const site = await remote.site((turn) => turn.begin().say('a', 'It is here.').end());
    await remote.define(site);
    const service = remote.open();
    const { session } = await remote.run(service);
    const [thread = ''] = threadsOf(session);
    await service.dispose();
    const next = remote.open();
    const again = await next.resumeSession(idOf(session));
    assert.deepEqual(again.events, session.events);
    const own = await next.resumeSession(thread);
    await assert.rejects(own.send(message('More')), (error) => ProblemError.is(error, 'session-locked'));
    const exported = (await next.library?.export(idOf(session), 'markdown')) ?? '';
    assert.match(exported, /<summary>Thread of far<\/summary>\n\n> Look\n\nIt is here\./);
  });

  it('goes on there when the window is closed', async () => {
    const site = await remote.site((turn) => void turn.begin().say('a', 'I begin.'));
    await remote.define(site);
    remote.agents.script('Go', invoke('far', 'Look'), 'Thanks.');
    const service = remote.open();
    const session = await service.createSession();
    void session.send(message('Go'));
    await untilEvent(
      session,
      (event) => event.type === 'message' && event.role === 'agent' && event.threadId !== undefined,
    );
    await service.dispose();
    assert.deepEqual(site.canceled, []);
  });
});

function said(thread: readonly string[]): string {
  return thread.flatMap((line) => (line.startsWith('agent: ') ? line.slice('agent: '.length) : [])).join('');
}
