import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { LocalA2a, requestIdOf, type TaskJson } from '../../support/a2a-in-process.ts';
import { testTool } from '../../support/conversation.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { runHeadless } from '../../support/headless.ts';
import { eventually } from '../../support/poll.ts';
import { PushReceiver } from '../../support/push-receiver.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

describe('Push notifications', () => {
  let gemini: GeminiEndpoint;
  let home: TempFolder;
  let receiver: PushReceiver;
  let url: string;
  let servers: LocalA2a[];

  beforeEach(async () => {
    [gemini, home] = await Promise.all([startGeminiEndpoint(), tempFolder('push')]);
    receiver = new PushReceiver();
    url = await receiver.listen();
    servers = [];
  });
  afterEach(async () => {
    for (const server of servers) await server.stop();
    await Promise.all([gemini.dispose(), home.dispose(), receiver.close()]);
  });

  const start = async (push: string | null = url): Promise<LocalA2a> => {
    const write = testTool('write', 'edit', async () => ({ content: 'written' }));
    const server = await LocalA2a.start({
      ...{ endpoint: gemini.url, workspace: home.path, home: home.path, tools: [write] },
      ...(push !== null && { served: { push } }),
    });
    servers.push(server);
    return server;
  };
  const restart = async (server: LocalA2a, push = url): Promise<LocalA2a> => {
    await server.stop();
    servers = servers.filter((each) => each !== server);
    return start(push);
  };
  const asks = async (server: LocalA2a, more: object = {}): Promise<TaskJson> => {
    gemini.reply(call('write'));
    return server.send('Write it.', { configuration: { taskPushNotificationConfig: { url, ...more } } });
  };
  const answers = async (server: LocalA2a, task: TaskJson): Promise<void> => {
    gemini.reply('Written.');
    const data = { requestId: requestIdOf(task), action: 'accept', content: { decision: 'once' } };
    const message = { messageId: 'answer', role: 'ROLE_USER', taskId: task.id, parts: [{ data }] };
    await server.result('SendMessage', { message });
  };
  const stored = (): Promise<string[]> => readdir(join(home.path, 'a2a', 'push')).catch(() => []);
  const listed = async (server: LocalA2a, taskId: string): Promise<{ configs?: { id: string }[] }> =>
    server.result('ListTaskPushNotificationConfigs', { taskId });

  it('say when a task works, waits and has ended, with the token and the credentials', async () => {
    const server = await start();
    const task = await asks(server, { token: 'shared', authentication: { scheme: 'Bearer', credentials: 'key' } });
    const { body, headers, path } = await receiver.until('INPUT_REQUIRED');
    assert.equal(path, '/hooks');
    assert.equal(headers['x-a2a-notification-token'], 'shared');
    assert.equal(headers.authorization, 'Bearer key');
    assert.equal(headers['content-type'], 'application/a2a+json');
    assert.equal(requestIdOf(body.task ?? task), requestIdOf(task));
    const [file = ''] = await stored();
    assert.equal((await stat(join(home.path, 'a2a', 'push', file))).mode & 0o777, 0o600);
    await answers(server, task);
    const end = await receiver.until('COMPLETED');
    assert.equal(end.body.task?.artifacts?.[0]?.parts[0]?.text, 'Written.');
    await eventually('the config to be gone', async () => (await stored()).length === 0);
    assert.deepEqual(await listed(server, task.id), {});
    assert.equal(server.isBusy, false);
  });

  it('are tasks for a client of 0.3', async () => {
    const server = await start();
    gemini.reply('It is 42.');
    const parts = [{ kind: 'text', text: 'What is it?' }];
    const message = { kind: 'message', messageId: 'm', role: 'user', parts };
    const configuration = { blocking: true, pushNotificationConfig: { url, token: 'shared' } };
    await server.result('message/send', { message, configuration }, { 'A2A-Version': '0.3' });
    const { body, headers } = await receiver.until('completed');
    assert.deepEqual([body.kind, headers['x-a2a-notification-token']], ['task', 'shared']);
  });

  it('have configs that are created, read, listed and deleted', async () => {
    const server = await start();
    const { id: taskId } = await asks(server, { id: 'first' });
    const second = { taskId, id: 'second', url: `${url}/two`, token: 't' };
    assert.deepEqual(await server.result('CreateTaskPushNotificationConfig', second), second);
    assert.deepEqual(await server.result('GetTaskPushNotificationConfig', { taskId, id: 'second' }), second);
    const { configs } = await listed(server, taskId);
    assert.deepEqual(
      configs?.map(({ id }) => id),
      ['first', 'second'],
    );
    const page = await server.result('ListTaskPushNotificationConfigs', { taskId, pageSize: 1 });
    assert.deepEqual(page, { configs: [{ taskId, id: 'first', url }], nextPageToken: 'second' });
    for (let count = 0; count < 2; count++) {
      await server.result('DeleteTaskPushNotificationConfig', { taskId, id: 'second' });
    }
    const { error } = await server.rpc('GetTaskPushNotificationConfig', { taskId, id: 'second' });
    assert.equal(error?.code, -32001);
    const replaced = { taskId, id: 'first', url: `${url}/new` };
    await server.result('CreateTaskPushNotificationConfig', replaced);
    assert.deepEqual(await listed(server, taskId), { configs: [replaced] });
  });

  it('have configs in the form of 0.3, too', async () => {
    const server = await start();
    const { id } = await asks(server, { id: 'first' });
    const v03 = { 'A2A-Version': '0.3' };
    const config = {
      taskId: id,
      pushNotificationConfig: { id: 'mine', url, authentication: { schemes: ['Basic'], credentials: 'x' } },
    };
    assert.deepEqual(await server.result('tasks/pushNotificationConfig/set', config, v03), config);
    const got = { id, pushNotificationConfigId: 'mine' };
    assert.deepEqual(await server.result('tasks/pushNotificationConfig/get', got, v03), config);
    const all = await server.result<object[]>('tasks/pushNotificationConfig/list', { id }, v03);
    assert.equal(all.length, 2);
    assert.equal(await server.result('tasks/pushNotificationConfig/delete', got, v03), null);
    const first = { taskId: id, pushNotificationConfig: { id: 'first', url } };
    assert.deepEqual(await server.result('tasks/pushNotificationConfig/get', { id }, v03), first, 'the only one');
    assert.equal((await server.rpc('tasks/pushNotificationConfig/set', { taskId: id }, v03)).error?.code, -32602);
  });

  it('continue after a restart, and say again what the task waits for', async () => {
    const first = await start();
    const task = await asks(first);
    await receiver.until('INPUT_REQUIRED');
    receiver.notices.length = 0;
    const second = await restart(first);
    await receiver.until('INPUT_REQUIRED');
    assert.equal((await listed(second, task.id)).configs?.length, 1);
    await answers(second, task);
    await receiver.until('COMPLETED');
  });

  it('say after a restart that a task was cut off', async () => {
    const server = await start();
    const door = gate();
    gemini.reply('One', pause(door), ' two.');
    const configuration = { returnImmediately: true, taskPushNotificationConfig: { url } };
    await server.send('Count.', { configuration });
    await receiver.until('WORKING');
    await door.reached;
    await restart(server);
    door.open();
    const { body } = await receiver.until('FAILED');
    assert.equal(body.task?.metadata?.['code'], 'INTERRUPTED');
    await eventually('the config to be gone', async () => (await stored()).length === 0);
  });

  it('are not sent to stored URLs that the next server may not use', async () => {
    const first = await start();
    const task = await asks(first);
    await receiver.until('INPUT_REQUIRED');
    receiver.notices.length = 0;
    const second = await restart(first, 'https://example.com/hooks');
    assert.deepEqual(await listed(second, task.id), {});
    assert.match(second.host.complaints.join(), /not below --push/);
    assert.deepEqual([receiver.notices, await stored()], [[], []]);
  });

  it('do not follow a redirect, and never hold up the task', async () => {
    receiver.status = 307;
    const server = await start();
    gemini.reply('It is 42.');
    const configuration = { taskPushNotificationConfig: { url } };
    assert.equal((await server.send('What is it?', { configuration })).status.state, 'TASK_STATE_COMPLETED');
    await receiver.until('COMPLETED');
    assert.ok(receiver.notices.every(({ path }) => path === '/hooks'));
    await eventually('the config to be gone', async () => (await stored()).length === 0);
    receiver.status = undefined;
    gemini.reply('Still 42.');
    assert.equal((await server.send('And now?', { configuration })).status.state, 'TASK_STATE_COMPLETED');
    assert.equal(server.isBusy, true, 'the receiver has not answered');
  });

  it('go to the newest state next if their receiver is slow', async () => {
    receiver.status = undefined;
    const server = await start();
    const task = await asks(server);
    await eventually('the first notification', () => receiver.notices.length === 1);
    await answers(server, task);
    assert.equal(receiver.notices.length, 1);
    const text = await readFile(join(home.path, 'a2a', 'push', (await stored())[0] ?? ''), 'utf8');
    assert.match(text, /"targets":\[/, 'kept until the end was sent');
  });

  it('go nowhere else, and a message with a wrong config is not sent', async () => {
    const server = await start();
    const task = await asks(server);
    for (const wrong of ['https://evil.example/', url.replace('/hooks', '/other'), url.replace('//', '//me:pass@')]) {
      const { error } = await server.rpc('CreateTaskPushNotificationConfig', { taskId: task.id, url: wrong });
      assert.equal(error?.code, -32602);
      if (!wrong.includes('pass')) assert.ok(error?.message.includes(wrong));
      const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
      const configuration = { taskPushNotificationConfig: { url: wrong } };
      assert.equal((await server.rpc('SendMessage', { message, configuration })).error?.code, -32602);
    }
    assert.equal(gemini.requests.length, 1);
  });

  it('have at most 10 configs for a task', async () => {
    const server = await start();
    const { id: taskId } = await asks(server, { id: '0' });
    for (let count = 1; count < 10; count++) {
      await server.result('CreateTaskPushNotificationConfig', { taskId, id: String(count), url });
    }
    const { error } = await server.rpc('CreateTaskPushNotificationConfig', { taskId, id: '10', url });
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? '', /up to 10/);
    await server.result('CreateTaskPushNotificationConfig', { taskId, id: '9', url: `${url}/again` });
  });

  it('are not possible for a task that is unknown or has ended', async () => {
    const server = await start();
    gemini.reply('It is 42.');
    const { id } = await server.send('What is it?');
    assert.equal((await server.rpc('CreateTaskPushNotificationConfig', { taskId: id, url })).error?.code, -32004);
    for (const method of ['Create', 'Get', 'Delete']) {
      const params = { taskId: 'a.b', id: 'x', url };
      assert.equal((await server.rpc(`${method}TaskPushNotificationConfig`, params)).error?.code, -32001);
    }
    assert.equal((await server.rpc('ListTaskPushNotificationConfigs', { taskId: 'a.b' })).error?.code, -32001);
  });

  it('are off without --push, as the card says', async () => {
    for (const push of [null, url]) {
      const server = await start(push);
      for (const version of ['1.0', '0.3']) {
        const headers = { 'A2A-Version': version };
        const card = await (await server.fetch(`${server.url}.well-known/agent-card.json`, { headers })).json();
        const { capabilities } = card as { capabilities: { pushNotifications?: boolean } };
        assert.equal(capabilities.pushNotifications ?? false, push !== null, version);
      }
    }
    const [off] = servers;
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] };
    const configuration = { taskPushNotificationConfig: { url } };
    assert.equal((await off?.rpc('SendMessage', { message, configuration }))?.error?.code, -32003);
  });

  it('need a URL that is https, or of this machine', async () => {
    for (const [given, why] of [
      ['example.com', /is not an http or https URL/],
      ['https://me:secret-word@example.com', /user name or a password/],
      ['http://example.com/hooks', /is not https/],
      ['https://example.com/?key=1', /query/],
    ] as const) {
      const { code, stderr } = await runHeadless(['serve', '--push', given]);
      assert.equal(code, 42);
      assert.match(stderr, why);
      assert.doesNotMatch(stderr, /secret-word/);
    }
  });
});
