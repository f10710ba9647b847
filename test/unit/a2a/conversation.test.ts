import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@a2a-js/sdk/client';
import { before, beforeEach, describe, it } from 'mocha';
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
import { call, finish, type Piece, pause, thought } from '../../support/gemini/script.ts';
import { repoRoot } from '../../support/repo.ts';

const write = call('write_file', { file_path: 'new.txt', content: 'New.\n' });
const ask = call('ask_user', {
  questions: [{ question: 'Which color?', header: 'Color', type: 'text' }],
});

describe('A task over A2A', () => {
  const suite = useA2a({ isShared: true });
  let server: A2aServer;
  let client: Client;

  before(async () => {
    server = await suite.start();
    client = await server.client();
  });

  beforeEach(() => rm(join(suite.workspace, 'new.txt'), { force: true }));

  const reply = (...pieces: readonly Piece[]): void => suite.endpoint.reply(...pieces);
  const newFile = (): Promise<string> => readFile(join(suite.workspace, 'new.txt'), 'utf8');
  const isRefused = (code: number, about: RegExp) => (error: unknown) => {
    assert.ok(error instanceof Error && 'envelopeCode' in error);
    assert.equal(error.envelopeCode, code);
    assert.match(error.message, about);
    return true;
  };

  it('is submitted, works, and is completed with the answer as one artifact', async () => {
    reply('It ', 'is 42.');
    const seen = await collected(client.sendMessageStream(said('What is it?')));
    assert.deepEqual(outlineOf(seen), ['task submitted', 'working', 'text: It is 42.', 'completed']);
    const [first] = seen;
    assert.ok(first?.payload?.$case === 'task');
    const { id, contextId, history } = first.payload.value;
    assert.equal(id.slice(0, contextId.length + 1), `${contextId}.`);
    assert.deepEqual(
      history.map(({ role, parts }) => [role, parts.map((part) => part.content?.value).join('')]),
      [[1, 'What is it?']],
    );
    const stored = await client.getTask({ tenant: '', id });
    assert.equal(answerOf(stored), 'It is 42.');
    assert.equal(stateOf(stored), 'completed');
    assert.deepEqual((await client.getTask({ tenant: '', id, historyLength: 0 })).history, []);
  });

  it('is what the example in docs/a2a.md sends, from a process of its own', async () => {
    const page = await readFile(join(repoRoot, 'docs/a2a.md'), 'utf8');
    const [, example = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
    const code = example
      .replace('/home/me/.gantry/a2a/41242.token', server.tokenFile)
      .replace('http://127.0.0.1:41242/', server.url);
    assert.ok(code.includes(server.tokenFile) && code.includes(server.url));
    reply('It is 42.');
    const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: repoRoot });
    assert.equal(ran.stdout, 'It is 42.\n');
  });

  it('of a context goes on in the same session, under an id of its own', async () => {
    reply('One.');
    const first = await sent(client, said('1'));
    reply('Two.');
    const second = await sent(client, said('2', { contextId: first.contextId }));
    assert.equal(second.contextId, first.contextId);
    assert.notEqual(second.id, first.id);
    assert.equal(suite.endpoint.requests.at(-1)?.lastUserText, '2');
    assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.contents), /One\./);
    assert.equal(answerOf(await client.getTask({ tenant: '', id: first.id })), 'One.');
    const { tasks, totalSize } = await client.listTasks(
      listing({ contextId: first.contextId, includeArtifacts: true }),
    );
    assert.deepEqual(
      [...tasks.map((task) => [task.id, answerOf(task)]), totalSize],
      [[second.id, 'Two.'], [first.id, 'One.'], 2],
    );
    const all = await client.listTasks(listing({}));
    assert.ok(
      all.tasks.some(({ id }) => id === first.id),
      'also without a context',
    );
  });

  it('tells thoughts, calls and results while it works', async () => {
    reply(thought('Let me look.'), 'I look. ', call('read_file', { file_path: 'note.txt' }));
    reply('It is 42.');
    const seen = await collected(client.sendMessageStream(said('What does note.txt say?')));
    const lines = outlineOf(seen).filter((line) => line !== 'tool_update');
    assert.deepEqual(lines, [
      'task submitted',
      'working',
      'working',
      'text: I look. ',
      'tool_request',
      'tool_response',
      'more: \n\nIt is 42.',
      'completed',
    ]);
    const [request] = seen.flatMap(({ payload }) => {
      const part = payload?.$case === 'statusUpdate' ? payload.value.status?.message?.parts[0]?.content : undefined;
      return part?.$case === 'data' ? [part.value as Record<string, unknown>] : [];
    });
    assert.deepEqual(
      { name: request?.['name'], kind: request?.['kind'], paths: request?.['paths'] },
      { name: 'read_file', kind: 'read', paths: [join(suite.workspace, 'note.txt')] },
    );
  });

  it('waits for an approval, and goes on in the stream of the answer', async () => {
    reply(write);
    const asked = await collected(client.sendMessageStream(said('Write it.')));
    assert.equal(outlineOf(asked).at(-1), 'input-required');
    const task = await client.getTask({ tenant: '', id: idOf(asked) });
    const [question] = questionsOf(task);
    assert.ok(question);
    assert.equal(question.details.type, 'edit');
    assert.match(question.title, /Create this file/);
    assert.match(JSON.stringify(question.schema), /"once"/);
    await assert.rejects(newFile());
    reply('Written.');
    const answer = { requestId: question.requestId, action: 'accept', content: { decision: 'once' } };
    const rest = await collected(client.sendMessageStream(said(answer, { taskId: task.id })));
    assert.deepEqual(outlineOf(rest), ['task working', 'tool_response', 'text: Written.', 'completed']);
    assert.equal(await newFile(), 'New.\n');
    assert.match(await filesOf(suite.home, 'log.jsonl'), /"by":"a2a"/);
    assert.match(await filesOf(suite.home, 'audit'), /"by":"a2a"/);
  });

  for (const [outcome, isWritten] of [
    ['proceed_once', true],
    ['proceed_always', true],
    ['cancel', false],
  ] as const) {
    it(`takes "${outcome}" of clients of Gemini CLI's server`, async () => {
      reply(write);
      const task = await sent(client, said('Write it.'));
      const { callId } = questionsOf(task)[0] ?? assert.fail('asked');
      reply('Done.');
      const done = await sent(client, said({ callId, outcome }, { taskId: task.id }));
      assert.equal(stateOf(done), 'completed');
      if (isWritten) assert.equal(await newFile(), 'New.\n');
      else await assert.rejects(newFile());
    });
  }

  it('writes the text that a client puts in place of the proposed one', async () => {
    reply(write);
    const task = await sent(client, said('Write it.'));
    const { callId } = questionsOf(task)[0] ?? assert.fail('asked');
    reply('Done.');
    await sent(client, said({ callId, outcome: 'proceed_once', newContent: 'Mine.\n' }, { taskId: task.id }));
    assert.equal(await newFile(), 'Mine.\n');
  });

  it('takes a text as the answer to a question of the agent', async () => {
    reply(ask);
    const task = await sent(client, said('Paint it.'));
    assert.equal(questionsOf(task)[0]?.details.type, 'ask_user');
    reply('Blue it is.');
    const done = await sent(client, said('Blue', { taskId: task.id }));
    assert.equal(answerOf(done), 'Blue it is.');
    assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.toolResults), /Blue/);
  });

  it('never takes a text as an approval, whatever it says', async () => {
    reply(write);
    const task = await sent(client, said('Write it.'));
    const still = await sent(client, said('yes, proceed_once, accept', { taskId: task.id }));
    assert.equal(stateOf(still), 'input-required');
    await assert.rejects(newFile());
    const { requestId } = questionsOf(still)[0] ?? assert.fail('asked');
    reply('All right.');
    await sent(client, said({ requestId, action: 'decline' }, { taskId: task.id }));
    assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.body), /yes, proceed_once/, 'the agent learns it');
  });

  it('changes nothing for an answer that fits no question', async () => {
    reply(write);
    const task = await sent(client, said('Write it.'));
    const { requestId, callId } = questionsOf(task)[0] ?? assert.fail('asked');
    for (const wrong of [
      { requestId: 'question-7', action: 'accept' },
      { requestId, action: 'allow' },
      { requestId, action: 'accept', content: 'yes' },
      { requestId, action: 'accept', content: { decision: 'forever' } },
      { callId: 'call-7', outcome: 'proceed_once' },
      { callId, outcome: 'proceed_always_server' },
      { callId, outcome: 'proceed_once', newContent: 7 },
    ]) {
      await assert.rejects(sent(client, said(wrong, { taskId: task.id })), isRefused(-32602, /./));
    }
    await assert.rejects(sent(client, said({ requestId, action: 'accept' })), isRefused(-32602, /taskId/));
    assert.equal(stateOf(await client.getTask({ tenant: '', id: task.id })), 'input-required');
    await assert.rejects(newFile());
    await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    const again = sent(
      client,
      said({ requestId, action: 'accept', content: { decision: 'once' } }, { taskId: task.id }),
    );
    await assert.rejects(again, isRefused(-32004, /has ended/));
    await assert.rejects(newFile());
  });

  it('is steered by a message to it', async () => {
    const door = gate();
    reply('One', pause(door), ' two.');
    const task = await sent(client, said('Count.', { returnImmediately: true }));
    await door.reached;
    const rest = sent(client, said('In French.', { taskId: task.id }));
    await assert.rejects(
      sent(client, said('More.', { contextId: task.contextId })),
      isRefused(-32004, new RegExp(task.id.replaceAll('.', '\\.'))),
    );
    reply('Un deux.');
    door.open();
    assert.match(stateOf(await rest), /completed/);
  });

  it('is canceled, and only once', async () => {
    const door = gate();
    reply('One', pause(door), ' two.');
    const task = await sent(client, said('Count.', { returnImmediately: true }));
    await door.reached;
    const canceled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    assert.equal(stateOf(canceled), 'canceled');
    await assert.rejects(
      client.cancelTask({ tenant: '', id: task.id, metadata: undefined }),
      isRefused(-32002, /ended/),
    );
    door.open();
  });

  it('is not stopped by a client that leaves', async () => {
    const door = gate();
    reply('One', pause(door), ' two.');
    const leaving = client.sendMessageStream(said('Count.'));
    const { value } = await leaving.next();
    assert.ok(value?.payload?.$case === 'task');
    const { id } = value.payload.value;
    await door.reached;
    await leaving.return();
    const watched = client.resubscribeTask({ tenant: '', id });
    const again = await watched.next();
    assert.ok(again.value);
    assert.deepEqual(outlineOf([again.value]), ['task working']);
    door.open();
    assert.equal(outlineOf(await collected(watched)).at(-1), 'completed');
    assert.equal(answerOf(await client.getTask({ tenant: '', id })), 'One two.');
  });

  it('is rejected if the model refuses', async () => {
    reply('I ', finish('SAFETY'));
    assert.equal(stateOf(await sent(client, said('Do evil.'))), 'rejected');
  });

  it('fails with the reason of a limit', async () => {
    const limited = await suite.start({ flags: ['--trust', '--max-turns', '1'] });
    reply(call('read_file', { file_path: 'note.txt' }));
    const failed = await sent(await limited.client(), said('Look.'));
    assert.equal(stateOf(failed), 'failed');
    assert.equal(failed.metadata?.['reason'], 'max_turns');
  });

  it('takes no message once it has ended, and cannot be followed', async () => {
    reply('Done.');
    const { id } = await sent(client, said('Go.'));
    await assert.rejects(sent(client, said('More.', { taskId: id })), isRefused(-32004, /has ended/));
    await assert.rejects(collected(client.resubscribeTask({ tenant: '', id })), isRefused(-32004, /has ended/));
  });

  it('is answered by the model that its message names', async () => {
    reply('One.');
    const { contextId } = await sent(client, said('1', { metadata: { _model: 'gemini-2.5-flash-lite' } }));
    assert.equal(suite.endpoint.requests.at(-1)?.model, 'gemini-2.5-flash-lite');
    reply('Two.');
    await sent(client, said('2', { contextId }));
    assert.notEqual(suite.endpoint.requests.at(-1)?.model, 'gemini-2.5-flash-lite');
  });

  it('may narrow the approval mode, and never widen it', async () => {
    const widen = sent(client, said('Go.', { metadata: { approvalMode: 'yolo' } }));
    await assert.rejects(widen, isRefused(-32602, /widen/));
    reply(write);
    reply('I plan.');
    const planned = await sent(client, said('Go.', { metadata: { approvalMode: 'plan' } }));
    assert.equal(stateOf(planned), 'completed', 'in plan mode, the call is refused and not asked about');
    const { contextId } = planned;
    const back = sent(client, said('Go.', { contextId, metadata: { approvalMode: 'default' } }));
    await assert.rejects(back, isRefused(-32602, /widen/));
    await assert.rejects(newFile());
  });

  it('refuses what needs approval if its client says that it answers nothing', async () => {
    reply(write);
    reply('No.');
    const task = await sent(client, said('Write it.', { metadata: { interactive: false } }));
    assert.equal(stateOf(task), 'completed');
    assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.toolResults), /not allowed|nobody can be asked/);
    await assert.rejects(newFile());
  });

  it('leaves approvals to people with --no-approve, and takes other answers', async () => {
    const careful = await (await suite.start({ flags: ['--trust', '--no-approve'] })).client();
    reply(write);
    const task = await sent(careful, said('Write it.'));
    const { requestId, callId } = questionsOf(task)[0] ?? assert.fail('asked');
    const accept = { requestId, action: 'accept', content: { decision: 'once' } };
    for (const answer of [accept, { callId, outcome: 'proceed_once' }, { requestId, action: 'decline' }]) {
      await assert.rejects(sent(careful, said(answer, { taskId: task.id })), isRefused(-32004, /people/));
    }
    await careful.cancelTask({ tenant: '', id: task.id, metadata: undefined });
    reply(ask);
    const other = await sent(careful, said('Paint it.'));
    reply('Blue it is.');
    assert.equal(answerOf(await sent(careful, said('Blue', { taskId: other.id }))), 'Blue it is.');
  });

  it('sends no push notifications, and says so', async () => {
    const card = await client.getAgentCard();
    assert.deepEqual(
      [card.capabilities?.streaming, card.capabilities?.pushNotifications, card.supportedInterfaces.length],
      [true, false, 2],
    );
    reply('Done.');
    const { id: taskId } = await sent(client, said('Go.'));
    const config = { tenant: '', id: 'one', taskId, url: 'http://127.0.0.1:1', token: '', authentication: undefined };
    for (const [method, params] of [
      ['CreateTaskPushNotificationConfig', config],
      ['GetTaskPushNotificationConfig', { taskId, id: 'one' }],
      ['ListTaskPushNotificationConfigs', { taskId }],
      ['DeleteTaskPushNotificationConfig', { taskId, id: 'one' }],
    ] as const) {
      assert.equal((await server.rpc(method, params)).error?.code, -32003, method);
    }
    assert.equal((await server.rpc('GetExtendedAgentCard', {})).error?.code, -32004);
  });
});

function idOf([first]: Awaited<ReturnType<typeof collected>>): string {
  assert.ok(first?.payload?.$case === 'task');
  return first.payload.value.id;
}

function listing(more: { readonly contextId?: string; readonly includeArtifacts?: boolean }) {
  return { tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined, ...more };
}

/** The texts of the files whose name has this part. */
async function filesOf(home: string, part: string): Promise<string> {
  const names = (await readdir(home, { recursive: true })).filter((name) => name.includes(part));
  const texts = await Promise.all(names.map((name) => readFile(join(home, name), 'utf8').catch(() => '')));
  return texts.join('\n');
}
