import assert from 'node:assert/strict';
import type { Task } from 'a2a-sdk-0.3';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from 'a2a-sdk-0.3/client';
import { before, describe, it } from 'mocha';
import type { A2aServer } from '../../support/a2a-server.ts';
import { useA2a } from '../../support/a2a-suite.ts';
import { call } from '../../support/gemini/script.ts';

type Client = Awaited<ReturnType<ClientFactory['createFromUrl']>>;
type Sent = Parameters<Client['sendMessage']>[0];

let messages = 0;

function said(part: Sent['message']['parts'][number], more: Partial<Sent['message']> = {}): Sent {
  const message = { kind: 'message', messageId: `message-${++messages}`, role: 'user', parts: [part] } as const;
  return { message: { ...message, parts: [part], ...more } };
}

const text = (value: string) => ({ kind: 'text', text: value }) as const;

/** The SDK of ADK, in the version that does not know 1.0. */
describe('A client of A2A 0.3', () => {
  const suite = useA2a({ isShared: true });
  let server: A2aServer;
  let client: Client;

  before(async () => {
    server = await suite.start();
    const options = { fetchImpl: server.fetch };
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory(options)],
      cardResolver: new DefaultAgentCardResolver(options),
    });
    client = await factory.createFromUrl(server.url);
  });

  it('finds the card in its form, and the interfaces of 1.0 in it', async () => {
    const card = await client.getAgentCard();
    assert.deepEqual(
      [card.url, card.protocolVersion, card.preferredTransport, card.capabilities.streaming],
      [server.url, '0.3', 'JSONRPC', true],
    );
    assert.match(JSON.stringify(card), /"protocolVersion":"1.0"/);
  });

  it('streams a task up to the question, answers it, and gets the rest', async () => {
    suite.endpoint.reply('I write. ', call('write_file', { file_path: 'new.txt', content: 'New.\n' }));
    const kinds: string[] = [];
    let taskId = '';
    let question: Record<string, unknown> = {};
    for await (const event of client.sendMessageStream(said(text('Write it.')))) {
      kinds.push(event.kind === 'status-update' ? event.status.state : event.kind);
      if (event.kind === 'task') taskId = event.id;
      if (event.kind !== 'status-update' || event.status.state !== 'input-required') continue;
      assert.equal(event.final, true);
      const part = event.status.message?.parts.find(({ kind }) => kind === 'data');
      if (part?.kind === 'data') question = part.data;
    }
    assert.deepEqual([kinds[0], kinds[1], kinds.at(-1)], ['task', 'working', 'input-required']);
    assert.ok(kinds.includes('artifact-update'));
    suite.endpoint.reply('Written.');
    const answer = {
      kind: 'data',
      data: { requestId: question['requestId'], action: 'accept', content: { decision: 'once' } },
    } as const;
    const done = (await client.sendMessage(said(answer, { taskId }))) as Task;
    assert.equal(done.status.state, 'completed');
    assert.equal(JSON.stringify((await client.getTask({ id: taskId })).artifacts).includes('Written.'), true);
    assert.equal(JSON.stringify(done.artifacts).includes('Written.'), true);
  });

  it('is told which errors it made, in the codes of its version', async () => {
    await assert.rejects(client.getTask({ id: 'a.b' }), /Task not found/);
    await assert.rejects(client.cancelTask({ id: 'a.b' }), /Task not found/);
    const { error } = await server.rpc('tasks/get', { id: 'a.b' }, { 'A2A-Version': '' });
    assert.equal(error?.code, -32001);
    assert.equal((await server.rpc('GetTask', { id: 'a.b' }, { 'A2A-Version': '0.3' })).error?.code, -32601);
  });
});
