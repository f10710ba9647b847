import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { newLogin } from '../../../../extension/model/auth/new-login.ts';
import { oauthClient } from '../../../../extension/model/auth/oauth-client.ts';
import { authorizationPage, newAttempt } from '../../../../extension/model/auth/oauth-page.ts';
import { ModelSource } from '../../../../extension/model/model-source.ts';
import type { AuthSettings } from '../../../../extension/ports/settings.ts';
import { apiError, unauthorized } from '../../../support/gemini/faults.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../../support/gemini/server.ts';
import { MemoryLogin } from '../../../support/memory-login.ts';
import { OAuthServer } from '../../../support/oauth-server.ts';
import { NO_AUTH, type TestHost, testHost } from '../../../support/test-host.ts';
import { ask, logged, problemIn } from '../asking.ts';

const HOUR = 3_600_000;
const REDIRECT = 'http://127.0.0.1:9/';

describe('a Google login', () => {
  let oauth: OAuthServer;
  let gemini: GeminiEndpoint;
  let login: MemoryLogin;
  let now: number;
  let auth: Partial<AuthSettings>;
  let host: TestHost;
  let models: ModelSource;

  beforeEach(async () => {
    oauth = await OAuthServer.start();
    gemini = await startGeminiEndpoint();
    gemini.always('Hello');
    login = new MemoryLogin();
    now = Date.now();
    const { tokenUrl, authorizationUrl } = oauth;
    auth = { clientId: 'client-1', tokenUrl, authorizationUrl };
    // What the settings say is read anew each time.
    const settings = new Proxy({} as AuthSettings, {
      get: (_, name) => Reflect.get({ ...NO_AUTH, ...auth }, name),
      ownKeys: () => Reflect.ownKeys({ ...NO_AUTH, ...auth }),
      getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor({ ...NO_AUTH, ...auth }, name),
    });
    host = testHost({ authMethod: 'google', auth: settings, login, baseUrl: gemini.url, now: () => now });
    models = new ModelSource(host);
  });
  afterEach(async () => {
    await oauth.dispose();
    await gemini.dispose();
  });

  const never = new AbortController().signal;

  async function signIn(): Promise<string | undefined> {
    const attempt = newAttempt();
    const client = oauthClient({ ...NO_AUTH, ...auth }, {});
    const back = oauth.agree(authorizationPage(client, REDIRECT, attempt));
    assert.equal(back.searchParams.get('state'), attempt.state);
    const code = back.searchParams.get('code') ?? '';
    const { secret, account } = await newLogin(
      host,
      { code, redirectUri: REDIRECT, verifier: attempt.verifier },
      never,
    );
    login.text = secret;
    return account;
  }

  const send = async (): Promise<unknown> => (await ask((await models.resolve('auto')).generator)).error;
  const bearers = (): readonly unknown[] => gemini.requests.map(({ headers }) => headers.authorization);

  it('is asked for with PKCE, and its token goes with requests instead of a key', async () => {
    assert.equal(await signIn(), 'ada@example.com');
    const page = oauth.pages[0]?.searchParams;
    assert.equal(page?.get('code_challenge_method'), 'S256');
    assert.equal(page.get('client_id'), 'client-1');
    assert.equal(page.get('hl'), 'en');
    assert.equal(await send(), undefined);
    assert.deepEqual(bearers(), ['Bearer access-1']);
    assert.equal(gemini.requests[0]?.apiKey, undefined);
  });

  it('is not taken with the code of another attempt', async () => {
    const client = oauthClient({ ...NO_AUTH, ...auth }, {});
    const back = oauth.agree(authorizationPage(client, REDIRECT, newAttempt()));
    const answer = {
      code: back.searchParams.get('code') ?? '',
      redirectUri: REDIRECT,
      verifier: newAttempt().verifier,
    };
    const error = await newLogin(host, answer, never).catch((thrown: unknown) => thrown);
    assert.match(problemIn(error).detail, /answered invalid_grant.*Nothing was changed/);
  });

  it('is not kept when its token is for another application', async () => {
    oauth.audience = 'somebody-else';
    const error = await signIn().catch((thrown: unknown) => thrown);
    assert.match(problemIn(error).detail, /for another application than gantry\.auth\.clientId/);
    assert.equal(login.text, undefined);
  });

  it('sends the client secret from the environment, if there is one', async () => {
    auth = { ...auth, clientSecret: '${env:CLIENT_SECRET}' };
    Object.assign(host.environment, { CLIENT_SECRET: 'not-so-secret' });
    await signIn();
    assert.equal(oauth.tokenRequests[0]?.form['client_secret'], 'not-so-secret');
  });

  it('is renewed before it runs out, and the new token is stored', async () => {
    await signIn();
    now += HOUR - 4 * 60_000;
    assert.equal(await send(), undefined);
    assert.deepEqual(bearers(), ['Bearer access-2']);
    assert.equal(oauth.tokenRequests[1]?.form['refresh_token'], 'refresh-1');
    assert.match(login.text ?? '', /"access-2"/);
    assert.match(login.text ?? '', /"refresh-1"/);
  });

  it('follows a token endpoint that gives a new refresh token each time', async () => {
    await signIn();
    oauth.rotates = true;
    for (let round = 0; round < 2; round++) {
      now += HOUR;
      assert.equal(await send(), undefined);
    }
    const used = oauth.tokenRequests.slice(1).map(({ form }) => form['refresh_token']);
    assert.deepEqual(used, ['refresh-1', 'refresh-2']);
  });

  it('is renewed once for requests that are sent at the same time', async () => {
    await signIn();
    now += HOUR;
    const { generator } = await models.resolve('auto');
    await Promise.all([ask(generator), ask(generator), ask(generator)]);
    assert.equal(oauth.tokenRequests.length, 2);
    assert.deepEqual(bearers(), ['Bearer access-2', 'Bearer access-2', 'Bearer access-2']);
  });

  it('whose token is refused before its time is renewed, and the request repeated once', async () => {
    await signIn();
    gemini.reply(unauthorized());
    assert.equal(await send(), undefined);
    assert.deepEqual(bearers(), ['Bearer access-1', 'Bearer access-2']);
    gemini.reply(unauthorized());
    gemini.reply(unauthorized());
    const problem = problemIn(await send());
    assert.equal(gemini.requests.length, 4);
    assert.equal(problem.kind, 'bad-credential');
    assert.match(problem.detail, /not even a new one.*Sign in again/);
    assert.equal(problem.actions[0], 'sign-in');
  });

  it('that was withdrawn ends in a request to sign in again, and in nothing else', async () => {
    await signIn();
    now += HOUR;
    oauth.refuse(400, 'invalid_grant', 'Token has been expired or revoked.');
    const error = await send();
    assert.equal(problemIn(error).title, 'You are signed out');
    assert.deepEqual(problemIn(error).actions, ['sign-in', 'retry']);
    assert.equal(gemini.requests.length, 0);
    assert.doesNotMatch(logged(error), /refresh-1|access-1/);
  });

  it('that was made for something else says so', async () => {
    await signIn();
    gemini.reply(apiError(403, { reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }));
    assert.equal(problemIn(await send()).title, 'The sign-in does not cover models');
    gemini.reply(apiError(403, { message: 'Permission denied on resource project tools.' }));
    const problem = problemIn(await send());
    assert.equal(problem.kind, 'forbidden');
    assert.match(
      problem.detail,
      /Permission denied on resource project tools\. Your message is kept\. Check the project \(gantry\.auth\.project/,
    );
  });

  it('that cannot be renewed for the moment says so', async () => {
    await signIn();
    now += HOUR;
    oauth.refuse(503, '');
    assert.equal(problemIn(await send()).kind, 'server');
    await oauth.dispose();
    assert.match(problemIn(await send()).title, /^127\.0\.0\.1:\d+ cannot be reached/);
  });

  it('is not brought back by a renewal that ends after signing out', async () => {
    await signIn();
    now += HOUR;
    const release = oauth.hold();
    const sending = send();
    while (oauth.tokenRequests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    login.text = undefined;
    release();
    await sending;
    assert.equal(login.text, undefined);
    assert.equal(problemIn(await models.resolve('auto').catch((error: unknown) => error)).kind, 'no-credential');
  });

  it('is sent neither to another client nor to another token endpoint', async () => {
    await signIn();
    const other = await OAuthServer.start();
    try {
      for (const change of [{ clientId: 'client-2' }, { tokenUrl: other.tokenUrl }]) {
        const before = auth;
        auth = { ...auth, ...change };
        assert.equal(problemIn(await send()).title, 'You are not signed in');
        auth = before;
      }
      assert.deepEqual(other.tokenRequests, []);
      assert.equal(oauth.tokenRequests.length, 1);
      assert.equal(gemini.requests.length, 0);
    } finally {
      await other.dispose();
    }
  });

  it('of another account counts from the next request on', async () => {
    await signIn();
    await send();
    await signIn();
    await send();
    assert.deepEqual(bearers(), ['Bearer access-1', 'Bearer access-2']);
  });

  it('goes to Vertex AI when a location is set', async () => {
    auth = { ...auth, project: 'tools', location: 'europe-west4' };
    await signIn();
    assert.equal(await send(), undefined);
    const path = /^\/v1\w*\/projects\/tools\/locations\/europe-west4\/publishers\/google\/models\/[^/]+:stream/;
    assert.match(gemini.requests[0]?.path ?? '', path);
  });
});
