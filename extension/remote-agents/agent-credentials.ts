import type { RemoteAuth } from '../agents/agent-schema.ts';
import { errorText } from '../base/errors.ts';
import { type AgentLogin, type AgentLogins, signInNeeded } from './agent-logins.ts';
import type { Credentials } from './guarded-fetch.ts';
import { RemoteFailure } from './remote-failure.ts';
import { type SecretPlaces, secretValue } from './secret-value.ts';

export interface CredentialPorts {
  readonly places: SecretPlaces;
  /** Google's token for an address. Rejects if the address may not have one. */
  readonly googleToken: GoogleToken;
}

/** `scopes` are those of an access token; by default, Google's for the cloud. */
export type GoogleToken = (url: URL, scopes: readonly string[] | undefined, signal: AbortSignal) => Promise<string>;

/** The name that Gemini CLI uses. */
const KEY_HEADER = 'X-API-Key';

/** The login of an agent. A request for its card is tried without one, because most cards are public. */
export function loginCredentials(
  login: AgentLogin,
  logins: AgentLogins,
  cardUrl: string | undefined,
  signal: AbortSignal,
): Credentials {
  const used = new Map<string, string>();
  return async (url, { renew }) => {
    const { origin } = url;
    const token = renew
      ? await logins.renewed(login, url, used.get(origin), signal)
      : await logins.token(login, origin);
    if (token !== undefined) {
      used.set(origin, token);
      return headers('Authorization', `Bearer ${token}`);
    }
    if (!renew && url.href === cardUrl) return undefined;
    throw signInNeeded(login, url, { again: used.has(origin), canSignIn: logins.canSignIn });
  };
}

/** What is in the definition itself, or comes from Google. */
export type WrittenAuth = Exclude<RemoteAuth, { type: 'oauth' }>;

/** The credentials of a definition. They are read when a request needs them, and again after they were refused. */
export function agentCredentials(
  auth: WrittenAuth | undefined,
  ports: CredentialPorts,
  signal: AbortSignal,
): Credentials {
  if (!auth) return () => Promise.resolve(undefined);
  let known: Promise<Headers> | undefined;
  return async (url, { renew }) => {
    // Google's tokens depend on the address, and are kept by their source.
    if (auth.type === 'google-credentials') return headersOf(auth, url, ports, signal);
    if (renew) known = undefined;
    known ??= headersOf(auth, url, ports, signal);
    return known;
  };
}

async function headersOf(auth: WrittenAuth, url: URL, ports: CredentialPorts, signal: AbortSignal): Promise<Headers> {
  const value = (written: string | undefined): Promise<string> => secretValue(written ?? '', ports.places, signal);
  switch (auth.type) {
    case 'apiKey':
      return headers(auth.name ?? KEY_HEADER, await value(auth.key));
    case 'http':
      return headers('Authorization', await authorization(auth, value));
    case 'google-credentials':
      return headers('Authorization', `Bearer ${await ports.googleToken(url, auth.scopes, signal)}`);
  }
}

async function authorization(
  { scheme, value: whole, token, username, password }: Extract<RemoteAuth, { type: 'http' }>,
  read: (written: string | undefined) => Promise<string>,
): Promise<string> {
  if (whole !== undefined) return `${scheme} ${await read(whole)}`;
  if (token !== undefined) return `Bearer ${await read(token)}`;
  const pair = `${await read(username)}:${await read(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function headers(name: string, value: string): Headers {
  try {
    return new Headers([[name, value]]);
  } catch (error) {
    // The message may contain the value.
    const kind = error instanceof Error ? error.name : errorText(error);
    throw new RemoteFailure('credentials', `Its credentials cannot be sent in the header ${name} (${kind}).`);
  }
}
