import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { AuthClient } from 'google-auth-library';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { errorCode } from '../../files/error-code.ts';
import type { Clock } from '../../ports/clock.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { takesGoogleTokens } from '../base-url.ts';
import { parseJson } from '../json.ts';
import { noDefaultCredentials, noMachineAccount, tokenProblem, unusableCredentials } from './auth-problem.ts';
import { sendForToken } from './token-request.ts';
import type { AccessToken, TokenOrigin } from './token-source.ts';

type Library = typeof import('google-auth-library');
type Environment = Readonly<Record<string, string | undefined>>;

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';
/** Google's tokens last an hour; a token without an expiry time is renewed long before. */
const UNKNOWN_LIFE_MS = 15 * 60_000;

/**
 * Application default credentials: the file that gcloud or the environment names, or else the machine's own account.
 * The file is read again for every token, so a new login takes effect at once. The library does not look for the
 * credentials itself: it would search only this process's environment, and run gcloud to learn the project.
 */
export function defaultCredentials(environment: Environment, clock: Clock, wanted: WantedToken = {}): TokenOrigin {
  return {
    async obtain(): Promise<AccessToken> {
      const file = await readAdcFile(environment);
      const library = await import('google-auth-library');
      const how = { library, clock, wanted };
      return file ? fromFile(file.path, file.content, how) : fromMachine(environment, how);
    },
  };
}

/** An access token, by default for the cloud, or an identity token that only one service accepts. */
export type WantedToken = { readonly scopes?: readonly string[] | undefined } | { readonly audience: string };

interface Obtaining {
  readonly library: Library;
  readonly clock: Clock;
  readonly wanted: WantedToken;
}

async function fromFile(path: string, content: AdcFile, how: Obtaining): Promise<AccessToken> {
  const { library, clock, wanted } = how;
  const stray = ADDRESSES.find((name) => !isGoogles(content[name]));
  if (stray) throw new ProblemError(unusableCredentials(path, l10n.t('has a {0} that is not a Google address', stray)));
  const wire = new Wire(content.token_uri ?? GOOGLE_TOKEN_URL, clock);
  try {
    const token = await tokenOf(clientFor(library, content, wire, scopesOf(wanted)), how);
    return { ...token, ...(content.quota_project_id && { quotaProject: content.quota_project_id }) };
  } catch (error) {
    if (wire.failure) throw tokenProblem(wire.failure, 'adc');
    // The file has an invalid key or lacks a field. The message may contain the key, so only the error's name is kept.
    const kind = error instanceof Error ? error.name : 'unknown';
    throw new ProblemError(unusableCredentials(path, l10n.t('cannot be used to sign in')), { cause: new Error(kind) });
  }
}

/** Fields with addresses that receive secrets of the file, or data signed with them. */
const ADDRESSES = ['token_uri', 'token_url', 'service_account_impersonation_url'] as const;

function isGoogles(address: unknown): boolean {
  if (address === undefined) return true;
  return typeof address === 'string' && URL.canParse(address) && takesGoogleTokens(address);
}

function scopesOf(wanted: WantedToken): string[] {
  return 'scopes' in wanted && wanted.scopes && wanted.scopes.length > 0 ? [...wanted.scopes] : [SCOPE];
}

function clientFor(library: Library, content: AdcFile, wire: Wire, scopes: string[]): AuthClient {
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
        scopes,
        transporterOptions,
      });
    default:
      return new library.GoogleAuth({ scopes }).fromJSON(content as never, { transporterOptions });
  }
}

async function fromMachine(environment: Environment, how: Obtaining): Promise<AccessToken> {
  const { gcpMetadata, Compute } = how.library;
  // The result must not be cached: a container may get its metadata server later.
  gcpMetadata.resetIsAvailableCache();
  if (!(await gcpMetadata.isAvailable())) {
    throw new ProblemError(noDefaultCredentials(environment['GCE_METADATA_HOST']?.trim() || undefined));
  }
  try {
    return await tokenOf(new Compute({ scopes: scopesOf(how.wanted) }), how);
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? Number(error.status) || 0 : 0;
    throw new ProblemError(noMachineAccount(status));
  }
}

async function tokenOf(client: AuthClient, { clock, wanted }: Obtaining): Promise<AccessToken> {
  const asked = clock.now();
  const { token } = 'audience' in wanted ? await identity(client, wanted.audience) : await client.getAccessToken();
  if (!token || !/^[\x21-\x7e]+$/.test(token)) throw new Error('There is no token in the answer.');
  if ('audience' in wanted) return { value: token, expiresAt: asked + UNKNOWN_LIFE_MS };
  // The library computes the expiry from the system's clock.
  const left = (client.credentials.expiry_date ?? 0) - Date.now();
  return { value: token, expiresAt: asked + (left > 0 ? left : UNKNOWN_LIFE_MS) };
}

async function identity(client: AuthClient, audience: string): Promise<{ readonly token: string }> {
  if (!('fetchIdToken' in client) || typeof client.fetchIdToken !== 'function')
    throw new Error('These credentials have no identity tokens.');
  return { token: String(await client.fetchIdToken(audience)) };
}

/** Sends the library's requests. It keeps the failure, because the library's own errors contain the whole request. */
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
      // The library does not retry a 400.
      return new Response('{}', { status: 400, headers: { 'content-type': 'application/json' } });
    }
  };
}

/** Kinds that contain or name a secret themselves. Kinds that run a program to obtain a secret are not supported. */
const schema = once(() => {
  const common = { quota_project_id: z.string().optional(), token_uri: z.string().optional() };
  return z.discriminatedUnion('type', [
    z.looseObject({
      ...common,
      type: z.literal('authorized_user'),
      client_id: z.string().min(1),
      client_secret: z.string().min(1),
      refresh_token: z.string().min(1),
    }),
    z.looseObject({
      ...common,
      type: z.literal('service_account'),
      client_email: z.string().min(1),
      private_key: z.string().min(1),
      private_key_id: z.string().optional(),
    }),
    z.looseObject({ ...common, type: z.literal('impersonated_service_account') }),
    z.looseObject({
      ...common,
      type: z.literal('external_account'),
      credential_source: z.looseObject({ executable: z.undefined() }).optional(),
    }),
    z.looseObject({ ...common, type: z.literal('external_account_authorized_user') }),
  ]);
});

type AdcFile = z.infer<ReturnType<typeof schema>>;

/** Reads the file that the environment names, or else gcloud's file. Returns undefined if the latter is missing. */
async function readAdcFile(
  environment: Environment,
): Promise<{ readonly path: string; readonly content: AdcFile } | undefined> {
  const named = environment['GOOGLE_APPLICATION_CREDENTIALS']?.trim();
  const path = named || wellKnown(environment);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (!named && errorCode(error) === 'ENOENT') return undefined;
    throw new ProblemError(unusableCredentials(path, l10n.t('could not be read')), { cause: error });
  });
  if (text === undefined) return undefined;
  const parsed = schema().safeParse(parseJson(text));
  if (parsed.success) return { path, content: parsed.data };
  throw new ProblemError(unusableCredentials(path, l10n.t('has no credentials that Gantry supports')));
}

function wellKnown(environment: Environment): string {
  const { CLOUDSDK_CONFIG, APPDATA, HOME } = environment;
  const ofSystem =
    process.platform === 'win32' && APPDATA ? join(APPDATA, 'gcloud') : join(HOME || homedir(), '.config', 'gcloud');
  return join(CLOUDSDK_CONFIG || ofSystem, 'application_default_credentials.json');
}
