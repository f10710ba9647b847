import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { realAlarm } from '../../../extension/ports/clock.ts';
import {
  agentCredentials,
  type CredentialPorts,
  type WrittenAuth,
} from '../../../extension/remote-agents/agent-credentials.ts';
import { googleTokens } from '../../../extension/remote-agents/google-tokens.ts';
import { RemoteFailure } from '../../../extension/remote-agents/remote-failure.ts';
import { OAuthServer } from '../../support/oauth-server.ts';
import { useRemoteAgents } from '../../support/remote-agents/remote-suite.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const NEVER = new AbortController().signal;
const ELSEWHERE = new URL('https://agents.example.com/a2a');

const PORTS: CredentialPorts = {
  places: {
    environment: { KEY: 'from-env', EMPTY: '' },
    commandEnvironment: { PATH: process.env['PATH'] ?? '', WORD: 'from-command' },
    folder: process.cwd(),
    alarm: realAlarm,
  },
  googleToken: async (url, scopes) => `google-for-${url.host}-${scopes?.join('+') ?? 'cloud'}`,
};

/** What is in the definition, and what is sent. */
const SENT: readonly (readonly [WrittenAuth, Record<string, string>])[] = [
  [{ type: 'apiKey', key: 'plain' }, { 'x-api-key': 'plain' }],
  [{ type: 'apiKey', key: '$KEY', name: 'X-Key' }, { 'x-key': 'from-env' }],
  [{ type: 'apiKey', key: '!printf "%s\\n" "$WORD"' }, { 'x-api-key': 'from-command' }],
  [{ type: 'apiKey', key: '$$KEY' }, { 'x-api-key': '$KEY' }],
  [{ type: 'apiKey', key: '!!echo' }, { 'x-api-key': '!echo' }],
  [{ type: 'http', scheme: 'Bearer', token: '$KEY' }, { authorization: 'Bearer from-env' }],
  [{ type: 'http', scheme: 'Basic', username: 'ada', password: '$KEY' }, { authorization: 'Basic YWRhOmZyb20tZW52' }],
  [{ type: 'http', scheme: 'Digest', value: 'x=$KEY' }, { authorization: 'Digest x=$KEY' }],
  [{ type: 'http', scheme: 'Negotiate', value: '$KEY' }, { authorization: 'Negotiate from-env' }],
  [{ type: 'google-credentials' }, { authorization: 'Bearer google-for-agents.example.com-cloud' }],
  [{ type: 'google-credentials', scopes: ['a', 'b'] }, { authorization: 'Bearer google-for-agents.example.com-a+b' }],
];

const MISSING: readonly (readonly [WrittenAuth, RegExp])[] = [
  [{ type: 'apiKey', key: '$NOT_THERE' }, /environment variable NOT_THERE, which is not set/],
  [{ type: 'apiKey', key: '$EMPTY' }, /environment variable EMPTY, which is not set/],
  [{ type: 'apiKey', key: '!exit 3' }, /prints its credentials, but it ended with the exit code 3\./],
  [{ type: 'apiKey', key: '!true' }, /but it printed nothing/],
  [{ type: 'apiKey', key: '!printf "s3cret\\nsecond"' }, /cannot be sent in the header X-API-Key/],
];

describe('The credentials of a remote agent', () => {
  for (const [auth, expected] of SENT) {
    it(`are sent as ${JSON.stringify(expected)} for ${JSON.stringify(auth)}`, async () => {
      const headers = await agentCredentials(auth, PORTS, NEVER)(ELSEWHERE, { renew: false });
      assert.deepEqual(Object.fromEntries(headers ?? []), expected);
    });
  }

  for (const [auth, expected] of MISSING) {
    it(`are missing for ${JSON.stringify(auth)}, which is said without a secret`, async () => {
      const asked = agentCredentials(auth, PORTS, NEVER)(ELSEWHERE, { renew: false });
      await assert.rejects(asked, (error) => {
        assert.ok(error instanceof RemoteFailure && error.kind === 'credentials');
        assert.match(error.message, expected);
        assert.doesNotMatch(`${error.message}${error.stack}`, /s3cret/);
        return true;
      });
    });
  }

  it('are read when they are used, once, and again after they were refused', async () => {
    const folder = await tempFolder('credentials');
    const counter = join(folder.path, 'count');
    await writeFile(counter, '');
    const auth: WrittenAuth = { type: 'apiKey', key: `!printf x >> '${counter}'; wc -c < '${counter}'` };
    const credentials = agentCredentials(auth, PORTS, NEVER);
    assert.equal((await readFile(counter, 'utf8')).length, 0);
    const keys: (string | null | undefined)[] = [];
    for (const renew of [false, false, true, false])
      keys.push((await credentials(ELSEWHERE, { renew }))?.get('x-api-key'));
    assert.deepEqual(
      keys.map((key) => key?.trim()),
      ['1', '1', '2', '2'],
    );
    await folder.dispose();
  });
});

