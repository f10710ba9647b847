import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import type { FetchOutcome } from '../../../../extension/tools/web/pinned-fetch.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { startWebServer, type WebServer } from '../../../support/web-server.ts';

describe('Fetching over TLS', () => {
  let server: WebServer;
  let ca: string;

  before(async () => {
    const made = await certificateFor('site.test');
    ca = made.cert;
    server = await startWebServer((_, response) => response.end('over TLS'), made);
  });
  after(() => server.close());

  const get = (host: string, trusted?: string): Promise<FetchOutcome> => {
    const fetch = server.fetchWith(trusted === undefined ? {} : { ca: trusted });
    return fetch(server.url('/', host), { signal: new AbortController().signal });
  };

  it('reads a page from the checked address under the name of the host', async () => {
    const outcome = await get('site.test', ca);
    assert.equal(outcome.kind === 'response' && outcome.body.toString(), 'over TLS');
  });

  it('refuses a certificate for another name', async () => {
    const outcome = await get('other.test', ca);
    assert.match(outcome.kind === 'failed' ? outcome.message : outcome.kind, /altnames/);
  });

  it('refuses a certificate nobody vouches for, even if the environment says not to care', async () => {
    const earlier = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const outcome = await get('site.test');
      assert.match(outcome.kind === 'failed' ? outcome.message : outcome.kind, /self-signed/);
    } finally {
      if (earlier === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = earlier;
    }
  });
});

async function certificateFor(name: string): Promise<{ key: string; cert: string }> {
  const folder = await tempFolder('certificate');
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  const what = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2'];
  const how = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await promisify(execFile)('openssl', ['req', '-x509', ...how, '-keyout', key, '-out', cert, ...what]);
  const made = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  await folder.dispose();
  return made;
}
