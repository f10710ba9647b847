import assert from 'node:assert/strict';
import type { Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import { describe, it } from 'mocha';
import { PushSender, type PushTarget } from '../../../extension/a2a/push-sender.ts';
import { PushPrefix, pushConfig, pushHeaders } from '../../../extension/a2a/push-target.ts';
import type { HttpRequest, SendHttp } from '../../../extension/model/http/send-http.ts';
import { eventually } from '../../support/poll.ts';
import { testHost } from '../../support/test-host.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const CONFIG: TaskPushNotificationConfig = {
  tenant: '',
  taskId: 's.1',
  id: 'mine',
  url: 'https://example.com/hooks/mine',
  token: 'shared',
  authentication: { scheme: 'Bearer', credentials: 'secret' },
};

describe('The URL of a push notification', () => {
  const cases: [prefix: string, url: string, covered: boolean][] = [
    ['https://example.com', 'https://example.com/any?key=1', true],
    ['https://example.com/hooks', 'https://example.com/hooks', true],
    ['https://example.com/hooks', 'https://example.com/hooks/mine', true],
    ['https://example.com/hooks', 'https://EXAMPLE.com:443/hooks/mine', true],
    ['https://example.com/hooks/', 'https://example.com/hooks', false],
    ['https://example.com/hooks', 'https://example.com/hooksevil', false],
    ['https://example.com/hooks', 'https://example.com/hooks/../admin', false],
    ['https://example.com/hooks', 'https://example.com/hooks/%2e%2e/admin', false],
    ['https://example.com/hooks', 'https://example.com/hooks/..%2fadmin', false],
    ['https://example.com/hooks', 'https://example.com/hooks/%252e%252e%252fadmin', false],
    ['https://example.com/hooks', 'https://example.com/hooks/..;/admin', false],
    ['https://example.com/hooks', 'https://example.com\\hooks\\..\\admin', false],
    ['https://example.com', 'https://example.com.evil.example/', false],
    ['https://example.com', 'http://example.com/', false],
    ['https://example.com', 'https://example.com:8443/', false],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/x', true],
    ['http://127.0.0.1:8080', 'http://localhost:8080/x', false],
    ['https://example.com', 'file:///etc/passwd', false],
    ['https://example.com', 'blob:https://example.com/x', false],
  ];
  for (const [prefix, url, covered] of cases) {
    it(`${url} is ${covered ? '' : 'not '}below ${prefix}`, () => {
      assert.equal(new PushPrefix(prefix).covers(new URL(url)), covered);
    });
  }
});

describe('A push notification config', () => {
  const prefix = new PushPrefix('https://example.com/hooks');
  const read = (change: object): TaskPushNotificationConfig => pushConfig({ ...CONFIG, ...change }, prefix);

  it('gets an ID if it has none', () => {
    assert.deepEqual(read({}), CONFIG);
    assert.match(read({ id: '' }).id, /^[0-9a-f-]{36}$/);
  });

  it('puts its token and credentials in headers', () => {
    assert.deepEqual(pushHeaders(CONFIG), { 'x-a2a-notification-token': 'shared', authorization: 'Bearer secret' });
    assert.deepEqual(pushHeaders({ ...CONFIG, token: '', authentication: undefined }), {});
  });

  for (const [what, change, why] of [
    ['no URL', { url: '' }, /needs a "url"/],
    ['a URL that is none', { url: 'hooks' }, /"hooks" is not a URL/],
    ['a URL that is a number', { url: 7 }, /needs a "url"/],
    ['another URL', { url: 'https://evil.example/hooks/' }, /"https:\/\/evil\.example\/hooks\/"/],
    ['credentials in the URL', { url: 'https://me:pass@example.com/hooks' }, /user name or a password/],
    ['a huge URL', { url: `https://example.com/hooks/${'x'.repeat(100_000)}` }, /^.{0,300}too long/],
    ['a huge token', { token: 'x'.repeat(100_000) }, /"token"/],
    ['a token that would begin another header', { token: 'x\r\nX-Other: 1' }, /"token"/],
    ['a token that is no text', { token: { a: 1 } }, /"token"/],
    ['a huge ID', { id: 'x'.repeat(1_000) }, /"id"/],
    ['credentials with a line break', { authentication: { scheme: 'Bearer', credentials: 'a\nb' } }, /"credentials"/],
    ['a scheme with a space', { authentication: { scheme: 'Bearer x', credentials: 'a' } }, /scheme/],
    ['no scheme', { authentication: { scheme: '', credentials: 'a' } }, /scheme/],
  ] as const) {
    it(`is refused with ${what}`, () => {
      assert.throws(() => read(change), why);
    });
  }
});

