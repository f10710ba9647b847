import type { AuthMethod, AuthSettings } from '../../ports/settings.ts';
import { baseUrlProblem, carriesKeyInTheClear, takesGoogleTokens } from '../base-url.ts';
import { type OwnHeaders, ownHeaders } from './own-headers.ts';
import { isLocation, isProject, type VertexPlace } from './vertex-endpoint.ts';

export type KeySource = 'secret storage' | 'GEMINI_API_KEY' | 'GOOGLE_API_KEY';
export type BaseUrlSource = 'gantry.model.baseUrl' | 'GOOGLE_GEMINI_BASE_URL';

export interface ApiKey {
  readonly value: string;
  readonly source: KeySource;
}

export interface BaseUrl {
  readonly value: string;
  readonly source: BaseUrlSource;
}

/** Access with a key, or without any credential, to the Gemini API or a compatible service. */
interface KeyAccess {
  readonly key?: ApiKey;
  readonly baseUrl?: BaseUrl;
  /** Headers for requests to the base URL only. */
  readonly headers?: OwnHeaders;
}

/** Access with a renewable token, to the Gemini API or Vertex AI. */
interface TokenAccess {
  readonly baseUrl?: BaseUrl;
  readonly vertex?: VertexPlace;
  /** The project that is billed at the Gemini API. */
  readonly quotaProject?: string;
}

/** The source of answers and how to access it. */
export type Credential =
  | (KeyAccess & { readonly kind: 'gemini'; readonly key: ApiKey })
  | (KeyAccess & { readonly kind: 'gateway'; readonly baseUrl: BaseUrl })
  /** A key for Vertex AI. */
  | (KeyAccess & { readonly kind: 'express'; readonly key: ApiKey; readonly vertex: VertexPlace })
  /** Application default credentials: gcloud's file, or the machine's account. */
  | (TokenAccess & { readonly kind: 'adc' })
  | (TokenAccess & { readonly kind: 'login' })
  | { readonly kind: 'offline' }
  | { readonly kind: 'problem'; readonly trouble: Trouble };

/** The reason why nothing can be sent. `credential-problem.ts` words it. */
export type Trouble =
  | { readonly type: 'no-key' | 'no-address' | 'no-project' | 'no-client' | 'signed-out' }
  | { readonly type: 'unusable-key'; readonly source: KeySource }
  /** `wrong` follows the name of the setting in a sentence and never repeats its value. */
  | { readonly type: 'bad-address'; readonly source: BaseUrlSource; readonly wrong: string }
  | { readonly type: 'bad-headers'; readonly wrong: string }
  | { readonly type: 'bad-place'; readonly what: 'project' | 'location'; readonly value: string }
  /** The address is on another machine and does not use https. */
  | { readonly type: 'insecure'; readonly source: BaseUrlSource; readonly hasKey: boolean }
  /** A Google token must not be sent to an address that is not Google's. */
  | { readonly type: 'token-stays'; readonly source: BaseUrlSource };

