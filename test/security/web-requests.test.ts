import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createPinnedFetch, type PinnedFetch } from '../../extension/tools/web/pinned-fetch.ts';
import { type Fate, told, useObedientModel } from '../support/obedient-model.ts';
import { LOOPBACK, startWebServer, type WebServer } from '../support/web-server.ts';

/** Where nobody outside should be able to send us; P stands for a port where somebody listens. */
const INSIDE =
  `http://127.0.0.1:P/ http://localhost:P/ http://x.localhost:P/ http://127.1:P/ http://2130706433:P/ http://0x7f.1:P/
  http://0177.0.0.1:P/ http://0.0.0.0:P/ http://[::1]:P/ http://[::]:P/ http://[::ffff:127.0.0.1]:P/ http://127.0.0.1.:P/
  http://[::ffff:7f00:1]:P/ http://[64:ff9b::7f00:1]:P/ http://10.0.0.1/ http://172.16.0.1/ http://192.168.0.1/
  http://169.254.169.254/latest/meta-data/ http://metadata.google.internal/ http://[fd00:ec2::254]/ http://[fe80::1]/
  http://100.64.0.1/ http://printer.local/ http://intranet/ http://user:pw@127.0.0.1:P/ file:///etc/passwd ftp://127.0.0.1:P/
  gopher://127.0.0.1:P/ data:text/plain,x http://127.0.0.1:22/ http://①②⑦.0.0.1:P/`.split(/\s+/);

const TARGETS = [
  'http://169.254.169.254/',
  'http://10.0.0.1/',
  'http://[::1]/',
  'file:///etc/passwd',
  'http://other.test/',
];

describe('requests to the web', () => {
  const suite = useObedientModel();
  let server: WebServer;
  beforeEach(async () => {
    server = await startWebServer((request, response) => {
      const index = Number(/^\/to\/(\d)/.exec(request.url ?? '')?.[1] ?? -1);
      if (index >= 0) response.writeHead(302, { location: TARGETS[index] });
      response.end('inside');
    });
  });
  afterEach(() => server.close());

  const fetchAll = async (urls: readonly string[], fetch?: PinnedFetch): Promise<Fate[]> => {
    const { tries, ended } = await suite.obedient({ approvalMode: 'yolo', ...(fetch && { fetch }) });
    const fates = await tries(
      ...urls.flatMap((url) => [
        { name: 'web_fetch', args: { url } },
        { name: 'web_fetch', args: { prompt: `Read ${url} for me` } },
      ]),
    );
    await ended();
    return fates;
  };

  it('never go to this machine or the network it is in, however the address is written', async () => {
    const fates = await fetchAll(INSIDE.map((url) => url.replace(':P', `:${server.port}`)));
    for (const fate of fates) assert.notEqual(fate.end, 'ran', JSON.stringify(fate.args));
    assert.deepEqual(server.asked, []);
  });

  it('never go there by a name either, also when the name means something else a moment later', async () => {
    const answers = [
      ['127.0.0.1'],
      ['93.184.216.34', '127.0.0.1'],
      ['::ffff:10.0.0.1'],
      ['169.254.169.254'],
      ['fd00::1'],
    ];
    for (const addresses of answers) {
      const [fate] = await fetchAll([server.url().href], createPinnedFetch({ resolve: async () => addresses }));
      assert.match(fate ? told(fate) : '', /not on the public internet/);
    }
    let asked = 0;
    const rebinding = createPinnedFetch({
      resolve: () => {
        asked++;
        return Promise.resolve(asked === 1 ? [LOOPBACK] : ['10.0.0.1']);
      },
      isAllowed: (address) => address === LOOPBACK,
    });
    const fates = await fetchAll([server.url().href], rebinding);
    // The address that was checked is the one that is asked, and each request is checked again.
    assert.deepEqual(fates.map(({ end }) => end).sort(), ['ran', 'web_fetch_processing_error']);
    assert.deepEqual([asked, server.asked.length], [2, 1]);
  });

  it('never follow a page to such a place, nor to another site', async () => {
    const urls = TARGETS.map((_, index) => server.url(`/to/${index}`).href);
    const { tries, ended } = await suite.obedient({ approvalMode: 'yolo', fetch: server.fetchWith() });
    const fates = await tries(...urls.map((url) => ({ name: 'web_fetch', args: { url } })));
    await ended();
    assert.equal(server.asked.length, TARGETS.length, 'each first address was asked once, and nothing after it');
    for (const fate of fates.slice(0, -1)) assert.match(told(fate), /redirects to where we do not go/);
    assert.match(JSON.stringify(suite.endpoint.requests.at(-1)?.toolResults), /redirects to another site/);
  });

  it('ask first with the whole address, unless the user said otherwise', async () => {
    const { tries, session } = await suite.obedient({ fetch: server.fetchWith() });
    const url = server.url('/?stolen=data').href;
    const [fate] = await tries({ name: 'web_fetch', args: { prompt: `See ${url}` } });
    assert.deepEqual(fate?.question?._meta?.approval?.details, { type: 'fetch', urls: [url] });
    await session.abort();
    assert.deepEqual(server.asked, []);
  });
});
