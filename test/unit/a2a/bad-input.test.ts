import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { A2aServer } from '../../support/a2a-server.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { eventually } from '../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

/** One server for all: none of this may harm it. */
describe('Bad input over A2A', () => {
  let server: A2aServer;
  let parts: (GeminiEndpoint | TempWorkspace | TempFolder)[];

  before(async () => {
    const [endpoint, workspace, home] = [
      await startGeminiEndpoint(),
      await createTempWorkspace({}),
      await tempFolder('h'),
    ];
    parts = [endpoint, workspace, home];
    const environment = { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: endpoint.url, GANTRY_HOME: home.path };
    server = await A2aServer.start({ workspace: workspace.path, environment });
  });

  after(async () => {
    await server.stop();
    for (const part of parts) await part.dispose();
  });

  const works = async (): Promise<void> => {
    assert.equal((await server.rpc('ListTasks', {})).error, undefined, 'the server still works');
  };

  /** The server learns a moment later that connections are gone. */
  const reachable = async (): Promise<void> => {
    while (!(await server.rpc('ListTasks', {}).catch(() => undefined)));
  };

  describe('is refused before anything of it is read', () => {
    const cases: Record<string, { status: number; headers: Record<string, string> }> = {
      'without a token': { status: 401, headers: { Authorization: '' } },
      'with a wrong token': { status: 401, headers: { Authorization: 'Bearer wrong' } },
      'with a token in another scheme': { status: 401, headers: { Authorization: 'Basic wrong' } },
      'from a page of another site': { status: 403, headers: { Origin: 'https://evil.example' } },
      'from a page of a file': { status: 403, headers: { Origin: 'null' } },
      'from another port': { status: 403, headers: { Origin: 'http://127.0.0.1:1' } },
      'for a name that leads to this machine': { status: 403, headers: { Host: 'evil.example' } },
      'for the right name and another port': { status: 403, headers: { Host: '127.0.0.1:1' } },
    };
    for (const [what, { status, headers }] of Object.entries(cases)) {
      it(what, async () => {
        // The body never ends, so whoever waits for it does not answer.
        const answer = await statusOf(server, { ...headers, 'Content-Length': '1000' }, '{"jsonrpc"');
        assert.equal(answer, status);
        await works();
      });
    }

    it('checks the host before the origin, and the origin before the token', async () => {
      const wrong = { Host: 'evil.example', Origin: 'https://evil.example', Authorization: '' };
      assert.equal(await statusOf(server, wrong, '{}'), 403);
      assert.equal(await statusOf(server, { Authorization: '' }, '{}'), 401);
    });

    it('shows the card and that it is well to everybody on this machine, but not to pages', async () => {
      for (const path of ['.well-known/agent-card.json', 'health']) {
        const open = await server.fetch(`${server.url}${path}`, { headers: { Authorization: '' } });
        assert.equal(open.status, 200);
        assert.doesNotMatch(await open.text(), /"pid"/);
        assert.equal(
          (await fetch(`${server.url}${path}`, { headers: { Origin: 'https://evil.example' } })).status,
          403,
        );
      }
      assert.match(await (await server.fetch(`${server.url}health`)).text(), /"pid":\d+/);
    });
  });

  for (const [what, body, code] of [
    ['no JSON', '{"jsonrpc": "2.0", ', -32700],
    ['nothing', '', -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}]', -32600],
    ['a text', '"GetTask"', -32600],
    ['another JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"GetTask","params":{}}', -32600],
    ['an id of the wrong kind', '{"jsonrpc":"2.0","id":{},"method":"GetTask","params":{}}', -32600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"DropTable","params":{}}', -32601],
    ['a method of 0.3', '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x"}}', -32601],
    ['parameters that are a list', '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]}', -32602],
    ['no message', '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{}}', -32602],
    ['a message without parts', rpc({ messageId: 'm', role: 'ROLE_USER', parts: [] }), -32602],
    ['an unknown role', rpc({ messageId: 'm', role: 'KING', parts: [{ text: 'x' }] }), -32602],
    ['an empty text', rpc({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: ' ' }] }), -32602],
    [
      'a file of this machine',
      rpc({ messageId: 'm', role: 'ROLE_USER', parts: [{ url: 'file:///etc/passwd', mediaType: 'text/plain' }] }),
      -32005,
    ],
    ['an unknown task', rpc({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }], taskId: 'a.b' }), -32001],
    ['an unknown context', rpc({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }], contextId: 'a' }), -32001],
    [
      'a context that is a path',
      rpc({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }], contextId: '../../x' }),
      -32001,
    ],
    [
      'a model that is none',
      rpc({ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }], metadata: { _model: 7 } }),
      -32602,
    ],
  ] as const) {
    it(`is answered with ${code}: ${what}`, async () => {
      const response = await server.post(body);
      const { error } = (await response.json()) as { error?: { code: number } };
      assert.equal(error?.code, code);
      await works();
    });
  }

  it('names the versions that it speaks', async () => {
    const { error } = await server.rpc('GetTask', { id: 'a.b' }, { 'A2A-Version': '2.0' });
    assert.equal(error?.code, -32009);
    assert.match(error?.message ?? '', /1\.0 and 0\.3/);
    assert.equal((await server.rpc('GetTask', { id: 'a.b' }, { 'A2A-Version': '1.0.3' })).error?.code, -32001);
  });

  it('refuses other places, methods and kinds of content', async () => {
    assert.equal((await server.fetch(`${server.url}admin`)).status, 404);
    assert.equal((await server.fetch(server.url)).status, 405);
    assert.equal((await server.post('{}', { 'Content-Type': 'text/plain' })).status, 415);
  });

  it('reads no body of more than 16 MB, and the connection stays usable', async () => {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
    const answers = new Answers(socket);
    const large = 17 * 1024 * 1024;
    socket.write(head(server, large));
    socket.write(Buffer.alloc(large, 'x'));
    assert.match(await answers.next(), /^HTTP\/1\.1 413/);
    const small = '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}';
    socket.write(head(server, small.length) + small);
    assert.match(await answers.next(), /^HTTP\/1\.1 200/);
    socket.destroy();
  });

  it('parses no body that is too deep', async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    assert.equal((await server.post(deep)).status, 413);
    const inText = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: '['.repeat(1_000) } });
    assert.equal((await server.post(inText)).status, 200, 'brackets in a text are none');
    await works();
  });

  it('asks to come back if there are too many requests at once', async () => {
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
    const answers = new Answers(socket);
    // At once, because a slow machine cannot send as many in a second.
    socket.write(`${head(server, 2)}{}`.repeat(120));
    const all: string[] = [];
    while (all.length < 120) all.push(await answers.next());
    const refused = all.filter((answer) => answer.startsWith('HTTP/1.1 429'));
    assert.match(refused[0] ?? '', /retry-after: 1/i);
    socket.destroy();
    await eventually('an answer a moment later', async () => (await server.post('{}')).status === 200);
  });

  it('holds 64 connections, and closes more', async () => {
    const { port } = new URL(server.url);
    const sockets = Array.from({ length: 80 }, () => connect({ port: Number(port), host: '127.0.0.1' }));
    const closed: unknown[] = [];
    await new Promise<void>((resolve) => {
      for (const socket of sockets) {
        socket.on('error', () => undefined);
        socket.once('close', () => {
          closed.push(socket);
          if (closed.length === sockets.length - 64) resolve();
        });
      }
    });
    for (const socket of sockets) socket.destroy();
    await reachable();
  });

  it('keeps idle connections for longer than clients do, unless others need the room', async () => {
    const sockets: Socket[] = [];
    // Undefined if the server has closed the connection.
    const asked = (): Promise<string | undefined> => {
      const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write(head(server, 0).replace(/^POST .*/, 'GET /health HTTP/1.1'));
      const closed = new Promise<undefined>((resolve) => socket.once('close', () => resolve(undefined)));
      return Promise.race([new Answers(socket).next(), closed]);
    };
    const idle = await Promise.all(Array.from({ length: 64 }, asked));
    assert.match(idle[0] ?? '', /keep-alive: timeout=95/i);
    while ((await asked()) === undefined);
    for (const socket of sockets) socket.destroy();
    await reachable();
  });

  it('is always answered with an error of JSON-RPC, whatever it is', async function () {
    // On a busy machine, each of the requests may wait for its turn.
    this.timeout(90_000);
    const methods = ['SendMessage', 'GetTask', 'CancelTask', 'ListTasks', 'SubscribeToTask', 'GetExtendedAgentCard'];
    const legacy = ['message/send', 'tasks/get', 'tasks/cancel', 'tasks/resubscribe', 'message/stream'];
    const names = [
      'id',
      'message',
      'parts',
      'taskId',
      'contextId',
      'messageId',
      'role',
      'metadata',
      'kind',
      'data',
      'text',
    ];
    const { params } = fc.letrec<{ params: unknown }>((tie) => ({
      params: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, '', 'x', 'user', 7, true, -1, [], {}),
        fc.array(tie('params'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('params'), { maxKeys: 4 }),
      ),
    }));
    const version = fc.constantFrom('1.0', '0.3');
    const property = fc.asyncProperty(
      version,
      fc.constantFrom(...methods, ...legacy),
      params,
      async (spoken, method, given) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: given });
        const response = await server.post(body, { 'A2A-Version': spoken });
        assert.equal(response.status, 200);
        const { error, result } = (await response.json()) as { error?: { code: number }; result?: unknown };
        assert.ok(error ? CODES.has(error.code) : result !== undefined, `${method} ${body}: ${error?.code}`);
      },
    );
    await fc.assert(property, { numRuns: 150 });
    await works();
  });
});