describe('A push notification', () => {
  const task = (text = 'It is 42.'): Task => {
    const part = { content: { $case: 'text', value: text } as const, metadata: undefined, filename: '', mediaType: '' };
    const artifact = { artifactId: 'answer', name: '', description: '', parts: [part], metadata: {}, extensions: [] };
    const status = { state: 3, message: undefined, timestamp: undefined };
    return { id: 's.1', contextId: 's', status, artifacts: [artifact], history: [], metadata: {} };
  };
  const target = (version = '1.0'): PushTarget => ({ config: CONFIG, version });
  const never = new AbortController().signal;

  /** Answers each request with the next status; 0 is no answer, and -1 a connection that is refused. */
  const senderWith = (...statuses: readonly number[]) => {
    const time = new VirtualTime();
    const host = testHost();
    const requests: HttpRequest[] = [];
    const send: SendHttp = (request, signal) => {
      requests.push(request);
      const status = statuses[requests.length - 1] ?? 200;
      if (status === -1) return Promise.reject(Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' }));
      if (status === 0) {
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      const close = (): Promise<void> => Promise.resolve();
      return Promise.resolve({ status, header: () => undefined, read: () => assert.fail('is not read'), close });
    };
    const sender = new PushSender({ send, alarm: time.alarm, log: host.log });
    /** Lets this many seconds pass as soon as something waits for them. */
    const pass = async (...waits: readonly number[]): Promise<void> => {
      for (const seconds of waits) {
        await eventually('something to wait', () => time.pending > 0);
        time.pass(seconds / 60);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { sender, requests, pass, time, host };
  };

  it('is what a stream would have sent in 1.0, and a task in 0.3', async () => {
    const { sender, requests } = senderWith();
    await sender.deliver(target(), task(), never);
    await sender.deliver(target('0.3'), task(), never);
    const [now, earlier] = requests.map(({ body }) => JSON.parse(String(body)));
    assert.equal(now.task.status.state, 'TASK_STATE_COMPLETED');
    assert.deepEqual([earlier.kind, earlier.status.state], ['task', 'completed']);
    assert.deepEqual(
      requests.map(({ url, method, headers }) => [url, method, headers['content-type']]),
      [
        [CONFIG.url, 'POST', 'application/a2a+json'],
        [CONFIG.url, 'POST', 'application/json'],
      ],
    );
    assert.equal(requests[0]?.headers['x-a2a-notification-token'], 'shared');
    assert.equal(requests[0]?.headers['authorization'], 'Bearer secret');
  });

  it('leaves the answer out if it is larger than 1 MB', async () => {
    const { sender, requests } = senderWith();
    await sender.deliver(target(), task('x'.repeat(2_000_000)), never);
    const body = String(requests[0]?.body);
    assert.ok(body.length < 1_000);
    assert.match(body, /TASK_STATE_COMPLETED/);
  });

  it('is sent again after 1, 4 and 16 s, and then given up', async () => {
    const { sender, requests, pass, host } = senderWith(500, -1, 429, 503, 200);
    const sent = sender.deliver(target(), task(), never);
    await pass(1, 4, 16);
    await sent;
    assert.deepEqual([requests.length, sender.failed, host.complaints.length], [4, 1, 1]);
    assert.match(host.complaints[0] ?? '', /HTTP 503/);
  });

  it('is sent again to a receiver that does not answer within 10 s', async () => {
    const { sender, requests, pass } = senderWith(0, 200);
    const sent = sender.deliver(target(), task(), never);
    await pass(10, 1);
    await sent;
    assert.deepEqual([requests.length, sender.failed], [2, 0]);
  });

  for (const status of [301, 302, 307, 400, 401, 404, 410]) {
    it(`is not sent again after HTTP ${status}`, async () => {
      const { sender, requests } = senderWith(status);
      await sender.deliver(target(), task(), never);
      assert.deepEqual([requests.length, sender.failed], [1, 1]);
    });
  }

  it('that is not taken is in the log once, until one is taken', async () => {
    const { sender, host } = senderWith(404, 404, 200, 404);
    for (let count = 0; count < 4; count++) await sender.deliver(target(), task(), never);
    assert.deepEqual([host.complaints.length, sender.failed], [2, 3]);
    assert.deepEqual(host.notes, ['Push notifications are taken again. 2 were not.']);
    assert.doesNotMatch(JSON.stringify([host.complaints, host.notes]), /secret|shared|example\.com/);
  });

  it('is cut off when the server ends, or the config is deleted', async () => {
    const { sender, requests, time } = senderWith(0, 0);
    const deleted = new AbortController();
    const one = sender.deliver(target(), task(), deleted.signal);
    deleted.abort();
    await one;
    const other = sender.deliver(target(), task(), never);
    sender.dispose();
    await other;
    assert.deepEqual([requests.length, sender.failed, time.pending], [2, 0, 0]);
  });
});
