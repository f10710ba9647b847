import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { LocalA2a, requestIdOf, type StreamJson, type TaskJson } from '../../support/a2a-in-process.ts';
import { testTool } from '../../support/conversation.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { eventually } from '../../support/poll.ts';
import { PushReceiver } from '../../support/push-receiver.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

let gemini: GeminiEndpoint;
let home: TempFolder;
let server: LocalA2a;
/** It sends no push notifications. */
let plain: LocalA2a;
let receiver: PushReceiver;
/** The URL of the receiver. */
let url: string;

/**
 * What the specification of A2A 1.0 says that an agent MUST or MUST NOT do, by section and in its words:
 * https://a2a-protocol.org/v1.0.0/specification. The table has no requirements for clients, other bindings and signatures.
 */
const MUSTS: readonly (readonly [section: string, must: string, check: () => Promise<void>])[] = [
  [
    '3.1.2',
    'begin a stream with the task, and close it when the task reaches a terminal state',
    async () => {
      gemini.reply('It is 42.');
      const events = await server.streamed('SendStreamingMessage', { message: said('What is it?') });
      assert.deepEqual(Object.keys(events[0] ?? {}), ['task']);
      assert.ok(events.slice(1).every((event) => 'statusUpdate' in event || 'artifactUpdate' in event));
      assert.equal(events.at(-1)?.statusUpdate?.status.state, 'TASK_STATE_COMPLETED');
    },
  ],
  [
    '3.1.4',
    'omit the artifacts of listed tasks, unless they are wanted',
    async () => {
      const { contextId } = await done();
      const [without] = (await server.list({ contextId })).tasks;
      assert.ok(without && !('artifacts' in without));
      const [whole] = (await server.list({ contextId, includeArtifacts: true })).tasks;
      assert.equal(whole?.artifacts?.length, 1);
    },
  ],
  [
    '3.1.4',
    'always send nextPageToken, and an empty one with the last page, whatever begins meanwhile',
    async () => {
      const { contextId, id } = await done();
      await done({ contextId });
      const { nextPageToken: pageToken } = await server.list({ contextId, pageSize: 1 });
      await done({ contextId });
      const last = await server.list({ contextId, pageSize: 1, pageToken });
      assert.deepEqual([last.nextPageToken, last.tasks.map((task) => task.id), last.totalSize], ['', [id], 3]);
      const none = await server.list({ contextId, status: 'TASK_STATE_CANCELED' });
      assert.deepEqual([none.nextPageToken, none.tasks, none.totalSize], ['', [], 0]);
    },
  ],
  [
    '3.1.4',
    'sort tasks by the time of their status, the newest first',
    async () => {
      const { contextId, id } = await done();
      const second = await done({ contextId });
      assert.deepEqual(
        (await server.list({ contextId })).tasks.map((task) => task.id),
        [second.id, id],
      );
    },
  ],
  [
    '3.1.6',
    'begin a subscription with the task, and end it with the task',
    async () => {
      const door = gate();
      gemini.reply('One', pause(door), ' two.');
      const { id } = await server.send('Count.', { configuration: { returnImmediately: true } });
      await door.reached;
      const events = await server.streamed('SubscribeToTask', { id }, (event) => event.task && door.open());
      assert.equal(events[0]?.task?.id, id);
      assert.equal(events.at(-1)?.statusUpdate?.status.state, 'TASK_STATE_COMPLETED');
      assert.equal((await server.rpc('SubscribeToTask', { id })).error?.code, -32004, 'for one that has ended');
    },
  ],
  [
    '3.1.7',
    'establish a webhook for the updates of a task, with the credentials of its config (4.3.3)',
    async () => {
      const { id: taskId } = await waiting();
      const authentication = { scheme: 'Bearer', credentials: 'key' };
      await server.result('CreateTaskPushNotificationConfig', { taskId, id: 'one', url, authentication });
      await server.result('CancelTask', { id: taskId });
      assert.equal((await receiver.until('CANCELED')).headers.authorization, 'Bearer key');
    },
  ],
  [
    '3.1.9',
    'list all push notification configs of a task, and fail to get one that does not exist (3.1.8)',
    async () => {
      const { id: taskId } = await waiting();
      const configs = ['one', 'two'].map((id) => ({ taskId, id, url }));
      for (const config of configs) await server.result('CreateTaskPushNotificationConfig', config);
      assert.deepEqual(await server.result('ListTaskPushNotificationConfigs', { taskId }), { configs });
      assert.equal((await server.rpc('GetTaskPushNotificationConfig', { taskId, id: 'three' })).error?.code, -32001);
    },
  ],
  [
    '3.1.10',
    'delete a push notification config for good, as often as it is asked to',
    async () => {
      const { id: taskId } = await waiting();
      await server.result('CreateTaskPushNotificationConfig', { taskId, id: 'one', url });
      for (let count = 0; count < 2; count++) {
        await server.result('DeleteTaskPushNotificationConfig', { taskId, id: 'one' });
      }
      receiver.notices.length = 0;
      await server.result('CancelTask', { id: taskId });
      assert.equal(server.isBusy, false, 'nothing is on its way');
      assert.deepEqual(receiver.notices, []);
    },
  ],
  [
    '3.2.2',
    'wait until the task has ended or is interrupted, and send it with its artifacts',
    async () => {
      const { status, artifacts } = await done();
      assert.deepEqual([status.state, artifacts?.[0]?.parts[0]?.text], ['TASK_STATE_COMPLETED', 'It is 42.']);
      assert.equal((await waiting()).status.state, 'TASK_STATE_INPUT_REQUIRED');
    },
  ],
  [
    '3.2.2',
    'return immediately if the client wants that',
    async () => {
      const door = gate();
      gemini.reply(pause(door), 'Two.');
      const { id, status } = await server.send('Count.', { configuration: { returnImmediately: true } });
      assert.match(status.state, /SUBMITTED|WORKING/);
      await door.reached;
      door.open();
      await eventually(
        'its end',
        async () => (await server.result<TaskJson>('GetTask', { id })).artifacts !== undefined,
      );
    },
  ],
  [
    '3.3.2',
    'reject requests with missing or invalid credentials, for every method (7.4)',
    async () => {
      const methods = ['SendMessage', 'GetTask', 'ListTasks', 'CancelTask', 'SubscribeToTask', 'GetExtendedAgentCard'];
      for (const method of methods) {
        for (const Authorization of ['', 'Bearer wrong']) {
          const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
          assert.equal((await server.post(body, { Authorization })).status, 401, method);
        }
      }
    },
  ],
  [
    '3.3.2',
    'validate parameters, and return not found for what does not exist',
    async () => {
      assert.equal((await server.rpc('SendMessage', { message: { messageId: 'm' } })).error?.code, -32602);
      assert.equal((await server.rpc('GetTask', { id: 'a.b' })).error?.code, -32001);
      assert.equal((await server.rpc('CancelTask', { id: 'a.b' })).error?.code, -32001);
    },
  ],
  [
    '3.3.2',
    'say in an error what it is, with an ErrorInfo (9.5)',
    async () => {
      const { error } = await server.rpc('GetTask', { id: 'a.b' });
      const { code, message, data } = error as unknown as { code: number; message: string; data: object[] };
      assert.deepEqual([code, message], [-32001, 'There is no task a.b.']);
      const info = data.find((each) => '@type' in each) as Record<string, unknown> | undefined;
      assert.equal(info?.['@type'], 'type.googleapis.com/google.rpc.ErrorInfo');
      assert.deepEqual([info?.['reason'], info?.['domain']], ['TASK_NOT_FOUND', 'a2a-protocol.org']);
    },
  ],
  [
    '3.3.4',
    'return PushNotificationNotSupportedError if the card has no push notifications',
    async () => {
      for (const method of ['Create', 'Get', 'Delete']) {
        const { error } = await plain.rpc(`${method}TaskPushNotificationConfig`, { taskId: 'a.b', id: 'c', url: 'x' });
        assert.equal(error?.code, -32003, method);
      }
      assert.equal((await plain.rpc('ListTaskPushNotificationConfigs', { taskId: 'a.b' })).error?.code, -32003);
    },
  ],
  [
    '3.3.4',
    'return UnsupportedOperationError for the extended card, which its card does not have',
    async () => {
      assert.equal((await server.rpc('GetExtendedAgentCard', {})).error?.code, -32004);
    },
  ],
  [
    '3.4.1',
    'send the context ID that it has generated, and reject one that it does not accept',
    async () => {
      const { contextId } = await done();
      assert.notEqual(contextId, '');
      const asked = gemini.requests.length;
      const { error } = await server.rpc('SendMessage', { message: { ...said('Hi'), contextId: 'mine' } });
      assert.equal(error?.code, -32001);
      assert.equal(gemini.requests.length, asked);
    },
  ],
  [
    '3.4.2',
    'generate a unique ID for each task, and return TaskNotFoundError for an unknown one',
    async () => {
      const first = await done();
      const second = await done({ contextId: first.contextId });
      assert.notEqual(first.id, second.id);
      const { error } = await server.rpc('SendMessage', { message: { ...said('Hi'), taskId: `${first.contextId}.x` } });
      assert.equal(error?.code, -32001);
    },
  ],
  [
    '3.4.3',
    'infer the context from the task, and reject another one',
    async () => {
      const task = await waiting();
      const data = { requestId: requestIdOf(task), action: 'cancel' };
      const message = { messageId: 'answer', role: 'ROLE_USER', taskId: task.id, parts: [{ data }] };
      const other = { ...message, contextId: (await done()).contextId };
      assert.equal((await server.rpc('SendMessage', { message: other })).error?.code, -32602);
      gemini.reply('All right.');
      const result = await server.result<{ task: TaskJson }>('SendMessage', { message });
      assert.equal(result.task.contextId, task.contextId);
    },
  ],
  [
    '3.5.2',
    'send the same events in the same order to all streams, also after one of them is closed',
    async () => {
      const door = gate();
      gemini.reply('One', pause(door), ' two', ' three.');
      const { id } = await server.send('Count.', { configuration: { returnImmediately: true } });
      await eventually('the first word', async () => {
        return (await server.result<TaskJson>('GetTask', { id })).artifacts !== undefined;
      });
      let open = 0;
      const opened = (event: StreamJson): void => {
        if (event.task && ++open === 3) door.open();
      };
      const left = new AbortController();
      const closed = server.streamed(
        'SubscribeToTask',
        { id },
        (event) => {
          opened(event);
          left.abort();
        },
        left.signal,
      );
      const both = [
        server.streamed('SubscribeToTask', { id }, opened),
        server.streamed('SubscribeToTask', { id }, opened),
      ];
      for (const events of await Promise.all(both)) {
        const texts = events.flatMap(
          ({ artifactUpdate }) => artifactUpdate?.artifact.parts.map(({ text }) => text) ?? [],
        );
        assert.equal(texts.join(''), ' two three.');
        assert.equal(events.at(-1)?.statusUpdate?.status.state, 'TASK_STATE_COMPLETED');
      }
      await closed;
    },
  ],
  [
    '3.6.2',
    'process requests in the version that they name, with an empty one as 0.3, and reject others',
    async () => {
      const { id } = await done();
      for (const [version, method, state] of [
        ['1.0', 'GetTask', 'TASK_STATE_COMPLETED'],
        ['0.3', 'tasks/get', 'completed'],
        ['', 'tasks/get', 'completed'],
      ] as const) {
        const task = await server.result<TaskJson>(method, { id }, { 'A2A-Version': version });
        assert.equal(task.status.state, state, version);
      }
      assert.equal((await server.rpc('GetTask', { id }, { 'A2A-Version': '9.9' })).error?.code, -32009);
    },
  ],
  [
    '4.6',
    'go on without an extension that it does not know',
    async () => {
      gemini.reply('It is 42.');
      const message = { ...said('What is it?'), extensions: ['https://example.com/ext/v1'] };
      const headers = { 'A2A-Extensions': 'https://example.com/ext/v1' };
      const { task } = await server.result<{ task: TaskJson }>('SendMessage', { message }, headers);
      assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
    },
  ],
  [
    '5.5',
    'name fields in camelCase, and enums as in the definition of the protocol',
    async () => {
      const task = await server.result<TaskJson>('GetTask', { id: (await waiting()).id });
      assert.deepEqual(
        Object.keys(task).filter((key) => key.includes('_')),
        [],
      );
      assert.ok('contextId' in task);
      assert.match(task.status.state, /^TASK_STATE_[A-Z_]+$/);
      assert.match(JSON.stringify(task.history), /"role":"ROLE_USER"/);
    },
  ],
  [
    '5.6',
    'write times in ISO 8601, in UTC',
    async () => {
      const { status } = await done();
      const { timestamp = '' } = status as { timestamp?: string };
      assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const later = new Date(Date.parse(timestamp) + 60_000).toISOString();
      assert.deepEqual((await server.list({ statusTimestampAfter: later })).tasks, []);
    },
  ],
  [
    '8.2',
    'make its card available, with all interfaces and how to authenticate (8.3)',
    async () => {
      const response = await fetch(`${server.url}.well-known/agent-card.json`, { headers: { 'A2A-Version': '1.0' } });
      const card = (await response.json()) as Record<string, unknown>;
      for (const key of [
        'name',
        'description',
        'version',
        'capabilities',
        'skills',
        'defaultInputModes',
        'defaultOutputModes',
      ])
        assert.ok(key in card, key);
      assert.deepEqual(
        (card['supportedInterfaces'] as Record<string, string>[]).map((each) => [
          each['url'],
          each['protocolBinding'],
          each['protocolVersion'],
        ]),
        ['1.0', '0.3'].map((version) => [server.url, 'JSONRPC', version]),
      );
      assert.match(JSON.stringify(card['securitySchemes']), /"scheme":"Bearer"/);
    },
  ],
  [
    '9.1',
    'read service parameters from headers, whatever the case of their names',
    async () => {
      const { id } = await done();
      for (const name of ['a2a-version', 'A2A-VERSION']) {
        const headers = { 'content-type': 'application/json', [name]: '1.0' };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id } });
        const response = await server.fetch(server.url, { method: 'POST', headers, body });
        assert.match(await response.text(), /TASK_STATE_COMPLETED/);
      }
    },
  ],
  [
    '9.3',
    'speak JSON-RPC 2.0, and answer with the ID of the request',
    async () => {
      for (const id of [7, 'seven']) {
        const response = await server.post(JSON.stringify({ jsonrpc: '2.0', id, method: 'ListTasks', params: {} }));
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
        const answer = (await response.json()) as { jsonrpc: string; id: unknown };
        assert.deepEqual([answer.jsonrpc, answer.id], ['2.0', id]);
      }
    },
  ],
  [
    '13.1',
    'only show tasks of the folder that it serves',
    async () => {
      const { id, contextId } = await done();
      const elsewhere = await tempFolder('musts-other');
      const other = await LocalA2a.start({ endpoint: gemini.url, workspace: elsewhere.path, home: home.path });
      try {
        assert.equal((await other.rpc('GetTask', { id })).error?.code, -32001);
        assert.equal((await other.rpc('CancelTask', { id })).error?.code, -32001);
        const { tasks } = await other.result<{ tasks: unknown[] }>('ListTasks', { contextId });
        assert.deepEqual(tasks, []);
      } finally {
        await other.stop();
        await elsewhere.dispose();
      }
    },
  ],
  [
    '14.1',
    'not fetch what a message refers to',
    async () => {
      const parts = (place: string): object => ({ parts: [{ url: place, mediaType: 'text/plain' }] });
      const file = { ...said(''), ...parts('file:///etc/passwd') };
      assert.equal((await server.rpc('SendMessage', { message: file })).error?.code, -32005);
      receiver.notices.length = 0;
      gemini.reply('I see a link.');
      await server.result('SendMessage', { message: { ...said(''), ...parts(url) } });
      assert.deepEqual(receiver.notices, []);
    },
  ],
];

describe('A server of A2A 1.0 must', () => {
  before(async () => {
    [gemini, home] = await Promise.all([startGeminiEndpoint(), tempFolder('musts')]);
    receiver = new PushReceiver();
    url = await receiver.listen();
    const write = testTool('write', 'edit', async () => ({ content: 'written' }));
    const options = { endpoint: gemini.url, workspace: home.path, home: home.path, tools: [write] };
    server = await LocalA2a.start({ ...options, served: { push: url } });
    plain = await LocalA2a.start(options);
  });
  afterEach(() => gemini.startOver());
  after(async () => {
    await Promise.all([server.stop(), plain.stop()]);
    await Promise.all([gemini.dispose(), home.dispose(), receiver.close()]);
  });

  for (const [section, must, check] of MUSTS) it(`${must} (${section})`, check);
});

let messages = 0;

function said(text: string): object {
  return { messageId: `must-${++messages}`, role: 'ROLE_USER', parts: [{ text }] };
}

async function done(more: object = {}): Promise<TaskJson> {
  gemini.reply('It is 42.');
  return server.send('What is it?', { ...more });
}

/** A task that waits for an approval. */
async function waiting(): Promise<TaskJson> {
  gemini.reply(call('write'));
  return server.send('Write it.');
}
