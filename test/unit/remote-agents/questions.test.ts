import assert from 'node:assert/strict';
import { TaskState } from '@a2a-js/sdk';
import { describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { Transcript } from '../../../extension/protocol/transcript/transcript.ts';
import { remoteQuestion } from '../../../extension/remote-agents/remote-question.ts';
import { TaskProgress } from '../../../extension/remote-agents/task-progress.ts';
import { openQuestions, untilAsked } from '../../support/agent.ts';
import { drain, message } from '../../support/conversation.ts';
import { dataPart } from '../../support/remote-agents/a2a-site.ts';
import { useRemoteAgents } from '../../support/remote-agents/remote-suite.ts';
import { invoke, threadsOf } from '../../support/subagents.ts';

describe('A question of a remote agent', () => {
  const remote = useRemoteAgents();
  /** Hands over the task, and answers what the agent asks. */
  async function answered(task: string, action: 'accept' | 'decline', ...answers: string[]): Promise<AgentSession> {
    remote.agents.script('Go', invoke('far', task), 'Thanks.');
    const service = remote.open();
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    const question = await untilAsked(session);
    assert.equal(question.threadId, threadsOf(session)[0]);
    assert.equal(service.questions.items.length, 1);
    const shown = new Transcript();
    for (const event of session.events) shown.apply(event);
    assert.match(JSON.stringify(shown.entries), /"requestId":"question-/);
    const [requestId = ''] = openQuestions(session);
    const content = action === 'accept' ? { decision: 'once', answers: { ...answers } } : {};
    await session.send({ elicitations: [{ requestId, action, content }] });
    await run;
    assert.deepEqual(service.questions.items, []);
    return session;
  }

  it('is asked on the card of the agent, and the answer continues its task', async () => {
    const site = await remote.site((turn) => {
      if (turn.isAnswer) turn.begin().say('a', `In ${turn.text}.`).end();
      else turn.begin().say('b', 'Let me see. ').end(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which town?');
    });
    await remote.define(site);
    const session = await answered('Look', 'accept', 'Bern');
    const { result, thread } = remote.handed(session);
    assert.match(result, /In Bern\./);
    assert.deepEqual(site.messages, ['Look', 'Bern']);
    assert.ok(thread.some((line) => line.startsWith('tool_request ask_user Which town?')));
    assert.equal(thread.at(-1), 'agent_end completed');
  });

  it('that nobody answers ends the task, with what was asked', async () => {
    const site = await remote.site((turn) => turn.begin().end(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which town?'));
    await remote.define(site);
    const { result } = remote.handed(await answered('Look', 'decline'));
    assert.match(result, /It asked a question, and nobody answered\. It asked: Which town\?/);
    assert.deepEqual(site.messages, ['Look']);
    assert.equal(site.canceled.length, 1);
  });

  it('cannot be asked where nobody is there', async () => {
    const site = await remote.site((turn) => turn.begin().end(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which town?'));
    await remote.define(site);
    assert.match(
      (await remote.run(remote.open({ interactive: false }))).result,
      /nobody answered\. It asked: Which town\?/,
    );
  });

  describe("of Gemini CLI's server", () => {
    const { TASK_STATE_WORKING: working, TASK_STATE_INPUT_REQUIRED: waits } = TaskState;
    const call = (status: string) =>
      dataPart({
        request: { callId: 'c1', name: 'write_file', args: { file_path: 'a' } },
        status,
        tool: { schema: {} },
      });

    it('is none where it has nothing to ask: it waits for the next message when it is done', async () => {
      const site = await remote.site((turn) => {
        turn.begin().move(working, dataPart({ subject: 'Plan', description: 'I look first.' }));
        turn.move(working, 'I will look.').move(working, call('scheduled')).move(working, call('success'));
        turn.move(working, 'It is ').move(working, '42.').end(waits);
      });
      await remote.define(site);
      const { result, thread } = await remote.run(remote.open({ interactive: false }));
      assert.equal(result, 'The agent far is done. Its report:\n\nIt is 42.');
      assert.ok(thread.some((line) => line.startsWith('thought: Plan: I look first.')));
      assert.ok(!thread.some((line) => line.includes('schema')));
    });

    it('is about a call, and its answer names the call', async () => {
      const site = await remote.site((turn) => {
        if (turn.isAnswer)
          turn
            .begin()
            .move(working, call('executing'))
            .move(working, call('success'))
            .move(working, 'Written.')
            .end(waits);
        else turn.begin().move(working, call('awaiting_approval')).end(waits);
      });
      await remote.define(site);
      const session = await answered('Look', 'accept', 'Yes');
      const { result, thread } = remote.handed(session);
      assert.match(result, /report:\n\nWritten\.$/);
      assert.equal(site.messages[1], JSON.stringify({ callId: 'c1', outcome: 'proceed_once' }));
      assert.ok(thread.some((line) => line.includes('ask_user write_file {"file_path":"a"}')));
    });

    it('is over while its call runs, although the task still says that it waits', () => {
      const progress = new TaskProgress();
      const states = ['awaiting_approval', undefined, 'scheduled', 'executing', 'success', undefined].map(
        (status, id) => {
          const { content } = call(status ?? '');
          const data = content?.$case === 'data' ? content.value : undefined;
          const message = { id: String(id), isOfAgent: true, parts: [{ kind: 'data', data, metadata: {} }] } as const;
          const ids = { taskId: 't', contextId: 'c' };
          progress.take({ kind: 'status', ids, status: { state: 'input-required', ...(status && { message }) } });
          return [progress.state, progress.said?.parts.length];
        },
      );
      const [asks, runs] = [
        ['input-required', 1],
        ['working', 1],
      ];
      assert.deepEqual(states, [asks, asks, runs, runs, runs, ['input-required', undefined]]);
    });
  });

  it('of an ADK agent is answered as the result of its call, or with yes or no', () => {
    const call = (name: string) =>
      ({ kind: 'data', data: { id: 'c1', name, args: {} }, metadata: { adk_type: 'function_call' } }) as const;
    const { questions, reply } = remoteQuestion('', [call('ask_town'), call('adk_request_confirmation')]);
    assert.deepEqual(
      questions.map(({ type }) => type),
      ['text', 'yesno'],
    );
    assert.deepEqual(
      reply({ 0: 'Bern', 1: 'Yes' }).map((part) => part.kind === 'data' && part.data),
      [
        { id: 'c1', name: 'ask_town', response: { result: 'Bern' } },
        { id: 'c1', name: 'adk_request_confirmation', response: { confirmed: true } },
      ],
    );
  });

  const asks = { type: 'ask_user', questions: [{ question: 'Which?', header: 'Town', type: 'text' }] };
  const forms: readonly (readonly [string, unknown, readonly string[], unknown])[] = [
    [
      'what another Gantry asks',
      { requestId: 'q1', title: 'Question', message: 'Which?', schema: {}, details: asks },
      ['Bern'],
      { requestId: 'q1', action: 'accept', content: { decision: 'once', answers: { 0: 'Bern' } } },
    ],
    ...(['yes', 'no'] as const).map(
      (said) =>
        [
          `an approval of another Gantry, with ${said}`,
          {
            requestId: 'q2',
            title: 'Run',
            message: 'rm x',
            schema: { properties: { decision: { enum: ['once', 'session'] } } },
          },
          [said],
          {
            requestId: 'q2',
            action: said === 'yes' ? 'accept' : 'decline',
            content: said === 'yes' ? { decision: 'once' } : {},
          },
        ] as const,
    ),
  ];
  for (const [what, data, answers, expected] of forms) {
    it(`may be ${what}`, () => {
      const { questions, reply } = remoteQuestion('', [{ kind: 'data', data, metadata: {} }]);
      assert.equal(questions.length, 1);
      const [part] = reply(Object.fromEntries(answers.entries()));
      assert.deepEqual(part?.kind === 'data' && part.data, expected);
    });
  }
});
