import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentSend } from '../../../extension/protocol/agent/agent-protocol.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { textPart } from '../../../extension/protocol/agent/content-part.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { declineModels, openQuestions, untilEvent, useAgent } from '../../support/agent.ts';
import { all, answer, drain, message, outline, testTool, until } from '../../support/conversation.ts';
import { serverError } from '../../support/gemini/faults.ts';
import { type Gate, gate } from '../../support/gemini/gate.ts';
import type { RecordedRequest } from '../../support/gemini/request.ts';
import { call, pause } from '../../support/gemini/script.ts';

const write = testTool('write', 'edit', async () => ({ content: 'written' }));

describe('A message during a run', () => {
  const agent = useAgent();

  it('is part of the conversation at the next request, after the tool results, in order', async () => {
    const door = gate();
    agent.endpoint.reply(call('slow', {}));
    agent.endpoint.reply('done');
    const session = await agent.open([slow(door)]).createSession();
    const run = all(session, message('go'));
    await door.reached;
    const taken = await Promise.all([session.send(message('first')), session.send(message('second'))]);
    door.open();
    const seen = await run;
    assert.deepEqual(new Set(taken.map(({ streamId }) => streamId)), new Set([seen[0]?.streamId]));
    assert.deepEqual(said(agent.endpoint.requests.at(-1)), ['go', '<slow>', '<slow: ok>', 'first', 'second']);
    assert.deepEqual(
      outline(seen).filter((line) => /^(user|message_|tool_response)/.test(line)),
      ['user: first', 'user: second', 'tool_response slow ok', 'message_delivered', 'message_delivered'],
    );
  });

  it('that came too late for the run starts the next one by itself', async () => {
    const door = gate();
    agent.endpoint.reply('Hel', pause(door), 'lo');
    agent.endpoint.reply('And that.');
    const session = await agent.open().createSession();
    await session.send(message('one'));
    await door.reached;
    await session.send(message('two'));
    door.open();
    await until(session, 'agent: And that.');
    await untilEvent(session, () => ends(session) === 2);
    assert.deepEqual(said(agent.endpoint.requests.at(-1)), ['one', 'Hello', 'two']);
    const delivered = session.events.filter((event) => event.type === 'custom');
    assert.deepEqual(outline(delivered), ['message_delivered']);
  });

  it('that is to wait gets a run of its own, one after the other', async () => {
    const door = gate();
    agent.endpoint.reply(call('slow', {}));
    for (const text of ['done', 'done 1', 'done 2']) agent.endpoint.reply(text);
    const session = await agent.open([slow(door)]).createSession();
    await session.send(message('go'));
    await door.reached;
    assert.deepEqual(await session.send(queued('first')), { streamId: null });
    assert.deepEqual(await session.send(queued('second')), { streamId: null });
    door.open();
    await untilEvent(session, () => ends(session) === 3);
    assert.deepEqual(
      agent.endpoint.requests.map((request) => said(request).at(-1)),
      ['go', '<slow: ok>', 'first', 'second'],
    );
  });

  it('survives a restart while an approval waits, and is delivered with the answer', async () => {
    agent.endpoint.reply(call('write', {}));
    const service = agent.open([write]);
    const session = await service.createSession();
    await session.send(message('go'));
    await until(session, 'elicitation_request');
    await session.send(message('and this'));
    const again = await agent.reopen(service, session, [write]);
    agent.endpoint.reply('done');
    const run = drain(again.stream());
    await again.send(answer(openQuestions(again)[0] ?? '', 'accept'));
    await run;
    assert.deepEqual(said(agent.endpoint.requests.at(-1)), ['go', '<write>', '<write: ok>', 'and this']);
  });

  it('that is taken back is never sent, and cannot be taken back twice', async () => {
    const door = gate();
    agent.endpoint.reply(call('slow', {}));
    agent.endpoint.reply('done');
    const session = await agent.open([slow(door)]).createSession();
    const run = all(session, message('go'));
    await door.reached;
    await session.send(message('oops'));
    await session.send(message('this'));
    const withdraw = withdrawal(messageId(session, 'oops'));
    await session.send(withdraw);
    await assert.rejects(session.send(withdraw), (error) => ProblemError.is(error, 'bad-input'));
    door.open();
    await run;
    assert.deepEqual(said(agent.endpoint.requests.at(-1)), ['go', '<slow>', '<slow: ok>', 'this']);
    const late = withdrawal(messageId(session, 'this'));
    await assert.rejects(session.send(late), (error) => ProblemError.is(error, 'bad-input'));
  });

  it('goes back to the user when the run is stopped', async () => {
    const door = gate();
    agent.endpoint.reply(call('slow', {}));
    const session = await agent.open([slow(door)]).createSession();
    const run = all(session, message('go'));
    await door.reached;
    await session.send(message('steer'));
    await session.send(queued('queue'));
    await session.abort();
    const taken = (await run).flatMap((event) =>
      event.type === 'custom' && event.kind === 'message_withdrawn' ? [event.data] : [],
    );
    assert.deepEqual(taken, [
      { messageId: messageId(session, 'steer'), by: 'stop' },
      { messageId: messageId(session, 'queue'), by: 'stop' },
    ]);
    agent.endpoint.reply('ok');
    await all(session, message('next'));
    assert.deepEqual(said(agent.endpoint.requests.at(-1)).slice(-1), ['next']);
    assert.ok(!said(agent.endpoint.requests.at(-1)).includes('steer'));
  });

  it('sent right after Stop starts the next run, and is not taken for one that waited', async () => {
    const door = gate();
    agent.endpoint.reply('Half ', pause(door), 'never');
    const session = await agent.open().createSession();
    await session.send(message('one'));
    await until(session, 'agent: Half ');
    agent.endpoint.reply('ok');
    const stopping = session.abort();
    const next = all(session, message('two'));
    await stopping;
    assert.equal(outline(await next).at(-1), 'agent_end completed');
    assert.ok(!outline(session.events).includes('message_withdrawn'));
    assert.deepEqual(said(agent.endpoint.requests.at(-1)), ['one', 'Half ', 'two']);
  });

  it('still waits after the model failed, and goes along with the retry', async () => {
    const door = gate();
    agent.endpoint.reply(call('slow', {}));
    agent.endpoint.always(serverError());
    const session = await agent.open([slow(door)]).createSession();
    declineModels(session);
    const run = all(session, message('go'));
    await door.reached;
    await session.send(queued('later'));
    door.open();
    assert.equal(outline(await run).at(-1), 'agent_end failed');
    agent.endpoint.reply('done');
    agent.endpoint.reply('done later');
    await session.send({ action: { type: 'retry', data: undefined } });
    await untilEvent(session, () => ends(session) === 3);
    assert.equal(said(agent.endpoint.requests.at(-1)).at(-1), 'later');
  });
});

function slow(door: Gate): Tool {
  return testTool('slow', 'read', async (_args, { signal }) => {
    await door.pass(signal);
    return { content: 'ok' };
  });
}

function queued(text: string): AgentSend {
  return { message: { content: [textPart(text)], delivery: 'queue' } };
}

function withdrawal(id: string): AgentSend {
  return { action: { type: 'withdraw', data: { messageId: id } } };
}

function messageId(session: AgentSession, text: string): string {
  const found = session.events.find((event) => outline([event])[0] === `user: ${text}`);
  return found?.type === 'message' ? (found._meta?.messageId ?? '') : '';
}

function ends({ events }: AgentSession): number {
  return events.filter(({ type }) => type === 'agent_end').length;
}

/** The conversation as the model got it: words, `<calls>` and `<their: results>`. */
function said(request: RecordedRequest | undefined): string[] {
  return (request?.contents ?? []).flatMap(({ parts = [] }) =>
    parts.map(({ text, functionCall, functionResponse }) => {
      if (functionCall) return `<${functionCall.name}>`;
      if (!functionResponse) return text ?? '';
      return `<${functionResponse.name}: ${functionResponse.response?.['error'] === undefined ? 'ok' : 'error'}>`;
    }),
  );
}
