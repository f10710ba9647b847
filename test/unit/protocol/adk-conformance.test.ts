import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toolError } from '../../../extension/ports/tool.ts';
import type { AgentEndReason, AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentSend } from '../../../extension/protocol/agent/agent-protocol.ts';
import { textPart } from '../../../extension/protocol/agent/content-part.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { declineModels, openQuestions, untilEvent, useAgent } from '../../support/agent.ts';
import { all, answer, drain, message, outline, testTool, until } from '../../support/conversation.ts';
import { cut, malformedFrame, serverError } from '../../support/gemini/faults.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, finish, type Piece, pause, stream, usage } from '../../support/gemini/script.ts';
import type { TestHostOptions } from '../../support/test-host.ts';
import { assertNumbered } from './conformance.ts';

const RETRY: AgentSend = { action: { type: 'retry', data: undefined } };
const look = testTool('look', 'read', async () => ({ content: 'seen', display: { resultSummary: '1 line' } }));
const write = testTool('write', 'edit', async () => ({ content: 'written' }));

describe('A conversation with ADK behind it', () => {
  const agent = useAgent();

  it('begins with initialize, in a stream that has the id of the session', async () => {
    agent.endpoint.reply('ok');
    const session = await agent.open().createSession();
    await all(session, message('Hi'));
    const [first] = session.events;
    assert.ok(first?.type === 'initialize');
    assert.equal(first.streamId, first.sessionId);
    assert.equal(first.workspace, agent.workspace);
    assertNumbered(session.events);
  });

  it('shows what is meant for people and sends what is meant for the model', async () => {
    agent.endpoint.reply('ok');
    const session = await agent.open().createSession();
    const content = [textPart('Look at it.'), { type: 'reference', text: 'file content' } as const];
    await all(session, { message: { content, displayContent: 'Look at @it.' }, _meta: { source: 'user' } });
    const shown = session.events.find((event) => event.type === 'message');
    assert.ok(shown?.type === 'message');
    assert.deepEqual(shown.content, [textPart('Look at @it.')]);
    assert.equal(shown._meta?.['source'], 'user');
    assert.deepEqual(agent.endpoint.requests[0]?.contents[0]?.parts, [
      { text: 'Look at it.' },
      { text: 'Attached:\n<untrusted_context>\nfile content\n</untrusted_context>' },
    ]);
  });

  it('says in every run which model answers, before the answer', async () => {
    agent.endpoint.always('ok');
    const session = await agent.open().createSession();
    const models = (events: readonly AgentEvent[]): string[] => {
      const beforeAnswer = events.slice(
        0,
        events.findIndex((event) => event.type === 'message' && event.role === 'agent'),
      );
      return beforeAnswer.flatMap((event) => (event.type === 'session_update' ? (event.model ?? []) : []));
    };
    const [first, ...more] = models(await all(session, message('a')));
    assert.ok(first);
    assert.deepEqual(more, []);
    assert.deepEqual(models(await all(session, message('b'))), [first]);
    assert.deepEqual(await session.send({ update: { model: 'gemini-other' } }), { streamId: null });
    assert.deepEqual(models(await all(session, message('c'))), ['gemini-other']);
    assert.equal(agent.endpoint.requests.at(-1)?.model, 'gemini-other');
  });

  it('tells the use of every model call, also of one that asks for tools, and does not end with it', async () => {
    agent.endpoint.reply(call('look', {}), usage({ promptTokenCount: 10, candidatesTokenCount: 2 }));
    agent.endpoint.reply('done', usage({ promptTokenCount: 20, candidatesTokenCount: 3, cachedContentTokenCount: 5 }));
    const session = await agent.open([look]).createSession();
    const seen = await all(session, message('go'));
    const used = seen.flatMap((event) => (event.type === 'usage' && !event._meta?.beside ? [event] : []));
    assert.deepEqual(
      used.map(({ inputTokens, outputTokens, cachedTokens }) => [inputTokens, outputTokens, cachedTokens]),
      [
        [10, 2, undefined],
        [20, 3, 5],
      ],
    );
    assert.equal(seen.filter(({ type }) => type === 'agent_end').length, 1);
  });

  it('answers each call with a response that names it, and tells failures in their own words', async () => {
    const failing = testTool('fail', 'read', async () => ({
      ...toolError('file_not_found', 'There is no such file.'),
      content: 'ignored',
      display: { resultSummary: 'not there' },
    }));
    agent.endpoint.reply(call('look', {}), call('fail', {}));
    agent.endpoint.reply('done');
    const session = await agent.open([look, failing]).createSession();
    const seen = await all(session, message('go'));
    const requests = seen.flatMap((event) => (event.type === 'tool_request' ? event.requestId : []));
    const responses = seen.flatMap((event) => (event.type === 'tool_response' ? [event] : []));
    assert.deepEqual(new Set(responses.map(({ requestId }) => requestId)), new Set(requests));
    const [ok, failed] = ['look', 'fail'].map((name) => responses.find((response) => response.name === name));
    assert.equal(ok?.isError, false);
    assert.equal(ok?.display?.resultSummary, '1 line');
    assert.equal(failed?.isError, true);
    assert.deepEqual(failed?.content, [textPart('There is no such file.')]);
    assert.equal(failed?.display?.resultSummary, 'not there');
    assert.equal(failed?.data?.['errorType'], 'file_not_found');
    assert.equal(agent.endpoint.requests.length, 2);
  });

  it('tells progress to those who listen and does not keep it', async () => {
    const busy = testTool('busy', 'read', async (_args, { update }) => {
      update({ resultSummary: 'half' });
      return { content: 'whole' };
    });
    agent.endpoint.reply(call('busy', {}));
    agent.endpoint.reply('done');
    const session = await agent.open([busy]).createSession();
    const seen = await all(session, message('go'));
    const update = seen.find((event) => event.type === 'tool_update');
    assert.match(update?.id ?? '', /~/);
    assert.ok(!session.events.some((event) => event.type === 'tool_update'));
    assert.deepEqual(
      seen.filter((event) => event !== update),
      session.events.slice(2),
    );
  });

  const ends: readonly [string, AgentEndReason, Piece[], TestHostOptions][] = [
    ['a finished answer', 'completed', ['ok'], {}],
    ['an error of the server', 'failed', [serverError()], {}],
    ['a connection that breaks', 'failed', ['Half', cut()], {}],
    ['a stream that is not JSON', 'failed', ['Half', malformedFrame()], {}],
    ['an answer that is too long for the model', 'max_budget', ['Half', finish('MAX_TOKENS')], {}],
    ['a refusal', 'refusal', ['Well', finish('SAFETY')], {}],
    ['a broken call', 'failed', ['Half', finish('MALFORMED_FUNCTION_CALL')], {}],
    ['one turn where one is allowed', 'max_turns', [call('look', {})], { maxTurns: 1 }],
    ['too many tokens', 'max_budget', [call('look', {}), used(5)], { promptLimit: { tokens: 5 } }],
    [
      'too high a cost',
      'max_budget',
      [call('look', {}), used(5)],
      { promptLimit: { cost: 0.000001 }, prices: { gemini: { input: 1, output: 1 } } },
    ],
  ];
  for (const [what, reason, pieces, options] of ends) {
    it(`ends once, as ${reason}, with ${what}`, async () => {
      agent.endpoint.reply(...pieces);
      if (reason === 'failed') agent.endpoint.always(...pieces);
      const session = await agent.open([look], options).createSession();
      declineModels(session);
      const seen = await all(session, message('go'));
      const last = seen.at(-1);
      assert.ok(last?.type === 'agent_end');
      assert.equal(last.reason, reason);
      assert.equal(session.events.at(-1), last);
      assert.equal(seen.filter(({ type }) => type === 'agent_end').length, 1);
      const errors = seen.flatMap((event) => (event.type === 'error' ? [event] : []));
      assert.deepEqual(
        errors.map(({ fatal, _meta }) => fatal && _meta?.problem !== undefined),
        reason === 'failed' ? [true] : [],
      );
    });
  }

  it('asks no model where no turn is allowed', async () => {
    const session = await agent.open([look], { maxTurns: 0 }).createSession();
    const seen = await all(session, message('go'));
    const data = { code: 'MAX_TURNS_EXCEEDED', scope: 'prompt', maxTurns: 0, turnCount: 0 };
    assert.deepEqual(withoutStamp(seen.at(-1)), { type: 'agent_end', reason: 'max_turns', data });
    assert.equal(agent.endpoint.requests.length, 0);
  });

  it('ends as max_time when the time is over, whatever the model does', async () => {
    const door = gate();
    agent.endpoint.reply('Half', pause(door), 'never');
    const session = await agent.open([look], { promptLimit: { minutes: 0.02 } }).createSession();
    const seen = await all(session, message('go'));
    assert.deepEqual(outline(seen).slice(-2), ['agent: Half', 'agent_end max_time']);
  });

  it('resumes after the last event of an answer with nothing but the end', async () => {
    agent.endpoint.reply(stream('one', 'two'));
    const session = await agent.open().createSession();
    const seen = await all(session, message('go'));
    const rest = await drain(session.stream({ eventId: seen.at(-2)?.id ?? '' }));
    assert.deepEqual(outline(rest), ['agent_end completed']);
  });

  it('has nothing to retry before anything was said, and does nothing for it', async () => {
    const session = await agent.open().createSession();
    for (const type of ['retry', 'continue']) {
      const sent = session.send({ action: { type, data: undefined } });
      await assert.rejects(sent, (error) => ProblemError.is(error, 'bad-input'));
    }
    assert.deepEqual(session.events, []);
  });

  it('retries what failed without saying the message again', async () => {
    agent.endpoint.always(serverError());
    const session = await agent.open().createSession();
    declineModels(session);
    await all(session, message('Hi'));
    agent.endpoint.reply('ok');
    const again = await all(session, RETRY);
    assert.deepEqual(outline(again).slice(-3), ['agent: ok', 'usage', 'agent_end completed']);
    assert.equal(JSON.stringify(agent.endpoint.requests.at(-1)?.contents).match(/Hi/g)?.length, 1);
  });

  it('takes a title, and refuses an empty one and a configuration', async () => {
    const session = await agent.open().createSession();
    assert.deepEqual(await session.send({ update: { title: '  Named ' } }), { streamId: null });
    assert.deepEqual(outline(session.events), ['initialize', 'session_update Named']);
    for (const update of [{ title: '  ' }, { config: { a: 1 } }]) {
      await assert.rejects(session.send({ update }), (error) => ProblemError.is(error, 'bad-input'));
    }
    assert.equal(session.events.length, 2);
  });

  it('continues when a listener throws, and tells the others', async () => {
    agent.endpoint.reply('ok');
    const session = await agent.open().createSession();
    const seen: AgentEvent[] = [];
    session.subscribe(() => {
      throw new Error('a broken listener');
    });
    session.subscribe((event) => seen.push(event));
    await all(session, message('Hi'));
    assert.deepEqual(seen, session.events);
  });

  describe('asks', () => {
    it('and any caller may answer, the first answer wins', async () => {
      agent.endpoint.reply(call('write', {}));
      agent.endpoint.reply('done');
      const session = await agent.open([write]).createSession();
      const run = all(session, message('go'));
      await until(session, 'elicitation_request');
      const [id = ''] = openQuestions(session);
      const answers = await Promise.allSettled([
        session.send(answer(id, 'accept')),
        session.send(answer(id, 'decline')),
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      );
      const seen = outline(await run);
      assert.ok(seen.includes('tool_response write ok'));
      assert.equal(seen.filter((line) => line.startsWith('elicitation_response')).length, 1);
      await assert.rejects(session.send(answer(id, 'accept')), (error) => ProblemError.is(error, 'not-waiting'));
    });

    it('and takes the answer of a listener that gives it at once', async () => {
      agent.endpoint.reply(call('write', {}), call('write', {}));
      agent.endpoint.reply('done');
      const session = await agent.open([write]).createSession();
      const seen: AgentEvent[] = [];
      session.subscribe((event) => {
        if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
      });
      session.subscribe((event) => seen.push(event));
      await all(session, message('go'));
      assert.equal(outline(session.events).filter((line) => line === 'tool_response write ok').length, 2);
      assert.deepEqual(seen, session.events);
      assertNumbered(session.events);
    });

    it('and refuses an answer to nothing', async () => {
      const session = await agent.open([write]).createSession();
      await assert.rejects(session.send(answer('nobody', 'accept')), (error) => ProblemError.is(error, 'not-waiting'));
      assert.deepEqual(session.events, []);
    });

    it('and takes several answers together or none of them', async () => {
      agent.endpoint.reply(call('write', {}), call('write', {}));
      agent.endpoint.reply('done');
      const session = await agent.open([write]).createSession();
      const run = all(session, message('go'));
      await untilEvent(session, () => openQuestions(session).length === 2);
      const [first = '', second = ''] = openQuestions(session);
      const yes = (requestId: string) => ({ requestId, action: 'accept', content: { decision: 'once' } }) as const;
      for (const wrong of [
        [yes(first), yes('nobody')],
        [yes(first), yes(second), yes(first)],
      ]) {
        const sent = session.send({ elicitations: wrong });
        await assert.rejects(sent, (error) => ProblemError.is(error, 'not-waiting'));
      }
      assert.deepEqual(openQuestions(session), [first, second]);
      const { streamId } = await session.send({ elicitations: [yes(first), { ...yes(second), action: 'decline' }] });
      const seen = await run;
      assert.equal(streamId, seen[0]?.streamId);
      assert.deepEqual(
        outline(seen).filter((line) => line.startsWith('tool_response')),
        ['tool_response write error', 'tool_response write ok'],
      );
    });
  });
});

function used(tokens: number): Piece {
  return usage({ promptTokenCount: tokens, candidatesTokenCount: 0 });
}

function withoutStamp(event: AgentEvent | undefined): object {
  const { id: _id, streamId: _streamId, timestamp: _timestamp, ...body } = event ?? ({} as Partial<AgentEvent>);
  return body;
}
