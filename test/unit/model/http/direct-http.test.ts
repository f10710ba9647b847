import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, it } from 'mocha';
import { createDirectSend } from '../../../../extension/model/http/direct-http.ts';
import { type HttpResponse, type SendHttp, sendWithFetch } from '../../../../extension/model/http/send-http.ts';
import type { Alarm } from '../../../../extension/ports/clock.ts';

const { signal: never } = new AbortController();

describe('sending without fetch', () => {
  const servers: Server[] = [];
  let connections = 0;

  afterEach(() => {
    connections = 0;
    for (const server of servers.splice(0)) server.closeAllConnections();
  });

  async function listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer).on('connection', () => connections++);
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1?alt=sse`;
  }

  const post = (send: SendHttp, url: string): Promise<HttpResponse> =>
    send(
      {
        url,
        method: 'POST',
        headers: { 'content-type': 'text/plain', 'x-goog-api-key': 'k', 'user-agent': 'test' },
        body: '{"a":"é"}',
      },
      never,
    );

  it('sends what fetch would send', async () => {
    const sent: [string | undefined, string | undefined, IncomingHttpHeaders, string][] = [];
    const url = await listen((request, response) => {
      const { method, url: path, headers } = request;
      request.setEncoding('utf8').once('data', (body: string) => sent.push([method, path, headers, body]));
      request.on('end', () => response.end('ok'));
    });
    for (const send of [sendWithFetch, createDirectSend()]) await textOf(await post(send, url));
    assert.deepEqual(sent[1], sent[0]);
  });

  it('keeps the connection for the next request', async () => {
    const url = await listen((_, response) => response.end('ok'));
    const send = createDirectSend();
    for (const _ of [1, 2, 3]) assert.equal(await textOf(await post(send, url)), 'ok');
    assert.equal(connections, 1);
  });

  for (const [encoding, body] of [
    ['gzip', gzipSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['deflate', deflateSync('hello')],
  ] as const) {
    it(`reads a response that is compressed with ${encoding}`, async () => {
      const url = await listen((_, response) => response.setHeader('content-encoding', encoding).end(body));
      assert.equal(await textOf(await post(createDirectSend(), url)), 'hello');
    });
  }

  it('passes on the beginning of a compressed response before its end', async () => {
    const url = await listen((_, response) => {
      const zipped = createGzip({ flush: constants.Z_SYNC_FLUSH });
      zipped.pipe(response.setHeader('content-encoding', 'gzip'));
      zipped.write('first');
    });
    const response = await post(createDirectSend(), url);
    assert.equal(new TextDecoder().decode(await response.read()), 'first');
    await response.close();
  });

  it('does not read a response with an unknown encoding', async () => {
    const url = await listen((_, response) => response.setHeader('content-encoding', 'rot13').end('uryyb'));
    await assert.rejects(post(createDirectSend(), url), /unknown content encoding \(rot13\)/);
  });

  it('gives up connecting after ten seconds', async () => {
    const url = await listen((_, response) => response.end('ok'));
    const times: number[] = [];
    const atOnce: Alarm = (ms, ring) => {
      times.push(ms);
      ring();
      return () => undefined;
    };
    await assert.rejects(post(createDirectSend(atOnce), url), { code: 'ETIMEDOUT' });
    assert.deepEqual(times, [10_000]);
  });

  it('does not follow a redirect', async () => {
    const url = await listen((_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end());
    const response = await post(createDirectSend(), url);
    assert.deepEqual([response.status, response.header('location')], [307, 'http://127.0.0.1:1/']);
    await response.close();
  });

  it('reads no more of a response that its reader is too slow for', async () => {
    let wasFull = false;
    const url = await listen((_, response) => {
      const write = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        wasFull = true;
      };
      response.on('drain', write).on('error', () => undefined);
      write();
    });
    const response = await post(createDirectSend(), url);
    for (const _ of [1, 2, 3]) assert.ok(((await response.read())?.length ?? 0) < 1_000_000);
    assert.ok(wasFull);
    await response.close();
    assert.equal(await response.read(), undefined);
  });
});

async function textOf(response: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = await response.read(); bytes; bytes = await response.read()) text += decoder.decode(bytes);
  return text;
}
