import assert from 'node:assert/strict';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, it } from 'mocha';
import {
  createPinnedFetch,
  type FetchLimits,
  type FetchOutcome,
  type PinnedFetch,
} from '../../../../extension/tools/web/pinned-fetch.ts';
import { type Answer, LOOPBACK, startWebServer, type WebServer } from '../../../support/web-server.ts';

const LIMITS: FetchLimits = { firstByteMs: 5000, wholeMs: 5000, bytes: 1000, redirects: 5 };
const never = new AbortController().signal;

describe('Fetching from the web', () => {
  let server: WebServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  const serve = async (answer: Answer): Promise<WebServer> => {
    server = await startWebServer(answer);
    return server;
  };
  const get = (url: string | URL, fetch: PinnedFetch): Promise<FetchOutcome> => fetch(new URL(url), { signal: never });
  const responseOf = (outcome: FetchOutcome): Extract<FetchOutcome, { kind: 'response' }> => {
    assert.equal(outcome.kind, 'response', JSON.stringify(outcome));
    return outcome as Extract<FetchOutcome, { kind: 'response' }>;
  };
  const bodyOf = (outcome: FetchOutcome): string => responseOf(outcome).body.toString();
  const failureOf = (outcome: FetchOutcome): string =>
    outcome.kind === 'failed' ? `${outcome.reason}: ${outcome.message}` : outcome.kind;

  it('asks the named host at its checked address, with nothing of the user', async () => {
    const site = await serve((_, response) => response.end('hello'));
    const answer = responseOf(await get(site.url('/a?b=c#d'), site.fetchWith()));
    assert.equal(answer.body.toString(), 'hello');
    assert.equal(answer.status, 200);
    assert.deepEqual(site.asked, [`GET site.test:${site.port} /a?b=c`]);
    assert.deepEqual(Object.keys(site.headers[0] ?? {}).sort(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  describe('refuses without a request', () => {
    const resolvesTo = (...addresses: string[]): PinnedFetch =>
      createPinnedFetch({ resolve: () => Promise.resolve(addresses) });
    const noLookup = createPinnedFetch({ resolve: () => Promise.reject(new Error('looked up')) });

    const cases: readonly [what: string, url: string, fetch: PinnedFetch][] = [
      ['a name that means this machine', 'http://site.test/', resolvesTo('127.0.0.1')],
      ['a name with one private address among public ones', 'http://site.test/', resolvesTo('8.8.8.8', '10.0.0.1')],
      ['a name that means a metadata service', 'http://site.test/', resolvesTo('169.254.169.254')],
      ['a name that means this machine in IPv6', 'http://site.test/', resolvesTo('::1')],
      ['IPv6 loopback', 'http://[::1]/', noLookup],
      ['an address as one number', 'http://2130706433/', noLookup],
      ['an address in hex', 'http://0x7f.1/', noLookup],
      ['localhost', 'http://localhost:3000/', noLookup],
      ['other schemes', 'ftp://example.com/', noLookup],
      ['credentials', 'https://a:b@example.com/', noLookup],
    ];
    for (const [what, url, fetch] of cases) {
      it(what, async () => assert.match(failureOf(await get(url, fetch)), /^refused: /));
    }

    it('a server on this machine, though its name is harmless', async () => {
      const site = await serve((_, response) => response.end('secret'));
      const strict = createPinnedFetch({ resolve: () => Promise.resolve([LOOPBACK]) });
      assert.match(failureOf(await get(site.url(), strict)), /^refused: site\.test is not on the public internet/);
      assert.deepEqual(site.asked, []);
    });
  });

  it('connects to the address it checked, whatever the name means a moment later', async () => {
    const site = await serve((_, response) => response.end('checked'));
    const answers = [[LOOPBACK], ['10.255.255.1']];
    const fetch = site.fetchWith({ resolve: () => Promise.resolve(answers.shift() ?? []) });
    assert.equal(bodyOf(await get(site.url(), fetch)), 'checked');
    assert.equal(answers.length, 1, 'looked up once');
    assert.match(failureOf(await get(site.url(), fetch)), /^refused/);
  });

  describe('redirects', () => {
    const redirectTo =
      (location: string, status = 302): Answer =>
      (request, response) => {
        if (request.url === '/start') response.writeHead(status, { location }).end('moved');
        else response.end(`at ${request.url}`);
      };

    for (const status of [301, 302, 303, 307, 308]) {
      it(`follows ${status} on the same host`, async () => {
        const site = await serve(redirectTo('/end', status));
        const answer = responseOf(await get(site.url('/start'), site.fetchWith()));
        assert.equal(answer.body.toString(), 'at /end');
        assert.equal(answer.url.href, site.url('/end').href);
      });
    }

    it('follows to www. of the same name, looking it up again', async () => {
      const looked: string[] = [];
      const site = await serve((request, response) => {
        if (request.headers.host?.startsWith('www.')) response.end('at www');
        else response.writeHead(301, { location: site.url('/', 'www.site.test').href }).end();
      });
      const resolve = (name: string): Promise<string[]> => {
        looked.push(name);
        return Promise.resolve([LOOPBACK]);
      };
      const fetch = site.fetchWith({ resolve });
      assert.equal(bodyOf(await get(site.url(), fetch)), 'at www');
      assert.deepEqual(looked, ['site.test', 'www.site.test']);
    });

    it('checks the addresses again for each hop', async () => {
      const site = await serve(redirectTo('/end'));
      const answers = [[LOOPBACK], ['10.0.0.1']];
      const fetch = site.fetchWith({ resolve: () => Promise.resolve(answers.shift() ?? []) });
      assert.match(failureOf(await get(site.url('/start'), fetch)), /^refused/);
      assert.equal(site.asked.length, 1);
    });

    it('reports another site and does not go there', async () => {
      const site = await serve(redirectTo('https://other.test/x'));
      const outcome = await get(site.url('/start'), site.fetchWith());
      assert.equal(outcome.kind === 'redirect' && outcome.location.href, 'https://other.test/x');
      assert.equal(site.asked.length, 1);
    });

    const bad = [
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'http://localhost/',
      'file:///etc/passwd',
      'http://',
    ];
    for (const location of bad) {
      it(`refuses to go to ${location}`, async () => {
        const site = await serve(redirectTo(location));
        assert.match(failureOf(await get(site.url('/start'), site.fetchWith())), /^refused: It redirects/);
        assert.equal(site.asked.length, 1);
      });
    }

    it('gives up after five', async () => {
      const site = await serve((request, response) => response.writeHead(302, { location: `${request.url}x` }).end());
      assert.match(failureOf(await get(site.url(), site.fetchWith())), /more than 5 times/);
      assert.equal(site.asked.length, 6);
    });

    it('reads where HEAD leads without following', async () => {
      const site = await serve(redirectTo('/end'));
      const outcome = await site.fetchWith()(site.url('/start'), { signal: never, method: 'HEAD' });
      assert.equal(outcome.kind === 'redirect' && outcome.location.pathname, '/end');
      assert.deepEqual(site.asked, [`HEAD site.test:${site.port} /start`]);
    });
  });

  describe('bodies', () => {
    const encodings: readonly [name: string, compress: (text: string) => Buffer][] = [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
      ['deflate', deflateSync],
    ];
    for (const [name, compress] of encodings) {
      it(`come out of ${name}`, async () => {
        const site = await serve((_, response) => {
          response.writeHead(200, { 'content-encoding': name }).end(compress('hällo'));
        });
        assert.equal(bodyOf(await get(site.url(), site.fetchWith())), 'hällo');
      });

      it(`that ${name} makes huge are cut at the limit`, async () => {
        const site = await serve((_, response) => {
          response.writeHead(200, { 'content-encoding': name }).end(compress('a'.repeat(1_000_000)));
        });
        // Enough for what comes in, far less than what comes out.
        const answer = responseOf(await get(site.url(), site.fetchWith({ limits: { ...LIMITS, bytes: 5000 } })));
        assert.deepEqual([answer.body.length, answer.isCut], [5000, true]);
      });
    }

    it('end where the limit is, though the server continues for ever', async () => {
      const site = await serve((_, response) => {
        const more = (): void => {
          while (response.writable && response.write('x'.repeat(500)));
          response.once('drain', more);
        };
        more();
      });
      const answer = responseOf(await get(site.url(), site.fetchWith({ limits: LIMITS })));
      assert.deepEqual([answer.body.length, answer.isCut], [1000, true]);
    });

    it('of exactly the limit are whole', async () => {
      const site = await serve((_, response) => response.end('x'.repeat(1000)));
      const answer = responseOf(await get(site.url(), site.fetchWith({ limits: LIMITS })));
      assert.deepEqual([answer.body.length, answer.isCut], [1000, false]);
    });

    it('that come in for ever and never come out are given up', async () => {
      // An empty stored block of deflate: bytes in, nothing out.
      const emptyBlocks = Buffer.concat(Array.from({ length: 1000 }, () => Buffer.from([0, 0, 0, 0xff, 0xff])));
      const site = await serve((_, response) => {
        response.writeHead(200, { 'content-encoding': 'deflate' });
        response.write(Buffer.concat([Buffer.from([0x78, 0x9c]), emptyBlocks]));
      });
      const outcome = await get(site.url(), site.fetchWith({ limits: LIMITS }));
      assert.match(failureOf(outcome), /network: The compressed page is too large/);
    });

    it('in an unknown encoding, or in several at once, are not read', async () => {
      const site = await serve((_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end('x');
      });
      assert.match(failureOf(await get(site.url(), site.fetchWith())), /unknown content encoding/);
    });

    it('that are broken are a failure, not a crash', async () => {
      const site = await serve((_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
      });
      assert.match(failureOf(await get(site.url(), site.fetchWith())), /^network: /);
    });
  });

  describe('time', () => {
    it('is limited until the server answers', async () => {
      const site = await serve(() => undefined);
      const fetch = site.fetchWith({ limits: { ...LIMITS, firstByteMs: 50 } });
      assert.match(failureOf(await get(site.url(), fetch)), /timeout: The server did not answer in time/);
    });

    it('is limited for the whole page', async () => {
      const site = await serve((_, response) => void response.write('a'));
      const fetch = site.fetchWith({ limits: { ...LIMITS, wholeMs: 50 } });
      assert.match(failureOf(await get(site.url(), fetch)), /timeout: It took longer/);
    });

    it('is limited for looking a name up', async () => {
      const fetch = createPinnedFetch({
        resolve: () => new Promise(() => undefined),
        limits: { ...LIMITS, firstByteMs: 50 },
      });
      assert.match(failureOf(await get('http://site.test/', fetch)), /^timeout: /);
    });

    it('ends with Stop, while waiting and while reading', async () => {
      for (const answer of [
        () => undefined,
        (_: unknown, response: { write(text: string): unknown }) => response.write('a'),
      ]) {
        const controller = new AbortController();
        const site = await startWebServer((request, response) => {
          answer(request, response);
          setImmediate(() => controller.abort());
        });
        const outcome = await site.fetchWith()(site.url(), { signal: controller.signal });
        assert.match(failureOf(outcome), /^cancelled/);
        await site.close();
      }
    });

    it('is not spent when Stop came before', async () => {
      const site = await serve((_, response) => response.end());
      assert.match(failureOf(await site.fetchWith()(site.url(), { signal: AbortSignal.abort() })), /^cancelled/);
      assert.deepEqual(site.asked, []);
    });
  });

  it('says what failed when nothing listens or a name is unknown', async () => {
    const site = await serve(() => undefined);
    await site.close();
    server = undefined;
    assert.match(failureOf(await get(site.url(), site.fetchWith())), /^network: .*ECONNREFUSED/);
    const unknown = createPinnedFetch({ resolve: () => Promise.reject(new Error('getaddrinfo ENOTFOUND site.test')) });
    assert.match(failureOf(await get('https://site.test/', unknown)), /^network: .*ENOTFOUND/);
    const empty = createPinnedFetch({ resolve: () => Promise.resolve([]) });
    assert.match(failureOf(await get('https://site.test/', empty)), /^network: site.test has no address/);
  });
});
