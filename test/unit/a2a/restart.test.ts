import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import {
  type A2aServer,
  answerOf,
  collected,
  outlineOf,
  questionsOf,
  said,
  sent,
  stateOf,
} from '../../support/a2a-server.ts';
import { useA2a } from '../../support/a2a-suite.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause } from '../../support/gemini/script.ts';
import { runHeadless } from '../../support/headless.ts';

const write = call('write_file', { file_path: 'new.txt', content: 'New.\n' });

describe('A task and a restart of its server', () => {
  const suite = useA2a();

  it('is found in the log, whole', async () => {
    const first = await suite.start();
    suite.endpoint.reply('It is 42.');
    const task = await sent(await first.client(), said('What is it?'));
    assert.equal((await first.stop()).code, 130);
    const again = await (await suite.start()).client();
    assert.deepEqual(await again.getTask({ tenant: '', id: task.id }), task);
    suite.endpoint.reply('Still 42.');
    const next = await sent(again, said('And now?', { contextId: task.contextId }));
    assert.equal(answerOf(next), 'Still 42.');
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`still waits for its answer after ${signal}`, async () => {
      const first = await suite.start();
      suite.endpoint.reply(write);
      const task = await sent(await first.client(), said('Write it.'));
      await first.stop(signal);
      const second = await suite.start();
      const client = await second.client();
      const stored = await client.getTask({ tenant: '', id: task.id });
      assert.equal(stateOf(stored), 'input-required');
      const { requestId } = questionsOf(stored)[0] ?? assert.fail('asked');
      suite.endpoint.reply('Written.');
      const answer = { requestId, action: 'accept', content: { decision: 'once' } };
      const done = await sent(client, said(answer, { taskId: task.id }));
      assert.deepEqual([stateOf(done), answerOf(done)], ['completed', 'Written.']);
      assert.equal(await readFile(join(suite.workspace, 'new.txt'), 'utf8'), 'New.\n');
    });
  }

  it('has failed if it was cut off, and its session continues', async () => {
    const first = await suite.start();
    const door = gate();
    suite.endpoint.reply('One', pause(door), ' two.');
    const task = await sent(await first.client(), said('Count.', { returnImmediately: true }));
    await door.reached;
    await first.stop('SIGKILL');
    door.open();
    const client = await (await suite.start()).client();
    const stored = await client.getTask({ tenant: '', id: task.id });
    assert.deepEqual([stateOf(stored), stored.metadata?.['code']], ['failed', 'INTERRUPTED']);
    await assert.rejects(sent(client, said('More.', { taskId: task.id })), /has ended/);
    suite.endpoint.reply(' three.');
    const rest = await sent(client, said({ action: 'continue' }, { contextId: task.contextId }));
    assert.deepEqual([stateOf(rest), answerOf(rest)], ['completed', ' three.']);
    const known = await client.getTask({ tenant: '', id: task.id });
    assert.deepEqual([stateOf(known), answerOf(known)], ['failed', answerOf(stored)]);
  });

  it('shares its sessions with the command line', async () => {
    const first = await suite.start();
    suite.endpoint.reply('It is 42.');
    const { contextId } = await sent(await first.client(), said('What is it?'));
    await first.stop();
    suite.endpoint.reply('Still 42.');
    const { workspace, environment } = suite;
    const args = ['--workspace', workspace, '--resume', contextId, '-p', 'And now?'];
    assert.equal((await runHeadless(args, { environment })).stdout, 'Still 42.\n');
    const client = await (await suite.start()).client();
    const { tasks } = await client.listTasks({
      ...{ tenant: '', contextId, status: 0, pageToken: '', statusTimestampAfter: undefined },
      includeArtifacts: true,
    });
    assert.deepEqual(tasks.map(answerOf), ['Still 42.', 'It is 42.']);
  });

  it('fails with the name of the program that has its session open', async () => {
    const first = await suite.start();
    suite.endpoint.reply(write);
    const task = await sent(await first.client(), said('Write it.'));
    const client = await (await suite.start()).client();
    const refused = await sent(client, said('Me too.', { contextId: task.contextId }));
    assert.deepEqual([stateOf(refused), refused.metadata?.['code']], ['failed', 'SESSION_LOCKED']);
    assert.match(JSON.stringify(refused.status), /the A2A server/);
    await assert.rejects(sent(client, said('Me too.', { taskId: task.id })), /is open in/);
    assert.equal(stateOf(await client.getTask({ tenant: '', id: task.id })), 'input-required');
  });

  it('removes its token, which only the user could read', async () => {
    const server = await suite.start();
    assert.equal((await stat(server.tokenFile)).mode & 0o777, 0o600);
    await server.stop();
    await assert.rejects(stat(server.tokenFile));
  });

  it('ends by itself after a while without work', async () => {
    const server = await suite.start({ flags: ['--trust', '--idle-exit', '0.01'] });
    assert.equal((await server.ended).code, 0);
  });

  it('says that its port is in use', async () => {
    const { port } = new URL((await suite.start()).url);
    const args = ['serve', '--port', port, '--workspace', suite.workspace];
    const { code, stderr } = await runHeadless(args, { environment: suite.environment });
    assert.equal(code, 42);
    assert.match(stderr, new RegExp(`Port ${port} is in use`));
  });
});

