import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Part, Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { before, describe, it } from 'mocha';
import { isApproval, taskAnswer } from '../../../extension/a2a/questions.ts';
import { type A2aServer, answerOf, collected, outlineOf, said, sent, stateOf } from '../../support/a2a-server.ts';
import { useA2a } from '../../support/a2a-suite.ts';
import { call, type Piece, together } from '../../support/gemini/script.ts';

const weather = {
  name: 'weather',
  description: 'The weather of a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const metadata = { clientTools: [weather] };
const inParis = call('mcp_tools_weather', { place: 'Paris' });

interface ClientCall {
  readonly requestId: string;
  readonly callId: string;
  readonly name: string;
  readonly args: unknown;
}

/** The calls that a task waits for. */
function callsOf({ status }: Pick<Task, 'status'>): ClientCall[] {
  const parts = status?.message?.parts ?? [];
  const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value as { type: string }] : []));
  return data.filter(({ type }) => type === 'client_tool_call') as unknown as ClientCall[];
}

function onlyCall(task: Task): ClientCall {
  const [first, ...others] = callsOf(task);
  assert.ok(first && others.length === 0, 'waits for one call');
  return first;
}

/** The task, once it waits for so many calls. */
async function whenCalls(client: Client, id: string, count: number): Promise<Task> {
  for await (const { payload } of client.resubscribeTask({ tenant: '', id })) {
    if (payload?.$case !== 'task' && payload?.$case !== 'statusUpdate') continue;
    if (callsOf({ status: payload.value.status }).length === count) break;
  }
  return client.getTask({ tenant: '', id });
}