/** No -32603: nothing that a client sends is a failure of the server. */
const CODES: ReadonlySet<number> = new Set([-32600, -32601, -32602, -32001, -32002, -32004, -32005]);

function rpc(message: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } });
}

/** The status of a request whose body is not complete. */
function statusOf(server: A2aServer, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  const all = { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json', ...headers };
  return new Promise((resolve, reject) => {
    const sending = request(server.url, { method: 'POST', headers: all }, (response) => {
      resolve(response.statusCode ?? 0);
      sending.destroy();
    });
    sending.on('error', reject);
    sending.write(body);
    if (!('Content-Length' in headers)) sending.end();
  });
}

/** The beginning of a request as it is on the wire. */
function head({ url, token }: A2aServer, length: number): string {
  const lines = [
    'POST / HTTP/1.1',
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${token}`,
    'A2A-Version: 1.0',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The responses on one connection, in order. */
class Answers {
  private text = '';
  private wake: (() => void) | undefined;

  constructor(socket: NodeJS.ReadableStream) {
    socket.on('data', (chunk: Buffer) => {
      this.text += chunk.toString('latin1');
      this.wake?.();
    });
  }

  async next(): Promise<string> {
    for (;;) {
      const [, head = '', length = ''] = /^([\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n)/i.exec(this.text) ?? [];
      if (head && this.text.length >= head.length + Number(length)) {
        const whole = this.text.slice(0, head.length + Number(length));
        this.text = this.text.slice(whole.length);
        return whole;
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
