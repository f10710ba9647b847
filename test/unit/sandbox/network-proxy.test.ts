import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readHostRule } from '../../../extension/sandbox/host-rules.ts';
import { NetworkProxy, PROXY_USER, type ProxyLease } from '../../../extension/sandbox/network-proxy.ts';

/** What the names of these tests mean. Nothing is asked of the real network. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  localhost: ['127.0.0.1'],
  'public.example': ['203.0.113.7'],
  'rebinding.example': ['127.0.0.1'],
  'sub.rebinding.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'metadata6.example': ['fd00:ec2::254'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'mixed.example': ['8.8.8.8', '127.0.0.1'],
  'any.example': ['0.0.0.0'],
};

describe('The way out of the sandbox', () => {
  let web: Server;
  let webPort: number;
  let seen: { url: string | undefined; method: string | undefined; headers: IncomingHttpHeaders; body: string }[];
  let proxy: NetworkProxy;
  let port: number;

  beforeEach(async () => {
    seen = [];
    web = createServer(async (request, response) => {
      const body = await text(request);
      seen.push({ url: request.url, method: request.method, headers: request.headers, body });
      response.writeHead(200, { 'x-from': 'web', 'set-cookie': ['a=1', 'b=2'] }).end(`hello ${body}`);
    });
    webPort = await listening(web);
    proxy = new NetworkProxy(async (name) => NAMES[name] ?? []);
    port = await proxy.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => {
    proxy.dispose();
    web.close();
    web.closeAllConnections();
  });

  const leaseFor = (...rules: readonly string[]): ProxyLease =>
    proxy.lease(rules.flatMap((rule) => readHostRule(rule) ?? []));

  /** Sends text and returns all that comes back. */
  async function send(request: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(request);
    return text(socket).catch(() => '');
  }

  const authorized = ({ credential }: ProxyLease): string =>
    `Proxy-Authorization: Basic ${Buffer.from(`${PROXY_USER}:${credential}`).toString('base64')}\r\n`;
  const get = (lease: ProxyLease, url: string, more = ''): Promise<string> =>
    send(`GET ${url} HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n${authorized(lease)}${more}\r\n`);
  const tunnel = (lease: ProxyLease, authority: string, inside = ''): Promise<string> =>
    send(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorized(lease)}\r\n${inside}`);
  const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

  it('leads to a host that is allowed, with a tunnel that it does not look into', async () => {
    const lease = leaseFor(`localhost:${webPort}`);
    // What comes together with the request is for the host, too.
    const answer = await tunnel(
      lease,
      `localhost:${webPort}`,
      'GET /in HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
    );
    assert.match(answer, /^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*hello /);
    assert.deepEqual([seen[0]?.url, seen[0]?.headers.host, lease.refused], ['/in', 'h', []]);
  });

  it('leads there with plain HTTP, without what was meant for itself, and to the host that was judged', async () => {
    const lease = leaseFor(`localhost:${webPort}`);
    const url = `http://localhost:${webPort}/a?b`;
    const headers = 'X-Mine: 1\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\nUpgrade: h2c\r\n';
    const answer = await send(
      `POST ${url} HTTP/1.1\r\nHost: other.example\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n${headers}${authorized(lease)}Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n[\s\S]*hello body/);
    assert.match(answer, /set-cookie: a=1\r\nset-cookie: b=2/);
    const [{ headers: got = {}, ...rest } = {}] = seen;
    assert.deepEqual(rest, { url: '/a?b', method: 'POST', body: 'body' });
    assert.deepEqual([got['x-mine'], got.host], ['1', `localhost:${webPort}`]);
    const ours = ['proxy-authorization', 'proxy-connection', 'te', 'upgrade', 'x-hop'];
    assert.deepEqual(
      ours.filter((name) => name in got),
      [],
    );
  });

  it('says to whoever asks which host the command may not reach, for each command apart', async () => {
    const [one, other] = [leaseFor('localhost'), leaseFor()];
    assert.match(
      await get(one, 'http://a.example/'),
      /403 Forbidden[\s\S]*does not let this command reach a\.example\./,
    );
    assert.match(await tunnel(one, 'a.example:443'), /^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*reach a\.example\./);
    await tunnel(one, 'b.example:22');
    await get(other, 'http://c.example:8080/');
    assert.deepEqual([one.refused, other.refused], [['a.example', 'b.example:22'], ['c.example:8080']]);
  });

  it('keeps a limited number of them', async () => {
    const lease = leaseFor();
    await Promise.all(Array.from({ length: 30 }, (_, index) => tunnel(lease, `h${index}.example:443`)));
    assert.equal(lease.refused.length, 20);
  });

  it('is for nobody without the credential of a command that runs', async () => {
    const lease = leaseFor(`localhost:${webPort}`);
    const url = `http://localhost:${webPort}/`;
    const requests = [
      `GET ${url} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
      `CONNECT localhost:${webPort} HTTP/1.1\r\nHost: h\r\n\r\n`,
      `CONNECT localhost:${webPort} HTTP/1.1\r\nHost: h\r\nProxy-Authorization: Basic ${btoa(`${PROXY_USER}:`)}\r\n\r\n`,
      `CONNECT localhost:${webPort} HTTP/1.1\r\nHost: h\r\nProxy-Authorization: Basic ${btoa(`x:${lease.credential}`)}\r\n\r\n`,
      `CONNECT localhost:${webPort} HTTP/1.1\r\nHost: h\r\nProxy-Authorization: Bearer ${lease.credential}\r\n\r\n`,
    ];
    for (const request of requests) assert.equal(statusOf(await send(request)), 407, request);
    lease.end();
    assert.equal(statusOf(await get(lease, url)), 407);
    assert.deepEqual(seen, []);
  });

  it('ends with the command', async () => {
    const held = createTcpServer((socket) => socket.on('error', () => undefined));
    const heldPort = await listening(held);
    const lease = leaseFor(`localhost:${heldPort}`);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`CONNECT localhost:${heldPort} HTTP/1.1\r\nHost: h\r\n${authorized(lease)}\r\n`);
    const [[upstream]] = await Promise.all([once(held, 'connection'), once(socket, 'data')]);
    const closed = Promise.all([once(upstream, 'close'), once(socket, 'close')]);
    lease.end();
    await closed;
    held.close();
  });

  /** Names that the rule is about, and that lead where it is not. */
  const refused: readonly [rule: string, authority: string][] = [
    ['rebinding.example', 'rebinding.example'],
    ['*.rebinding.example', 'sub.rebinding.example'],
    ['metadata.example', 'metadata.example'],
    ['metadata6.example', 'metadata6.example'],
    ['mapped.example', 'mapped.example'],
    ['mixed.example', 'mixed.example'],
    ['any.example', 'any.example'],
    // Not named, in many notations.
    ['public.example', '127.0.0.1'],
    ['public.example', '127.1'],
    ['public.example', '2130706433'],
    ['public.example', '0x7f000001'],
    ['public.example', '0177.0.0.1'],
    ['public.example', '127.0.0.1.'],
    ['public.example', '[::1]'],
    ['public.example', '[::ffff:127.0.0.1]'],
    ['public.example', '169.254.169.254'],
    ['public.example', 'localhost'],
    ['public.example', 'public.example.evil.example'],
    ['127.0.0.1', '127.0.0.2'],
  ];
  for (const [rule, authority] of refused) {
    it(`does not lead to ${authority} where ${rule} is allowed`, async () => {
      const lease = leaseFor(rule, `${rule}:${webPort}`);
      assert.equal(statusOf(await tunnel(lease, `${authority}:${webPort}`)), 403);
      assert.equal(statusOf(await get(lease, `http://${authority}:${webPort}/`)), 403);
      assert.deepEqual(seen, []);
    });
  }

  it('leads to an address that is named', async () => {
    const lease = leaseFor(`127.0.0.1:${webPort}`);
    for (const host of ['127.0.0.1', '127.1', '2130706433']) {
      assert.equal(statusOf(await get(lease, `http://${host}:${webPort}/`)), 200);
    }
  });

  it('says that an allowed host cannot be reached, which is no refusal', async () => {
    const closed = createTcpServer();
    const closedPort = await listening(closed);
    closed.close();
    const lease = leaseFor('unknown.example', `localhost:${closedPort}`);
    for (const authority of ['unknown.example:443', `localhost:${closedPort}`]) {
      assert.equal(statusOf(await tunnel(lease, authority)), 502, authority);
      if (authority !== 'unknown.example:443') assert.equal(statusOf(await get(lease, `http://${authority}/`)), 502);
    }
    assert.deepEqual(lease.refused, []);
  });

  it('answers what is no request for a proxy, or closes, and continues', async () => {
    const lease = leaseFor(`localhost:${webPort}`);
    const hostile: readonly string[] = [
      'nonsense\r\n\r\n',
      '\0\0\0\0',
      `GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${authorized(lease)}\r\n`,
      `GET https://localhost:${webPort}/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${authorized(lease)}\r\n`,
      `GET ftp://localhost/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${authorized(lease)}\r\n`,
      `CONNECT localhost HTTP/1.1\r\nHost: h\r\n${authorized(lease)}\r\n`,
      `CONNECT :443 HTTP/1.1\r\nHost: h\r\n${authorized(lease)}\r\n`,
      `CONNECT user@localhost:${webPort} HTTP/1.1\r\nHost: h\r\n${authorized(lease)}\r\n`,
      `CONNECT localhost:${webPort}/x HTTP/1.1\r\nHost: h\r\n${authorized(lease)}\r\n`,
      `CONNECT localhost:99999 HTTP/1.1\r\nHost: h\r\n${authorized(lease)}\r\n`,
      `CONNECT ${'a'.repeat(5000)}:443 HTTP/1.1\r\nHost: h\r\n${authorized(lease)}\r\n`,
      `GET http://localhost:${webPort}/ HTTP/1.1\r\nHost: h\r\nX-Long: ${'x'.repeat(20_000)}\r\n${authorized(lease)}\r\n`,
      `POST http://localhost:${webPort}/ HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n${authorized(lease)}\r\n`,
    ];
    for (const request of hostile) {
      const status = statusOf(await send(request));
      assert.ok(Number.isNaN(status) || status >= 400, `${status} for ${request.slice(0, 80)}`);
    }
    assert.deepEqual(seen, []);
    assert.equal(statusOf(await get(lease, `http://localhost:${webPort}/`)), 200);
  });
});

async function listening(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