describe('The tools of a client', () => {
  const suite = useA2a({ isShared: true });
  let server: A2aServer;
  let client: Client;

  before(async () => {
    server = await suite.start();
    client = await server.client();
  });

  const reply = (...pieces: readonly Piece[]): void => suite.endpoint.reply(...pieces);
  const lastResults = (): string => JSON.stringify(suite.endpoint.requests.at(-1)?.toolResults);
  const lastTools = (): string => JSON.stringify(suite.endpoint.requests.at(-1)?.body['tools']);
  const get = (id: string): Promise<Task> => client.getTask({ tenant: '', id });
  const inject = (params: object) => server.rpc('inject_result', params);

  it('are offered to the model, and a call waits for its result under the bare name', async () => {
    reply(inParis);
    const task = await sent(client, said('What is the weather?', { metadata }));
    assert.equal(stateOf(task), 'input-required');
    assert.match(lastTools(), /"mcp_tools_weather"/);
    const { name, args, callId } = onlyCall(task);
    assert.deepEqual([name, args], ['weather', { place: 'Paris' }]);
    reply('It rains.');
    const rest = await collected(
      client.sendMessageStream(said({ callId, result: { sky: 'rain' } }, { taskId: task.id })),
    );
    assert.deepEqual(outlineOf(rest), ['task working', 'tool_response', 'text: It rains.', 'completed']);
    assert.match(lastResults(), /untrusted_context.*sky.*rain/);
    reply('Nothing new.');
    await sent(client, said('And now?', { contextId: task.contextId }));
    assert.match(lastTools(), /"mcp_tools_weather"/, 'the session keeps them');
    reply('Nothing new.');
    await sent(client, said('And now?', { contextId: task.contextId, metadata: { clientTools: [] } }));
    assert.doesNotMatch(lastTools(), /"mcp_tools_weather"/, 'until a message names others');
  });

  it('take a result with inject_result, which waits for nothing', async () => {
    reply(inParis);
    const task = await sent(client, said('What is the weather?', { metadata }));
    const watched = client.resubscribeTask({ tenant: '', id: task.id });
    await watched.next();
    reply('Sunny.');
    const { callId } = onlyCall(task);
    const { result } = await inject({ taskId: task.id, callId, result: 'sun' });
    assert.deepEqual(Object.keys(result as object), ['taskId', 'callId', 'state']);
    assert.equal(outlineOf(await collected(watched)).at(-1), 'completed');
    assert.equal(answerOf(await get(task.id)), 'Sunny.');
  });

  it('tell the model why there is no result', async () => {
    reply(inParis);
    const task = await sent(client, said('What is the weather?', { metadata }));
    reply('Nobody knows.');
    const error = { callId: onlyCall(task).callId, error: 'The satellite is away.' };
    assert.equal(stateOf(await sent(client, said(error, { taskId: task.id }))), 'completed');
    assert.match(lastResults(), /The satellite is away/);
  });

  it('are answered one by one if the model calls several at once', async () => {
    reply(together(inParis, call('mcp_tools_weather', { place: 'Rome' })));
    const task = await sent(client, said('What is the weather?', { metadata }));
    const [paris, rome] = callsOf(await whenCalls(client, task.id, 2));
    assert.ok(paris && rome);
    const still = await sent(client, said({ callId: rome.callId, result: 'sun' }, { taskId: task.id }));
    assert.deepEqual(
      [stateOf(still), callsOf(still).map(({ args }) => args)],
      ['input-required', [{ place: 'Paris' }]],
    );
    reply('Both.');
    const done = await sent(client, said({ callId: paris.callId, result: 'rain' }, { taskId: task.id }));
    assert.equal(answerOf(done), 'Both.');
    assert.match(lastResults(), /rain.*sun/);
  });

  it('are not asked for a call that a rule denies, or whose arguments do not fit', async () => {
    const policy = join(suite.home, 'deny.toml');
    await writeFile(policy, '[[rule]]\nmcpName = "tools"\ntoolName = "weather"\ndecision = "deny"\npriority = 900\n');
    const strict = await (await suite.start({ flags: ['--trust', '--policy', policy] })).client();
    reply(inParis);
    reply('Not allowed.');
    assert.equal(stateOf(await sent(strict, said('What is the weather?', { metadata }))), 'completed');
    reply(call('mcp_tools_weather', { place: 7 }));
    reply('My mistake.');
    assert.equal(stateOf(await sent(client, said('What is the weather?', { metadata }))), 'completed');
    assert.match(lastResults(), /not valid/);
  });

  it('wait for their client in every approval mode, and need no approval', async () => {
    const open = await suite.start({ flags: ['--trust', '--yolo', '--no-approve'] });
    const other = await open.client();
    reply(inParis);
    const task = await sent(other, said('What is the weather?', { metadata }));
    reply('It rains.');
    const done = await sent(other, said({ callId: onlyCall(task).callId, result: 'rain' }, { taskId: task.id }));
    assert.equal(answerOf(done), 'It rains.');
  });

  it('take no result for a call that is unknown, answered or canceled, and change nothing', async () => {
    reply(inParis);
    const task = await sent(client, said('What is the weather?', { metadata }));
    const { callId, requestId } = onlyCall(task);
    const codeOf = async (params: object): Promise<number | undefined> => (await inject(params)).error?.code;
    assert.equal(await codeOf({ taskId: task.id, callId: 'call-7', result: 1 }), -32602);
    assert.equal(await codeOf({ taskId: task.id, callId }), -32602);
    assert.equal(await codeOf({ taskId: task.id, callId, result: 1, error: 'both' }), -32602);
    assert.equal(await codeOf({ taskId: 'none.such', callId, result: 1 }), -32001);
    for (const wrong of [
      { callId, outcome: 'proceed_once' },
      { requestId, action: 'accept', content: { decision: 'once' } },
      { callId: 'call-7', result: 1 },
    ]) {
      await assert.rejects(sent(client, said(wrong, { taskId: task.id })), /result/);
    }
    assert.deepEqual(onlyCall(await get(task.id)).callId, callId);
    reply(inParis);
    assert.equal((await inject({ taskId: task.id, callId, result: 1 })).error, undefined);
    assert.equal(await codeOf({ taskId: task.id, callId, result: 2 }), -32602, 'answered');
    const next = onlyCall(await whenCalls(client, task.id, 1));
    await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    assert.equal(await codeOf({ taskId: task.id, callId: next.callId, result: 1 }), -32602, 'canceled');
    assert.equal(stateOf(await get(task.id)), 'canceled');
  });

  it('are refused as a whole, with the name of the tool, if one of them cannot be offered', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ ...weather, name: `tool-${index}` }));
    const named = (name: string, more: object = {}) => [weather, { ...weather, name, ...more }];
    for (const [clientTools, about] of [
      [many, /"tool-128" is one too many/],
      ['weather', /list of tools/],
      [[weather, {}], /client tool 2 has no name/],
      [named('no name'), /"no name" needs a name/],
      [named('weather'), /"weather" is listed twice/],
      [named('odd', { description: '' }), /"odd" needs a description/],
      [named('odd', { parameters: { type: 'string' } }), /"odd" .*object/],
      [named('odd', { parameters: { properties: { a: { type: 'text' } } } }), /"odd" .*properties\/a\/type/],
      [named('odd', { parameters: { properties: [] } }), /"odd" .*properties is not an object/],
      [named('odd', { parameters: { required: 'a' } }), /"odd" .*required/],
      [named('odd', { parameters: { anyOf: [{ minimum: '1' }] } }), /"odd" .*anyOf\/0\/minimum/],
      [named('long', { description: 'x'.repeat(40_000) }), /"long" is too long/],
    ] as const) {
      const refused = sent(client, said('Go.', { metadata: { clientTools } }));
      await assert.rejects(refused, (error: unknown) => {
        assert.ok(error instanceof Error && 'envelopeCode' in error);
        assert.equal(error.envelopeCode, -32602);
        assert.match(error.message, about);
        return true;
      });
    }
    const mute = sent(client, said('Go.', { metadata: { ...metadata, interactive: false } }));
    await assert.rejects(mute, /interactive/);
  });
});