describe('A client that comes back', () => {
  const suite = useA2a();

  /** The events of a stream with their ids, up to `count` of them. */
  const read = async (response: Response, count: number): Promise<{ id: string; data: unknown }[]> => {
    const events: { id: string; data: unknown }[] = [];
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const event of whole) {
        const [, id = ''] = /^id: (.*)$/m.exec(event) ?? [];
        const [, data = ''] = /^data: (.*)$/m.exec(event) ?? [];
        if (data) events.push({ id, data: JSON.parse(data) });
      }
      if (events.length >= count) break;
    }
    return events.slice(0, count);
  };
  const streamOf = (server: A2aServer, method: string, params: object, headers = {}): Promise<Response> =>
    server.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);

  it('gets what it has missed, and nothing twice', async () => {
    const server = await suite.start();
    const door = gate();
    suite.endpoint.reply('One', ' two', pause(door), ' three', ' four');
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Count.' }] };
    const before = await read(await streamOf(server, 'SendStreamingMessage', { message }), 3);
    const { id: last, data } = before.at(-1) ?? assert.fail('three events');
    const seen = textsIn([data]);
    assert.match(seen, /^One( two)?$/);
    await door.reached;
    door.open();
    const client = await server.client();
    const [task] = before.map((event) => (event.data as { result: { task?: { id: string } } }).result.task?.id);
    const id = task ?? assert.fail('a task comes first');
    await collectedUntilEnd(client, id);
    const rest = await read(await streamOf(server, 'SubscribeToTask', { id }, { 'Last-Event-ID': last }), Infinity);
    const [asItWas, ...later] = rest.map((event) => event.data);
    const { artifacts = [] } = (asItWas as { result: { task: { artifacts?: object[] } } }).result.task;
    assert.equal(textsIn(artifacts), seen, 'the task as it was then');
    assert.equal(seen + textsIn(later), 'One two three four');
    assert.match(JSON.stringify(later), /TASK_STATE_COMPLETED/);
    const unknown = await streamOf(server, 'SubscribeToTask', { id }, { 'Last-Event-ID': 'mine' });
    assert.match(await unknown.text(), /-32004/);
  });

  it('sees a question that was asked meanwhile, and that somebody else has answered it', async () => {
    const server = await suite.start();
    const client = await server.client();
    suite.endpoint.reply(write);
    const task = await sent(client, said('Write it.'));
    const watched = client.resubscribeTask({ tenant: '', id: task.id });
    const { value } = await watched.next();
    assert.ok(value);
    assert.deepEqual(outlineOf([value]), ['task input-required']);
    const { callId } = questionsOf(task)[0] ?? assert.fail('asked');
    suite.endpoint.reply('Written.');
    await sent(await server.client(), said({ callId, outcome: 'proceed_once' }, { taskId: task.id }));
    const rest = outlineOf(await collected(watched));
    assert.deepEqual([rest[0], rest.at(-1)], ['working', 'completed']);
  });
});

/** All texts of the answer in a stream. */
function textsIn(data: readonly unknown[]): string {
  const found = JSON.stringify(data).matchAll(/"text":"([^"]*)"/g);
  return [...found].map(([, text]) => text).join('');
}

async function collectedUntilEnd(client: Awaited<ReturnType<A2aServer['client']>>, id: string): Promise<void> {
  try {
    await collected(client.resubscribeTask({ tenant: '', id }));
  } catch (error) {
    // It has ended before anyone could follow it.
    assert.match(String(error), /has ended/);
  }
}