describe("Google's tokens for a remote agent", () => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 });

  async function withServer(
    use: (oauth: OAuthServer, environment: Record<string, string>) => Promise<void>,
  ): Promise<void> {
    const folder = await tempFolder('adc');
    const oauth = await OAuthServer.start();
    oauth.publicKey = key.publicKey;
    const file = join(folder.path, 'adc.json');
    const account = {
      type: 'service_account',
      client_email: 'agent@example.iam.gserviceaccount.com',
      private_key: key.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: oauth.tokenUrl,
    };
    await writeFile(file, JSON.stringify(account));
    await use(oauth, { GOOGLE_APPLICATION_CREDENTIALS: file });
    await oauth.dispose();
    await folder.dispose();
  }

  const GOOGLES = [
    'https://aiplatform.googleapis.com/x',
    'https://europe-west1-aiplatform.googleapis.com/',
    'http://127.0.0.1:8080/',
  ];
  const OTHERS = [
    'https://example.com/',
    'https://googleapis.com.example.com/',
    'http://aiplatform.googleapis.com/',
    'https://evil-googleapis.com/',
    'http://x.run.app/',
  ];

  it('go to hosts of Google only', () =>
    withServer(async (oauth, environment) => {
      const tokens = googleTokens(environment, { now: Date.now });
      for (const url of GOOGLES) assert.match(await tokens(new URL(url), undefined, NEVER), /^access-/);
      const asked = oauth.tokenRequests.length;
      for (const url of OTHERS) {
        const refused = tokens(new URL(url), undefined, NEVER);
        await assert.rejects(refused, /is not an address of Google, so it gets no Google token/, url);
      }
      assert.equal(oauth.tokenRequests.length, asked);
    }));

  it('are identity tokens for one service on Cloud Run, and never access tokens', () =>
    withServer(async (oauth, environment) => {
      const tokens = googleTokens(environment, { now: Date.now });
      const token = await tokens(new URL('https://my-agent-x7.a.run.app/a2a'), undefined, NEVER);
      assert.doesNotMatch(token, /^access-/);
      const [request] = oauth.tokenRequests;
      const payload = Buffer.from(request?.form['assertion']?.split('.')[1] ?? '', 'base64url').toString();
      assert.equal(JSON.parse(payload).target_audience, 'https://my-agent-x7.a.run.app');
    }));
});

describe('A remote agent that needs credentials', () => {
  const remote = useRemoteAgents();
  const AUTH = ['auth:', '  type: apiKey', '  key: $FAR_KEY'];

  it('gets them with every request, and nobody else does', async () => {
    const site = await remote.site((turn) => turn.begin().say('a', 'Done.').end());
    await remote.define(site, ...AUTH);
    const service = remote.open({ environment: { ...remote.agents.environment, FAR_KEY: 'k-123' } });
    const { session, result } = await remote.run(service);
    assert.match(result, /Done\./);
    assert.deepEqual(new Set(site.requests.map(({ headers }) => headers['x-api-key'])), new Set(['k-123']));
    assert.doesNotMatch(JSON.stringify(session.events), /k-123/);
  });

  it('is asked once more with new ones after a refusal, and then gives up', async () => {
    let refusals = 1;
    const site = await remote.site((turn) => turn.begin().say('a', 'Done.').end(), {
      before: (request, response) => request.url === '/rpc' && refusals-- > 0 && Boolean(response.writeHead(401).end()),
    });
    await remote.define(site, ...AUTH);
    const environment = { ...remote.agents.environment, FAR_KEY: 'k-123' };
    assert.match((await remote.run(remote.open({ environment }))).result, /Done\./);
    assert.deepEqual(site.messages, ['Look']);
  });
});