describe('A call that runs in a client', () => {
  const suite = useA2a();

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`is answered after a restart of its client, and of the server by ${signal}`, async () => {
      const first = await suite.start();
      suite.endpoint.reply(inParis);
      const { id } = await sent(await first.client(), said('What is the weather?', { metadata }));
      await first.stop(signal);
      const second = await suite.start();
      const client = await second.client();
      const { callId, args } = onlyCall(await client.getTask({ tenant: '', id }));
      assert.deepEqual(args, { place: 'Paris' });
      suite.endpoint.reply('It rains.');
      const done = await sent(client, said({ callId, result: 'rain' }, { taskId: id }));
      assert.deepEqual([stateOf(done), answerOf(done)], ['completed', 'It rains.']);
      assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.toolResults), /rain/);
      assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.body['tools']), /"mcp_tools_weather"/);
    });
  }

  it('still waits when its connection was closed', async () => {
    const server = await suite.start();
    const client = await server.client();
    suite.endpoint.reply(inParis);
    const leaving = client.sendMessageStream(said('What is the weather?', { metadata }));
    const { value } = await leaving.next();
    assert.ok(value?.payload?.$case === 'task');
    const { id } = value.payload.value;
    await leaving.return();
    onlyCall(await whenCalls(client, id, 1));
  });

  it('are not confused with those of an MCP server that has their name', () => {
    const details = { type: 'mcp', server: 'tools', tool: 'delete', args: '{}' } as const;
    const _meta = { callId: 'c1', approval: { details, why: '', grants: [] } };
    const question = { type: 'elicitation_request', requestId: 'q1', message: '', requestedSchema: {}, _meta } as const;
    const event = { ...question, id: 'e1', streamId: 's', timestamp: '', display: 'inline' } as const;
    const open = new Map([['q1', event]]);
    const result = { content: { $case: 'data', value: { callId: 'c1', result: 'x' } } } as unknown as Part;
    assert.throws(() => taskAnswer(result, open), /waits for no result/);
    assert.ok(isApproval({ requestId: 'q1', action: 'accept', content: {} }, open));
  });
});
