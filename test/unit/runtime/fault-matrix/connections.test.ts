import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { after, afterEach, before, describe } from 'mocha';
import { http, unauthorized } from '../../../support/gemini/faults.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../../support/gemini/server.ts';
import { MemoryLogin } from '../../../support/memory-login.ts';
import { OAuthServer } from '../../../support/oauth-server.ts';
import { createTempWorkspace, type TempWorkspace } from '../../../support/temp-workspace.ts';
import type { TestHostOptions } from '../../../support/test-host.ts';
import { describeFaults, type Fault, KEY } from './matrix.ts';

const HOUR = 3_600_000;
/** With a name there is no question to the classifier, which would be the first to need a token. */
const FLASH = 'gemini-3.8-flash';

interface SignedIn {
  /** Seconds that the token still lasts. */
  readonly lifetime?: number;
  /** What the token endpoint says to whoever wants a new one. */
  readonly refuse?: readonly [status: number, error: string];
}

describe('A fault', () => {
  let oauth: OAuthServer;
  let home: TempWorkspace;

  before(async () => {
    oauth = await OAuthServer.start();
    home = await createTempWorkspace({});
  });
  after(async () => {
    await oauth.dispose();
    await home.dispose();
  });

  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** As in an editor that has a proxy in its settings: what is asked for over https goes through a tunnel, or does not. */
  async function behindProxy(status: number): Promise<TestHostOptions> {
    const proxy = createServer();
    proxy.on('connect', (_request, socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`));
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const direct = globalThis.fetch;
    closing.push(() => {
      globalThis.fetch = direct;
      proxy.close();
    });
    const address = proxy.address();
    globalThis.fetch = tunnelled(typeof address === 'object' && address ? address.port : 0);
    return at('https://gantry.invalid');
  }

  function signedIn({ lifetime = 3600, refuse }: SignedIn = {}): NonNullable<Fault['options']> {
    return ({ url }: GeminiEndpoint) => {
      if (refuse) oauth.refuse(...refuse);
      const expiresAt = Date.now() + lifetime * 1000;
      const { tokenUrl, authorizationUrl } = oauth;
      const client = { clientId: 'client-1', tokenUrl };
      const kept = { refreshToken: 'refresh-0', accessToken: 'access-0', expiresAt, ...client };
      const login = new MemoryLogin(JSON.stringify(kept));
      const auth = { ...client, authorizationUrl };
      return { authMethod: 'google', auth, login, baseUrl: url, environment: {}, modelName: FLASH };
    };
  }

  /** Only a service account signs with a time, which Google compares with its own. */
  async function wrongClock({ url }: GeminiEndpoint): Promise<TestHostOptions> {
    // Short, because a long one takes a second to find.
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const account = {
      type: 'service_account',
      client_email: 'bot@tools.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      private_key_id: 'k1',
      token_uri: oauth.tokenUrl,
    };
    await home.write({ 'application_default_credentials.json': JSON.stringify(account) });
    const date = new Date(Date.now() - 2 * HOUR).toUTCString();
    oauth.refuse(400, 'invalid_grant', 'Invalid JWT: … Check your iat and exp values in the JWT claim.', { date });
    const environment = { HOME: home.path, CLOUDSDK_CONFIG: home.path, GOOGLE_CLOUD_PROJECT: 'tools' };
    return { authMethod: 'adc', baseUrl: url, environment, modelName: FLASH };
  }

  describeFaults('of the connection', [
    {
      what: 'no name of the host',
      replies: ['Never sent'],
      says: /^gantry\.invalid:443 cannot be reached · The host name could not be resolved\. Your message is kept\. Check GOOGLE_GEMINI_BASE_URL/,
      options: () => at('https://gantry.invalid'),
      main: 'failed unreachable | none | 5000 10000 20000 30000*6 | wait*9',
      subagent: 'failed unreachable | none | 5000 10000 20000 30000*6 | wait*9',
      utility: 'failed unreachable | none | 5000 10000 20000 | none',
    },
    {
      what: 'nobody at the port',
      replies: ['Never sent'],
      says: /^127\.0\.0\.1:\d+ cannot be reached · The connection was refused\. Your message is kept/,
      options: nobody,
      main: 'failed unreachable | none | 5000 10000 20000 30000*6 | wait*9',
      subagent: 'failed unreachable | none | 5000 10000 20000 30000*6 | wait*9',
      utility: 'failed unreachable | none | 5000 10000 20000 | none',
    },
    {
      what: 'a proxy that wants a password',
      replies: ['Never sent'],
      says: /^gantry\.invalid:443 cannot be reached · The proxy requires you to sign in\. Your message is kept\. Check your proxy \(http\.proxy in the settings of VS Code, HTTPS_PROXY elsewhere\)\./,
      options: () => behindProxy(407),
      main: 'failed unreachable | none | none | none',
      subagent: 'failed unreachable | none | none | none',
      utility: 'failed unreachable | none | none | none',
    },
    {
      what: 'a proxy that finds nobody',
      replies: ['Never sent'],
      says: /^gantry\.invalid:443 cannot be reached · The proxy could not forward the request\. Your message is kept\. Check your proxy \(http\.proxy in the settings of VS Code, HTTPS_PROXY elsewhere\)\./,
      options: () => behindProxy(502),
      main: 'failed unreachable | none | 5000 10000 20000 30000*6 | wait*9',
      subagent: 'failed unreachable | none | 5000 10000 20000 30000*6 | wait*9',
      utility: 'failed unreachable | none | 5000 10000 20000 | none',
    },
    // Node's fetch makes of it an error without a word.
    {
      what: '407 on plain http',
      replies: [http(407, 'Proxy Authentication Required')],
      says: /^\S+ cannot be reached · The proxy requires you to sign in\. Your message is kept\. Check your proxy \(http\.proxy in/,
      main: 'failed unreachable | flash | none | none',
      subagent: 'failed unreachable | flash | none | none',
      utility: 'failed unreachable | flash | none | none',
    },
    {
      what: '502 from a gateway, without an error object',
      replies: [http(502, 'connect ECONNREFUSED')],
      says: /^\S+ has a problem · It answered: status 502\. Your message is kept\./,
      main: 'failed server | flash*10 | 5000 10000 20000 30000*6 | wait*9 question',
      subagent: 'failed server | flash*10 pro*3 | 5000 10000 20000 30000*6 5000 10000 | wait*9 switch wait*2',
      utility: 'failed server | flash*4 | 5000 10000 20000 | none',
    },
    {
      what: 'a page to sign in to the network',
      replies: [http(302, '', { location: 'http://login.example/' })],
      says: /answered with a redirect \(status 302\) instead/,
      main: 'failed not-gemini | flash | none | none',
      subagent: 'failed not-gemini | flash | none | none',
      utility: 'failed not-gemini | flash | none | none',
    },
    {
      what: 'a token that was withdrawn early, and a new one',
      replies: [unauthorized(), 'Hello'],
      says: /Hello$/,
      options: signedIn(),
      main: 'completed | flash*2 | none | none',
      subagent: 'completed | flash*2 | none | none',
      utility: 'completed | flash*2 | none | none',
    },
    {
      what: 'a token that is refused, and the new one too',
      replies: [unauthorized()],
      says: /^The sign-in was refused · Google does not accept its token, not even a new one\. Your message is kept\. Sign in again\./,
      options: signedIn(),
      main: 'failed bad-credential | flash*2 | none | none',
      subagent: 'failed bad-credential | flash*2 | none | none',
      utility: 'failed bad-credential | flash*2 | none | none',
    },
    {
      what: 'a token that has run out',
      replies: ['Hello'],
      says: /Hello$/,
      options: signedIn({ lifetime: -60 }),
      main: 'completed | flash | none | none',
      subagent: 'completed | flash | none | none',
      utility: 'completed | flash | none | none',
    },
    {
      what: 'a token that has run out, and a sign-in that was withdrawn',
      replies: ['Never sent'],
      says: /^You are signed out · .*Your message is kept\. Sign in again\./,
      options: signedIn({ lifetime: -60, refuse: [400, 'invalid_grant'] }),
      main: 'failed bad-credential | none | none | none',
      subagent: 'failed bad-credential | none | none | none',
      utility: 'failed bad-credential | none | none | none',
    },
    {
      what: 'a token endpoint that is down',
      replies: ['Never sent'],
      says: /^\S+ has a problem · It issues the token that requests need, and answered with status 503\. Your message is kept\. Try again later/,
      options: signedIn({ lifetime: -60, refuse: [503, 'unavailable'] }),
      main: 'failed server | none | none | none',
      subagent: 'failed server | none | none | none',
      utility: 'failed server | none | none | none',
    },
    {
      what: 'a clock two hours ahead',
      replies: ['Never sent'],
      says: /^This machine's clock is wrong · It is 120 minutes ahead, so Google accepts no sign-in from it\. Your message is kept\. Set the clock/,
      options: wrongClock,
      main: 'failed bad-credential | none | none | none',
      subagent: 'failed bad-credential | none | none | none',
      utility: 'failed bad-credential | none | none | none',
    },
  ]);
});

/** Fetch through a proxy that lets nobody through: what it says to that is told in undici's words. */
function tunnelled(port: number): typeof fetch {
  return async (input) => {
    const { host } = new URL(input instanceof Request ? input.url : input);
    const asked = request({ host: '127.0.0.1', port, method: 'CONNECT', path: `${host}:443` }).end();
    const [{ statusCode }] = (await once(asked, 'connect')) as [IncomingMessage];
    const cause = new Error(`Proxy response (${statusCode}) !== 200 when HTTP Tunneling`);
    throw new TypeError('fetch failed', { cause });
  };
}

function at(url: string): TestHostOptions {
  return { environment: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: KEY } };
}

async function nobody(): Promise<TestHostOptions> {
  const gone = await startGeminiEndpoint();
  await gone.dispose();
  return at(gone.url);
}
