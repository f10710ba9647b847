import * as l10n from '@vscode/l10n';
import type { AuthClient } from 'google-auth-library';
import type { Clock } from '../../ports/clock.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { takesGoogleTokens } from '../base-url.ts';
import { type AdcFile, readAdcFile } from './adc-file.ts';
import { noDefaultCredentials, noMachineAccount, tokenProblem, unusableCredentials } from './auth-problem.ts';
import { sendForToken } from './token-request.ts';
import type { AccessToken, TokenOrigin } from './token-source.ts';

type Library = typeof import('google-auth-library');
type Environment = Readonly<Record<string, string | undefined>>;

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';
/** Google's tokens last an hour; one without a time is asked for again long before. */
const UNKNOWN_LIFE_MS = 15 * 60_000;

/**
 * Application default credentials: the file that gcloud or the environment names, else the machine's own account. The
 * file is read again for every token, so a new login counts at once. The library is not left to find them itself: it
 * would look in this process's environment only, and run gcloud to learn the project.
 */
export function defaultCredentials(environment: Environment, clock: Clock): TokenOrigin {
  return {
    async obtain(): Promise<AccessToken> {
      const file = await readAdcFile(environment);
      const library = await import('google-auth-library');
      return file ? fromFile(library, file.path, file.content, clock) : fromMachine(library, environment, clock);
    },
  };
}

async function fromFile(library: Library, path: string, content: AdcFile, clock: Clock): Promise<AccessToken> {
  const stray = ADDRESSES.find((name) => !isGoogles(content[name]));
  if (stray) throw new ProblemError(unusableCredentials(path, l10n.t('has a {0} that is not a Google address', stray)));
  const wire = new Wire(content.token_uri ?? GOOGLE_TOKEN_URL, clock);
  try {
    const token = await tokenOf(clientFor(library, content, wire), clock);
    return { ...token, ...(content.quota_project_id && { quotaProject: content.quota_project_id }) };
  } catch (error) {
    if (wire.failure) throw tokenProblem(wire.failure, 'adc');
    // A key that is none, a field that is missing. Its message may hold the key, so only its kind is kept.
    const kind = error instanceof Error ? error.name : 'unknown';
    throw new ProblemError(unusableCredentials(path, l10n.t('cannot be used to sign in')), { cause: new Error(kind) });
  }
}

/** Where secrets of the file, or what was signed with them, are sent. */
const ADDRESSES = ['token_uri', 'token_url', 'service_account_impersonation_url'] as const;

function isGoogles(address: unknown): boolean {
  if (address === undefined) return true;
  return typeof address === 'string' && URL.canParse(address) && takesGoogleTokens(address);
}

function clientFor(library: Library, content: AdcFile, wire: Wire): AuthClient {
  const transporterOptions = { fetchImplementation: wire.fetch };
  switch (content.type) {
    case 'authorized_user':
      return new library.UserRefreshClient({
        clientId: content.client_id,
        clientSecret: content.client_secret,
        refreshToken: content.refresh_token,
        transporterOptions,
      });
    case 'service_account':
      return new library.JWT({
        email: content.client_email,
        key: content.private_key,
        ...(content.private_key_id && { keyId: content.private_key_id }),
        scopes: [SCOPE],
        transporterOptions,
      });
    default:
      return new library.GoogleAuth({ scopes: [SCOPE] }).fromJSON(content as never, { transporterOptions });
  }
}

async function fromMachine(library: Library, environment: Environment, clock: Clock): Promise<AccessToken> {
  const { gcpMetadata, Compute } = library;
  // What was found out once is not true for ever: a container may get its metadata server later.
  gcpMetadata.resetIsAvailableCache();
  if (!(await gcpMetadata.isAvailable())) {
    throw new ProblemError(noDefaultCredentials(environment['GCE_METADATA_HOST']?.trim() || undefined));
  }
  try {
    return await tokenOf(new Compute({ scopes: [SCOPE] }), clock);
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? Number(error.status) || 0 : 0;
    throw new ProblemError(noMachineAccount(status));
  }
}

async function tokenOf(client: AuthClient, clock: Clock): Promise<AccessToken> {
  const asked = clock.now();
  const { token } = await client.getAccessToken();
  if (!token || !/^[\x21-\x7e]+$/.test(token)) throw new Error('There is no token in the answer.');
  // The library counts from the system's clock.
  const left = (client.credentials.expiry_date ?? 0) - Date.now();
  return { value: token, expiresAt: asked + (left > 0 ? left : UNKNOWN_LIFE_MS) };
}

/** How the library sends requests. It keeps the failure: the library's own errors carry the whole request with them. */
class Wire {
  failure: unknown;

  constructor(
    private readonly tokenUrl: string,
    private readonly clock: Clock,
  ) {}

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    try {
      return await sendForToken(url === GOOGLE_TOKEN_URL ? this.tokenUrl : url, init, this.clock);
    } catch (error) {
      this.failure = error;
      // The one answer that it does not try again.
      return new Response('{}', { status: 400, headers: { 'content-type': 'application/json' } });
    }
  };
}
