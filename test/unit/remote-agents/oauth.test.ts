import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { SignInBrowser } from '../../../extension/mcp/connection-types.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { openQuestions, untilAsked } from '../../support/agent.ts';
import { answer, drain, message } from '../../support/conversation.ts';
import { type MemoryLogins, memoryLogins } from '../../support/mcp/guarded-site.ts';
import { OAuthServer } from '../../support/oauth-server.ts';
import type { A2aSite, A2aSiteOptions } from '../../support/remote-agents/a2a-site.ts';
import { useRemoteAgents } from '../../support/remote-agents/remote-suite.ts';
import { invoke } from '../../support/subagents.ts';

const NEVER = new AbortController().signal;

describe('Signing in to a remote agent', () => {
  const remote = useRemoteAgents();
  let oauth: OAuthServer;
  let logins: MemoryLogins;
  /** The tokens that the agent accepts. */
  let valid: Set<string>;
  beforeEach(async () => {
    oauth = await OAuthServer.start();
    logins = memoryLogins();
    valid = new Set(['access-1']);
  });
  afterEach(() => oauth.dispose());

  /** An agent that wants a valid token for everything but the paths that are public. */
  function guarded(isPublic: RegExp, options: A2aSiteOptions = {}): Promise<A2aSite> {
    const before = (request: IncomingMessage, response: ServerResponse): boolean => {
      if (isPublic.test(request.url ?? '')) return false;
      if (valid.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '')) return false;
      response.writeHead(401).end();
      return true;
    };
    return remote.site((turn) => turn.begin().say('a', 'Done.').end(), { before, ...options });
  }

  const OWN = (): string[] => [
    'auth:',
    '  type: oauth',
    '  client_id: gantry-test',
    '  client_secret: $FAR_SECRET',
    '  scopes: [tasks]',
    `  authorization_url: ${oauth.authorizationUrl}`,
    `  token_url: ${oauth.tokenUrl}`,
  ];
  const FROM_CARD = ['auth:', '  type: oauth', '  client_id: gantry-test'];
  const card = (tokenUrl = oauth.tokenUrl): Record<string, unknown> => ({
    securitySchemes: {
      login: {
        oauth2SecurityScheme: {
          flows: {
            authorizationCode: { authorizationUrl: oauth.authorizationUrl, tokenUrl, scopes: { agent: 'Give tasks' } },
          },
        },
      },
    },
  });

  const open = (): AgentService =>
    remote.open({ mcpLogins: logins, environment: { ...remote.agents.environment, FAR_SECRET: 's3cret' } });

  /** The user agrees on the page, in a browser that may be tampered with. */
  const browser = (change?: { readonly state: string }): SignInBrowser => ({
    redirectUrl: 'http://127.0.0.1:7777/',
    authorize: async (page) => {
      const back = oauth.agree(page).searchParams;
      return { code: back.get('code') ?? '', state: back.get('state') ?? '', ...change };
    },
  });

  async function signIn(service: AgentService, change?: { readonly state: string }): Promise<void> {
    await service.agents.refresh();
    await service.remoteAgents.signIn('far', browser(change), NEVER);
  }

  const sentTo = ({ requests }: A2aSite): Set<string | undefined> =>
    new Set(requests.map(({ headers }) => headers.authorization));

  it('is asked for before anything is sent, and the error says how', async () => {
    const site = await guarded(/card/);
    await remote.define(site, ...OWN());
    const { result } = await remote.run(open());
    assert.match(
      result,
      /requires a sign-in, and the user has not signed in\. Ask the user to enter "\/agents signin far"/,
    );
    assert.deepEqual([site.messages, oauth.tokenRequests], [[], []]);
    assert.ok(site.requests.every(({ line }) => line === 'GET /card.json'));
  });

  it('is not possible on the command line, and the error says what is', async () => {
    const site = await guarded(/card/);
    await remote.define(site, ...OWN());
    const { result } = await remote.run(remote.open());
    assert.match(result, /Nobody can sign in on the command line\. Use it in VS Code, or .* "type: http"/);
    assert.deepEqual(site.messages, []);
  });

  it('is done once, where the definition says, with its client and scopes', async () => {
    const site = await guarded(/card/);
    await remote.define(site, ...OWN());
    const first = open();
    await signIn(first);
    const [page] = oauth.pages;
    const asked = (name: string): string | null | undefined => page?.searchParams.get(name);
    assert.deepEqual([asked('client_id'), asked('scope')], ['gantry-test', 'tasks']);
    assert.equal(oauth.tokenRequests[0]?.form['client_secret'], 's3cret');
    const { session, result } = await remote.run(first);
    assert.match(result, /Done\./);
    await first.dispose();
    assert.match((await remote.run(open())).result, /Done\./);
    assert.equal(oauth.tokenRequests.length, 1);
    assert.deepEqual(sentTo(site), new Set([undefined, 'Bearer access-1']));
    assert.doesNotMatch(JSON.stringify(session.events), /access-1|refresh-1|s3cret/);
    assert.deepEqual([...logins.texts.values()].length, 1);
  });

  it('says who the tokens are for, and returns where the definition says', async () => {
    const site = await guarded(/card/);
    const more = ['  audiences: [https://far.example, reports]', '  redirect_uri: http://localhost:7777/back'];
    await remote.define(site, ...OWN(), ...more, '  token_param_name: token');
    const service = open();
    await signIn(service);
    assert.equal(service.remoteAgents.redirectUri('far'), 'http://localhost:7777/back');
    valid = new Set(['access-2']);
    assert.match((await remote.run(service)).result, /Done\./);
    const audience = 'https://far.example reports';
    assert.equal(oauth.pages[0]?.searchParams.get('audience'), audience);
    assert.deepEqual(
      oauth.tokenRequests.map(({ form }) => [form['grant_type'], form['audience']]),
      [
        ['authorization_code', audience],
        ['refresh_token', audience],
      ],
    );
    assert.ok(
      site.requests.every(({ line }) => !line.includes('access-')),
      'no token is in an address',
    );
  });

  it('takes the addresses and scopes from the card if the definition has none', async () => {
    const site = await guarded(/card/, { cardChanges: () => card() });
    await remote.define(site, ...FROM_CARD);
    const service = open();
    await signIn(service);
    assert.equal(oauth.pages[0]?.searchParams.get('scope'), 'agent');
    assert.match((await remote.run(service)).result, /Done\./);
  });

  it('is possible where even the card requires it', async () => {
    const site = await guarded(/^\/\.well-known/);
    await remote.define(site, ...OWN());
    const service = open();
    assert.match((await remote.run(service)).result, /requires a sign-in/);
    await signIn(service);
    assert.match((await remote.run(service)).result, /Done\./);
  });

  it('lasts: a token that is over is renewed, and the message arrives once', async () => {
    const site = await guarded(/card/);
    await remote.define(site, ...OWN());
    const service = open();
    await signIn(service);
    valid = new Set(['access-2']);
    assert.match((await remote.run(service)).result, /Done\./);
    const [, renewal] = oauth.tokenRequests;
    assert.deepEqual([renewal?.form['grant_type'], renewal?.form['refresh_token']], ['refresh_token', 'refresh-1']);
    assert.deepEqual(site.messages, ['Look']);
    assert.match((await remote.run(service)).result, /Done\./);
    assert.equal(oauth.tokenRequests.length, 2);
  });

  it('is asked for again when it was revoked', async () => {
    const site = await guarded(/card/);
    await remote.define(site, ...OWN());
    const service = open();
    await signIn(service);
    valid.clear();
    oauth.refuse(400, 'invalid_grant');
    assert.match(
      (await remote.run(service)).result,
      /refused the login of the user\. Ask the user to enter "\/agents signin far"/,
    );
    assert.deepEqual(site.messages, []);
    valid.add('access-2');
    await signIn(service);
    assert.match((await remote.run(service)).result, /Done\./);
  });

  it('takes nothing that comes back from another page', async () => {
    const site = await guarded(/card/);
    await remote.define(site, ...OWN());
    await assert.rejects(signIn(open(), { state: 'forged' }), /not from the page that was opened/);
    assert.deepEqual(oauth.tokenRequests, []);
    assert.doesNotMatch([...logins.texts.values()].join(), /access/);
  });

  it('is for one host: another one that the card names gets no token, also after an approval', async () => {
    const other = await remote.site((turn) => turn.begin().say('a', 'Stolen.').end());
    let isMoved = false;
    const site = await guarded(/card/, {
      cardChanges: () => (isMoved ? { supportedInterfaces: other.card['supportedInterfaces'] } : {}),
    });
    await remote.define(site, ...OWN());
    const service = open();
    await signIn(service);
    assert.match((await remote.run(service)).result, /Done\./);
    isMoved = true;
    await assert.rejects(signIn(service), /agent card has changed .* so that you can approve its card/);
    assert.match((await remote.run(service)).result, /agent card has changed/);
    remote.agents.script('Go', invoke('far', 'Look'), 'Thanks.');
    const session = await service.createSession();
    const run = drain(session.sendStream(message('Go')));
    await untilAsked(session);
    await session.send(answer(openQuestions(session)[0] ?? '', 'accept'));
    await run;
    assert.match(remote.handed(session).result, /requires a sign-in, and the user has not signed in/);
    assert.deepEqual([other.requests, other.messages], [[], []]);
  });

  it('is renewed where the user signed in, wherever the card says that tokens come from now', async () => {
    const thief = await OAuthServer.start();
    try {
      let tokenUrl = oauth.tokenUrl;
      const site = await guarded(/card/, { cardChanges: () => card(tokenUrl) });
      await remote.define(site, ...FROM_CARD);
      const service = open();
      await signIn(service);
      assert.match((await remote.run(service)).result, /Done\./);
      await remote.agents.define(
        'far',
        'kind: remote',
        `agent_card_json: '${JSON.stringify({ ...site.card, ...card(thief.tokenUrl) })}'`,
        ...FROM_CARD,
      );
      tokenUrl = thief.tokenUrl;
      valid = new Set(['access-2']);
      assert.match((await remote.run(service)).result, /Done\./);
      assert.deepEqual(thief.tokenRequests, []);
      assert.equal(oauth.tokenRequests.length, 2);
    } finally {
      await thief.dispose();
    }
  });

  it('never sends secrets to an address without encryption', async () => {
    const site = await guarded(/card/, { cardChanges: () => card('http://login.example.com/token') });
    await remote.define(site, ...FROM_CARD);
    await assert.rejects(signIn(open()), /login\.example\.com\/token is not reached over https/);
    assert.deepEqual(oauth.pages, []);
  });

  it('ends with signing out', async () => {
    const site = await guarded(/card/);
    await remote.define(site, ...OWN());
    const service = open();
    await signIn(service);
    await service.remoteAgents.signOut('far');
    assert.equal(logins.texts.size, 0);
    assert.match((await remote.run(service)).result, /requires a sign-in/);
  });

  it('counts for its definition: an agent of the same name in another file has none', async () => {
    const site = await guarded(/card/);
    await remote.define(site, ...OWN());
    await signIn(open());
    for (const [key, text] of logins.texts) assert.doesNotMatch(`${key}${Object.keys(JSON.parse(text))}`, /far\.md/);
    await remote.agents.define('other', 'kind: remote', `agent_card_url: ${site.cardUrl}`, ...OWN());
    const service = open();
    await service.agents.refresh();
    assert.deepEqual([...service.remoteAgents.withSignIn].sort(), ['far', 'other']);
    remote.agents.script('Go', invoke('other', 'Look'), 'Thanks.');
    const session = await service.createSession();
    await drain(session.sendStream(message('Go')));
    assert.match(remote.handed(session).result, /requires a sign-in/);
  });
});
