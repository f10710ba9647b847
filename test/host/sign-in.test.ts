import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Host } from '../../extension/ports/host.ts';
import { textPart } from '../../extension/protocol/agent/content-part.ts';
import { SignIn } from '../../extension/vscode/auth/sign-in.ts';
import { SignInLinks } from '../../extension/vscode/auth/sign-in-links.ts';
import { GoogleLogin } from '../../extension/vscode/auth/stored-logins.ts';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
import { VsCodeSettings } from '../../extension/vscode/settings.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { OAuthServer } from '../support/oauth-server.ts';
import { eventually } from '../support/poll.ts';
import { testHost } from '../support/test-host.ts';
import { WindowAnswers } from './window-answers.ts';

/** The browser, which cannot be opened here, and where VS Code is one itself. */
type Env = 'openExternal' | 'asExternalUri' | 'uiKind';

describe('Signing in with Google', () => {
  const settings = new VsCodeSettings();
  const before = new Map<Env, PropertyDescriptor | undefined>();
  const touched = new Set<string>();
  /** The secret storage, which VS Code gives to the extension alone. */
  const kept = new Map<string, string>();
  let oauth: OAuthServer;
  let gemini: GeminiEndpoint;
  let answers: WindowAnswers;
  let runtime: RuntimeLoader;
  let signIn: SignIn;

  beforeEach(async () => {
    oauth = await OAuthServer.start();
    gemini = await startGeminiEndpoint();
    gemini.always('Hello');
    answers = new WindowAnswers();
    answers.pressing(undefined);
    await set('auth.clientId', 'client-1');
    await set('auth.authorizationUrl', oauth.authorizationUrl);
    await set('auth.tokenUrl', oauth.tokenUrl);
    await set('model.baseUrl', gemini.url);
    await eventually('the settings', () => settings.baseUrl() === gemini.url);
    kept.clear();
    const secrets = {
      get: async (key: string) => kept.get(key),
      store: async (key: string, value: string) => void kept.set(key, value),
      delete: async (key: string) => void kept.delete(key),
    };
    const login = new GoogleLogin(secrets as unknown as vscode.SecretStorage);
    const host: Host = { ...testHost({ login }), settings };
    runtime = new RuntimeLoader(host);
    const service = runtime;
    signIn = new SignIn(login, {
      host,
      links: new SignInLinks(),
      exchange: async (answer, signal) => (await service.load()).newLogin(answer, signal),
    });
  });
  afterEach(async () => {
    signIn.dispose();
    await runtime.dispose();
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(vscode.env, name, descriptor);
    before.clear();
    answers.restore();
    for (const key of [...touched, 'auth.method']) await set(key, undefined);
    touched.clear();
    await oauth.dispose();
    await gemini.dispose();
  });

  async function set(key: string, value: unknown): Promise<void> {
    touched.add(key);
    await vscode.workspace.getConfiguration('gantry').update(key, value, vscode.ConfigurationTarget.Global);
  }

  function replace(name: Env, value: unknown): void {
    if (!before.has(name)) before.set(name, Object.getOwnPropertyDescriptor(vscode.env, name));
    Object.defineProperty(vscode.env, name, { value, configurable: true, writable: true });
  }

  /** A desktop whose browser does what `visit` does with the page. */
  function desktop(visit: (page: string) => Promise<unknown>): void {
    replace('uiKind', vscode.UIKind.Desktop);
    replace('asExternalUri', async (uri: vscode.Uri) => uri);
    replace('openExternal', async (page: string) => {
      void visit(page);
      return true;
    });
  }

  async function say(text: string): Promise<string> {
    const session = await (await runtime.load()).createSession();
    const events: unknown[] = [];
    for await (const event of session.sendStream({ message: { content: [textPart(text)] } })) events.push(event);
    return JSON.stringify(events);
  }

  const bearer = (): unknown => gemini.requests.at(-1)?.headers.authorization;

  it('keeps the tokens in the secret storage: messages go with them, until signing out', async function () {
    this.timeout(60_000);
    desktop((page) => fetch(oauth.agree(page)));
    await signIn.signIn();
    assert.match(answers.said.join('\n'), /Gantry is signed in with Google as ada@example\.com\./);
    assert.equal(settings.authMethod(), 'google');
    assert.match(oauth.pages[0]?.searchParams.get('redirect_uri') ?? '', /^http:\/\/127\.0\.0\.1:\d+\/$/);
    assert.match([...kept.values()].join(), /"refreshToken":"refresh-1"/);
    assert.match(await say('Hi'), /Hello/);
    assert.equal(bearer(), 'Bearer access-1');
    await signIn.signOut();
    assert.match(answers.said.join('\n'), /signed out, and the tokens are deleted/);
    assert.equal(kept.size, 0);
    await eventually('the method', () => settings.authMethod() === 'auto');
    await say('Hi again');
    assert.equal(bearer(), undefined);
    await signIn.signOut();
    assert.match(answers.said.at(-1) ?? '', /is not signed in/);
  });

  it('says why it did not work, and changes nothing', async () => {
    desktop((page) => {
      const back = oauth.agree(page);
      back.searchParams.delete('code');
      back.searchParams.set('error', 'access_denied');
      return fetch(back);
    });
    await assert.rejects(signIn.signIn(), /The page answered access_denied\. Nothing was changed/);
    await set('auth.clientId', undefined);
    await eventually('the setting', () => settings.auth().clientId === '');
    await assert.rejects(signIn.signIn(), /requires a client ID/);
    await set('auth.clientId', 'client-1');
    await set('auth.tokenUrl', 'http://tokens.example/');
    await eventually('the setting', () => settings.auth().tokenUrl === 'http://tokens.example/');
    await assert.rejects(signIn.signIn(), /gantry\.auth\.tokenUrl is not https/);
    assert.equal(settings.authMethod(), 'auto');
    assert.equal(kept.size, 0);
  });

  it('is given up when somebody begins again, and the port is closed', async function () {
    this.timeout(60_000);
    const pages: string[] = [];
    desktop(async (page) => {
      pages.push(page);
      if (pages.length === 2) await fetch(oauth.agree(page));
    });
    const first = signIn.signIn();
    await eventually('the page', () => pages.length === 1);
    await signIn.signIn();
    await first;
    assert.equal(kept.size, 1);
    await assert.rejects(fetch(oauth.agree(pages[0] ?? '')));
  });

  it('comes back by a link where VS Code is a page in a browser, and takes no other link for it', async function () {
    this.timeout(60_000);
    const link = (query: string): vscode.Uri => vscode.Uri.parse('vscode://gantry.gantry/signed-in').with({ query });
    replace('uiKind', vscode.UIKind.Web);
    replace('asExternalUri', async (uri: vscode.Uri) => {
      assert.equal(uri.path, '/signed-in');
      return vscode.Uri.parse('https://vscode.example/callback?vscode-reqid=1&vscode-path=/signed-in');
    });
    replace('openExternal', async (page: string) => {
      const { searchParams } = oauth.agree(page);
      assert.equal(signIn.take(link('code=guess&state=guess')), true);
      assert.equal(signIn.take(vscode.Uri.parse('vscode://gantry.gantry/new?prompt=Hi')), false);
      assert.equal(signIn.take(link(`code=${searchParams.get('code')}&state=${searchParams.get('state')}`)), true);
      return true;
    });
    assert.equal(signIn.take(link('code=x&state=x')), false);
    await signIn.signIn();
    assert.equal(oauth.tokenRequests[0]?.form['code'], 'code/1+x');
    assert.equal(kept.size, 1);
  });
});
