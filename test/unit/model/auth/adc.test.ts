import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ModelSource } from '../../../../extension/model/model-source.ts';
import { unauthorized } from '../../../support/gemini/faults.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../../support/gemini/server.ts';
import { OAuthServer } from '../../../support/oauth-server.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import { testHost } from '../../../support/test-host.ts';
import { ask, logged, problemIn } from '../asking.ts';

const VERTEX = {
  GOOGLE_GENAI_USE_VERTEXAI: 'true',
  GOOGLE_CLOUD_PROJECT: 'tools',
  GOOGLE_CLOUD_LOCATION: 'europe-west4',
};
const VERTEX_PATH =
  /^\/v1\w*\/projects\/tools\/locations\/europe-west4\/publishers\/google\/models\/[\w.-]+:streamGenerateContent/;
const HOUR = 3_600_000;

describe('application default credentials', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  let oauth: OAuthServer;
  let gemini: GeminiEndpoint;
  let home: TempWorkspace;
  let now: number;

  beforeEach(async () => {
    oauth = await OAuthServer.start();
    oauth.publicKey = publicKey;
    gemini = await startGeminiEndpoint();
    gemini.always('Hello');
    home = await createTempWorkspace({});
    now = Date.now();
    // The library reads these where it is: nobody's real machine may decide a test.
    process.env['GCE_METADATA_HOST'] = '127.0.0.1:9';
  });
  afterEach(async () => {
    delete process.env['GCE_METADATA_HOST'];
    await Promise.all([oauth.dispose(), gemini.dispose(), home.dispose()]);
  });

  const user = (): object => ({
    type: 'authorized_user',
    client_id: 'gcloud',
    client_secret: 'gcloud-secret',
    refresh_token: 'adc-refresh',
    quota_project_id: 'payer',
    token_uri: oauth.tokenUrl,
  });
  const account = (): object => ({
    type: 'service_account',
    client_email: 'bot@tools.iam.gserviceaccount.com',
    private_key: pem,
    private_key_id: 'k1',
    token_uri: oauth.tokenUrl,
  });

  function source(environment: Readonly<Record<string, string>> = {}): ModelSource {
    const gcloud = { HOME: home.path, CLOUDSDK_CONFIG: home.path, GOOGLE_GEMINI_BASE_URL: gemini.url };
    return new ModelSource(testHost({ environment: { ...gcloud, ...VERTEX, ...environment }, now: () => now }));
  }

  const FILE = 'application_default_credentials.json';
  const gcloudHas = (content: object | string): Promise<unknown> =>
    home.write({ [FILE]: typeof content === 'string' ? content : JSON.stringify(content) });
  const send = async (models: ModelSource): Promise<unknown> =>
    (await ask((await models.resolve('auto')).generator)).error;
  const bearers = (): readonly unknown[] => gemini.requests.map(({ headers }) => headers.authorization);

  it('of a user answer at Vertex AI, paid by the project that their file names', async () => {
    await gcloudHas(user());
    assert.equal(await send(source()), undefined);
    assert.match(gemini.requests[0]?.path ?? '', VERTEX_PATH);
    assert.deepEqual(bearers(), ['Bearer access-1']);
    assert.equal(gemini.requests[0]?.headers['x-goog-user-project'], 'payer');
    assert.equal(gemini.requests[0]?.apiKey, undefined);
    assert.equal(oauth.tokenRequests[0]?.form['refresh_token'], 'adc-refresh');
  });

  it('of a service account are signed with its key', async () => {
    await home.write({ 'key.json': JSON.stringify(account()) });
    assert.equal(await send(source({ GOOGLE_APPLICATION_CREDENTIALS: join(home.path, 'key.json') })), undefined);
    assert.match(oauth.tokenRequests[0]?.form['grant_type'] ?? '', /jwt-bearer/);
    assert.deepEqual(bearers(), ['Bearer access-1']);
  });

  it('of the machine come from its metadata server', async () => {
    process.env['GCE_METADATA_HOST'] = oauth.host;
    assert.equal(await send(source()), undefined);
    assert.deepEqual(bearers(), ['Bearer access-1']);
    assert.match(oauth.metadataRequests.join(), /service-accounts\/default\/token\?scopes=/);
  });

  it('answer at the Gemini API when Vertex AI is not asked for', async () => {
    await gcloudHas(user());
    const environment = { HOME: home.path, CLOUDSDK_CONFIG: home.path, GOOGLE_CLOUD_PROJECT: 'tools' };
    const host = testHost({ authMethod: 'adc', baseUrl: gemini.url, environment });
    assert.equal(await send(new ModelSource(host)), undefined);
    assert.match(gemini.requests[0]?.path ?? '', /^\/v1beta\/models\//);
    assert.equal(gemini.requests[0]?.headers['x-goog-user-project'], 'tools');
  });

  it('count tokens where they answer', async () => {
    await gcloudHas(user());
    const { generator, model } = await source().resolve('auto');
    const contents = [{ role: 'user', parts: [{ text: 'How many?' }] }];
    assert.ok(((await generator.countTokens?.({ model, contents }, new AbortController().signal)) ?? 0) > 0);
    assert.match(gemini.requests[0]?.path ?? '', /publishers\/google\/models\/[^/]+:countTokens$/);
  });

  it('are kept while their token lasts, renewed early, and read anew then', async () => {
    await gcloudHas(user());
    const models = source();
    await send(models);
    now += HOUR - 6 * 60_000;
    await send(models);
    await gcloudHas({ ...user(), refresh_token: 'after-a-new-login' });
    now += 2 * 60_000;
    await send(models);
    assert.deepEqual(bearers(), ['Bearer access-1', 'Bearer access-1', 'Bearer access-2']);
    assert.equal(oauth.tokenRequests[1]?.form['refresh_token'], 'after-a-new-login');
  });

  it('are renewed once when their token is refused', async () => {
    await gcloudHas(user());
    gemini.reply(unauthorized());
    assert.equal(await send(source()), undefined);
    assert.deepEqual(bearers(), ['Bearer access-1', 'Bearer access-2']);
  });

  it('with an express key need none of it', async () => {
    const express = { GOOGLE_CLOUD_PROJECT: '', GOOGLE_CLOUD_LOCATION: '', GOOGLE_API_KEY: 'express-key' };
    assert.equal(await send(source(express)), undefined);
    assert.match(gemini.requests[0]?.path ?? '', /^\/v1\w*\/publishers\/google\/models\//);
    assert.equal(gemini.requests[0]?.apiKey, 'express-key');
  });

  describe('that do not work say what to do:', () => {
    const failure = async (environment: Readonly<Record<string, string>> = {}): Promise<unknown> => {
      const error = await send(source(environment));
      assert.equal(gemini.requests.length, 0);
      assert.doesNotMatch(logged(error), /adc-refresh|gcloud-secret|PRIVATE KEY|access-\d/);
      return error;
    };

    it('there are none', async () => {
      const { kind, detail } = problemIn(await failure());
      assert.equal(kind, 'no-credential');
      assert.match(
        detail,
        /gcloud has not stored any credentials.*machine is not in Google Cloud.*gcloud auth application-default login/,
      );
    });

    it('the metadata server is not there', async () => {
      const { detail } = problemIn(await failure({ GCE_METADATA_HOST: '127.0.0.1:9' }));
      assert.match(detail, /the metadata server 127\.0\.0\.1:9 \(GCE_METADATA_HOST\) does not answer/);
    });

    it('the file that the environment names is not there', async () => {
      const { kind, detail } = problemIn(await failure({ GOOGLE_APPLICATION_CREDENTIALS: '/no/such.json' }));
      assert.equal(kind, 'bad-credential');
      assert.match(detail, /^\/no\/such\.json could not be read/);
    });

    for (const [what, content] of [
      ['nonsense', 'nonsense'],
      ['another kind', { type: 'gdch_service_account' }],
      ['a program to be run', { type: 'external_account', credential_source: { executable: { command: 'touch x' } } }],
    ] as const) {
      it(`the file holds ${what}`, async () => {
        await gcloudHas(content);
        assert.match(problemIn(await failure()).detail, /has no credentials that Gantry supports/);
      });
    }

    it('the key of the file is none', async () => {
      await gcloudHas({ ...account(), private_key: '-----BEGIN PRIVATE KEY-----\nnonsense' });
      assert.match(problemIn(await failure()).detail, /cannot be used to sign in/);
    });

    it('the file would send its secret elsewhere', async () => {
      await gcloudHas({ ...user(), token_uri: 'https://evil.example/token' });
      assert.match(problemIn(await failure()).detail, /has a token_uri that is not a Google address/);
    });

    it('the login was withdrawn', async () => {
      await gcloudHas(user());
      oauth.refuse(400, 'invalid_grant', 'Token has been expired or revoked.');
      const { kind, detail } = problemIn(await failure());
      assert.equal(kind, 'bad-credential');
      assert.match(detail, /withdrawn.*gcloud auth application-default login/);
    });

    it('the clock is wrong', async () => {
      await gcloudHas(account());
      const date = new Date(now - 2 * HOUR).toUTCString();
      oauth.refuse(400, 'invalid_grant', 'Invalid JWT: … Check your iat and exp values in the JWT claim.', { date });
      assert.match(problemIn(await failure()).detail, /^It is 120 minutes ahead/);
    });

    it('the token endpoint points elsewhere', async () => {
      await gcloudHas(user());
      const elsewhere = await OAuthServer.start();
      try {
        oauth.redirect(elsewhere.tokenUrl);
        assert.match(problemIn(await failure()).detail, /answer \(status 307\) has no token/);
        assert.deepEqual(elsewhere.tokenRequests, []);
      } finally {
        await elsewhere.dispose();
      }
    });

    it('the token endpoint is down', async () => {
      await gcloudHas(user());
      await oauth.dispose();
      assert.equal(problemIn(await failure()).kind, 'unreachable');
    });
  });
});