export interface CredentialInput {
  readonly authMethod: AuthMethod;
  /** `gantry.model.baseUrl`; empty when not set. */
  readonly baseUrl: string;
  /** The key that "Set API Key…" stored. */
  readonly secretKey: string | undefined;
  /** Whether "Sign In with Google…" stored a token. */
  readonly signedIn?: boolean;
  readonly auth?: AuthSettings | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Settings in Gantry take precedence over the environment. */
export function resolveCredential(input: CredentialInput): Credential {
  const method = input.authMethod === 'auto' ? methodOf(input) : input.authMethod;
  if (method === 'offline') return { kind: 'offline' };
  const baseUrl = findBaseUrl(input);
  const wrong = baseUrl && baseUrlProblem(baseUrl.value);
  if (baseUrl && wrong) return stopped({ type: 'bad-address', source: baseUrl.source, wrong });
  return RESOLVE[method](input, baseUrl);
}

/** Resolves `auto`: first from the settings in Gantry, then from the environment. */
function methodOf(input: CredentialInput): Exclude<AuthMethod, 'auto'> {
  const key = findKey(input);
  const baseUrl = findBaseUrl(input);
  if (key?.source === 'secret storage') return 'apiKey';
  if (baseUrl?.source === 'gantry.model.baseUrl') return key ? 'apiKey' : 'gateway';
  if (input.signedIn && input.auth?.clientId) return 'google';
  // If the user asks for Vertex AI, code must not go to another service.
  if (input.auth?.project || asksForVertex(input)) return 'vertex';
  if (key) return 'apiKey';
  return baseUrl ? 'gateway' : 'offline';
}

type Resolve = (input: CredentialInput, baseUrl: BaseUrl | undefined) => Credential;

const RESOLVE: Readonly<Record<Exclude<AuthMethod, 'auto' | 'offline'>, Resolve>> = {
  apiKey: (input, baseUrl) => {
    const key = findKey(input);
    return key ? withKey(input, baseUrl, { kind: 'gemini', key }) : stopped({ type: 'no-key' });
  },
  gateway: (input, baseUrl) => {
    if (!baseUrl) return stopped({ type: 'no-address' });
    const key = findKey(input);
    return withKey(input, baseUrl, { kind: 'gateway', baseUrl, ...(key && { key }) });
  },
  vertex: (input, baseUrl) => {
    const key = expressKey(input);
    if (!key) return withToken(input, baseUrl, 'adc', true);
    return withKey(input, baseUrl, { kind: 'express', key, vertex: { location: 'global' } });
  },
  adc: (input, baseUrl) => withToken(input, baseUrl, 'adc', wantsVertex(input)),
  google: (input, baseUrl) => {
    if (!input.auth?.clientId) return stopped({ type: 'no-client' });
    if (!input.signedIn) return stopped({ type: 'signed-out' });
    return withToken(input, baseUrl, 'login', wantsVertex(input));
  },
};

type KeyCredential = Extract<Credential, { kind: 'gemini' | 'gateway' | 'express' }>;

function withKey(input: CredentialInput, baseUrl: BaseUrl | undefined, credential: KeyCredential): Credential {
  const { key } = credential;
  // Checked here, because fetch puts the key into its error message. Headers allow only visible ASCII.
  if (key && !/^[\x21-\x7e]+$/.test(key.value)) return stopped({ type: 'unusable-key', source: key.source });
  if (!baseUrl) return credential;
  const own = ownHeaders(input.auth?.headers ?? {}, input.environment);
  if ('wrong' in own) return stopped({ type: 'bad-headers', wrong: own.wrong });
  const hasHeaders = Object.keys(own.headers).length > 0;
  if ((key || hasHeaders) && carriesKeyInTheClear(baseUrl.value)) {
    return stopped({ type: 'insecure', source: baseUrl.source, hasKey: key !== undefined });
  }
  return { ...credential, baseUrl, ...(hasHeaders && { headers: own.headers }) };
}

function withToken(
  input: CredentialInput,
  baseUrl: BaseUrl | undefined,
  kind: 'adc' | 'login',
  atVertex: boolean,
): Credential {
  const { auth, environment } = input;
  const project = auth?.project || environment['GOOGLE_CLOUD_PROJECT']?.trim();
  const location = auth?.location || environment['GOOGLE_CLOUD_LOCATION']?.trim() || 'global';
  if (project && !isProject(project)) return stopped({ type: 'bad-place', what: 'project', value: project });
  if (baseUrl && !takesGoogleTokens(baseUrl.value)) return stopped({ type: 'token-stays', source: baseUrl.source });
  const where = baseUrl ? { baseUrl } : {};
  if (!atVertex) return { kind, ...where, ...(project && { quotaProject: project }) };
  if (!project) return stopped({ type: 'no-project' });
  if (!isLocation(location)) return stopped({ type: 'bad-place', what: 'location', value: location });
  return { kind, ...where, vertex: { project, location } };
}

/**
 * A project means that the machine's credentials are used, unless only the environment names it and a key was set in
 * Gantry.
 */
function expressKey(input: CredentialInput): ApiKey | undefined {
  if (input.auth?.project) return undefined;
  const key = findKey({ ...input, environment: { GOOGLE_API_KEY: input.environment['GOOGLE_API_KEY'] } });
  const inEnvironment = key?.source !== 'secret storage' && input.environment['GOOGLE_CLOUD_PROJECT']?.trim();
  return inEnvironment ? undefined : key;
}

function wantsVertex(input: CredentialInput): boolean {
  return Boolean(input.auth?.location) || asksForVertex(input);
}

function asksForVertex({ environment }: CredentialInput): boolean {
  return /^(?:true|1)$/i.test(environment['GOOGLE_GENAI_USE_VERTEXAI']?.trim() ?? '');
}

/** GEMINI_API_KEY takes precedence, as in Gemini CLI; the SDK by itself would prefer GOOGLE_API_KEY. */
function findKey({ secretKey, environment }: Pick<CredentialInput, 'secretKey' | 'environment'>): ApiKey | undefined {
  return (
    from('secret storage', secretKey) ??
    from('GEMINI_API_KEY', environment['GEMINI_API_KEY']) ??
    from('GOOGLE_API_KEY', environment['GOOGLE_API_KEY'])
  );
}

function findBaseUrl({ baseUrl, environment }: CredentialInput): BaseUrl | undefined {
  return from('gantry.model.baseUrl', baseUrl) ?? from('GOOGLE_GEMINI_BASE_URL', environment['GOOGLE_GEMINI_BASE_URL']);
}

/** Trims values, because pasted ones often have surrounding spaces. An empty value counts as not set. */
function from<Source>(source: Source, value: string | undefined): { value: string; source: Source } | undefined {
  const trimmed = value?.trim();
  return trimmed ? { value: trimmed, source } : undefined;
}

function stopped(trouble: Trouble): Credential {
  return { kind: 'problem', trouble };
}
