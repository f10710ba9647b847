import { createHash } from 'node:crypto';
import type { RemoteAuth } from '../agents/agent-schema.ts';
import { orThrowAborted } from '../base/abort.ts';
import { errorText } from '../base/errors.ts';
import { isObject } from '../base/objects.ts';
import type { AuthorizationServer, SignInBrowser, SignInPort } from '../mcp/connection-types.ts';
import { carriesKeyInTheClear } from '../model/base-url.ts';
import type { McpLoginStore } from '../ports/host.ts';
import { RemoteFailure } from './remote-failure.ts';

export type OAuth = Extract<RemoteAuth, { type: 'oauth' }>;

/** An agent that people sign in to. */
export interface AgentLogin {
  readonly name: string;
  /** Its definition: an agent of the same name in another file has other logins. */
  readonly definition: string;
  readonly auth: OAuth;
  /** Reads a value of the definition, which may be a variable or a command. */
  readonly value: (written: string) => Promise<string>;
}

/** What the card of an agent says about signing in. */
export interface CardSignIn {
  readonly authorization: AuthorizationServer;
  readonly scopes?: readonly string[];
}

/** Long enough for a slow server. It is shared by requests, so none of them ends it. */
const RENEWAL_MS = 30_000;

/**
 * The logins of remote agents: one secret for each agent, with one login for each host that it has. A host gets the token
 * of its own login and no other.
 */
export class AgentLogins {
  private readonly renewals = new Map<string, Promise<string | undefined>>();

  /** Without a store, nobody can sign in. */
  constructor(private readonly store: McpLoginStore | undefined) {}

  get canSignIn(): boolean {
    return this.store !== undefined;
  }

  /** The token for a host of the agent, if the user has signed in. */
  async token(login: AgentLogin, origin: string): Promise<string | undefined> {
    return this.store && (await tokensIn(portOf(login, origin, this.store)))?.access_token;
  }

  /** A token in place of one that was refused. Undefined if the user has to sign in. */
  async renewed(
    login: AgentLogin,
    url: URL,
    refused: string | undefined,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (!this.store) return undefined;
    const port = portOf(login, url.origin, this.store);
    const key = `${port.key} ${url.origin}`;
    // A refresh token may be valid once only.
    const renewal = this.renewals.get(key) ?? this.renew(login, url, refused, port);
    this.renewals.set(key, renewal);
    const forget = (): void => void this.renewals.delete(key);
    renewal.then(forget, forget);
    return orThrowAborted(renewal, signal);
  }

  /** Guides the user through the sign-in. Rejects if it fails. */
  async signIn(
    login: AgentLogin,
    { url, card }: { readonly url: string; readonly card: CardSignIn | undefined },
    browser: SignInBrowser,
    signal: AbortSignal,
  ): Promise<void> {
    if (!this.store) throw new Error('Logins are not stored here.');
    const authorization = serverOf(login.auth, card?.authorization);
    requireEncryption([url, ...Object.values(authorization ?? {})]);
    const scopes = login.auth.scopes ?? card?.scopes;
    const port = {
      ...(await withClient(login, portOf(login, new URL(url).origin, this.store))),
      ...(authorization && { authorization }),
      ...(scopes && scopes.length > 0 && { scopes }),
    };
    const { signInTo } = await import('../mcp/connection.ts');
    await signInTo(url, { ...port, browser }, signal);
  }

  async signOut(login: AgentLogin): Promise<void> {
    await this.store?.write(keyOf(login), undefined);
  }

  private async renew(
    login: AgentLogin,
    url: URL,
    refused: string | undefined,
    port: SignInPort,
  ): Promise<string | undefined> {
    const before = await tokensIn(port);
    // Another request or another window has renewed it.
    if (before?.access_token !== refused) return before?.access_token;
    if (before?.refresh_token === undefined) return undefined;
    const { renewLogin } = await import('../mcp/connection.ts');
    try {
      if (!(await renewLogin(url.href, await withClient(login, port), AbortSignal.timeout(RENEWAL_MS))))
        return undefined;
    } catch (error) {
      if (error instanceof RemoteFailure) throw error;
      throw new RemoteFailure('sign-in', `The login at ${url.host} could not be renewed: ${errorText(error)}`);
    }
    return (await tokensIn(port))?.access_token;
  }
}

/** The error for the model, which tells the user what to do. */
export function signInNeeded(
  { name }: AgentLogin,
  { host }: URL,
  { again, canSignIn }: { readonly again: boolean; readonly canSignIn: boolean },
): RemoteFailure {
  const why = again
    ? `${host} refused the login of the user.`
    : `${host} requires a sign-in, and the user has not signed in.`;
  const what = canSignIn
    ? `Ask the user to enter "/agents signin ${name}", and then call it again.`
    : 'Nobody can sign in on the command line. Use it in VS Code, or give its definition a token with "type: http".';
  return new RemoteFailure('sign-in', `${why} ${what}`);
}

/** What the definition says comes first. */
function serverOf(auth: OAuth, card: AuthorizationServer | undefined): AuthorizationServer | undefined {
  const named = card && 'tokenUrl' in card ? card : undefined;
  const authorizationUrl = auth.authorization_url ?? named?.authorizationUrl;
  const tokenUrl = auth.token_url ?? named?.tokenUrl;
  if (auth.issuer !== undefined && auth.token_url === undefined) return { issuer: auth.issuer };
  if (authorizationUrl === undefined || tokenUrl === undefined) return card;
  return { authorizationUrl, tokenUrl, registrationUrl: auth.registration_url };
}

function requireEncryption(urls: readonly (string | undefined)[]): void {
  for (const url of urls)
    if (url !== undefined && carriesKeyInTheClear(url))
      throw new RemoteFailure('credentials', `${url} is not reached over https, so nobody can sign in there.`);
}

function keyOf({ definition }: AgentLogin): string {
  return createHash('sha256')
    .update(JSON.stringify(['remote-agent', definition]))
    .digest('hex');
}

function portOf(login: AgentLogin, origin: string, store: McpLoginStore): SignInPort {
  const all = async (key: string): Promise<Record<string, string>> => readLogins(await store.read(key));
  return {
    key: keyOf(login),
    staysThere: true,
    ...(login.auth.audiences && { audiences: login.auth.audiences }),
    store: {
      read: async (key) => (await all(key))[origin],
      write: async (key, text) => {
        const { [origin]: _, ...others } = await all(key);
        const now = text === undefined ? others : { ...others, [origin]: text };
        await store.write(key, Object.keys(now).length > 0 ? JSON.stringify(now) : undefined);
      },
    },
  };
}

/** An invalid secret counts as none. */
function readLogins(text: string | undefined): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    const all = Object.entries(isObject(stored) ? stored : {});
    return Object.fromEntries(all.flatMap(([origin, login]) => (typeof login === 'string' ? [[origin, login]] : [])));
  } catch {
    return {};
  }
}

async function withClient({ auth, value }: AgentLogin, port: SignInPort): Promise<SignInPort> {
  return {
    ...port,
    ...(auth.client_id !== undefined && { clientId: await value(auth.client_id) }),
    ...(auth.client_secret !== undefined && { clientSecret: await value(auth.client_secret) }),
  };
}

async function tokensIn(
  port: SignInPort,
): Promise<{ readonly access_token: string; readonly refresh_token?: string | undefined } | undefined> {
  const { StoredLogin } = await import('../mcp/oauth-provider.ts');
  return new StoredLogin(port).tokens();
}
