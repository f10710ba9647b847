import type { Problem } from '../protocol/problem.ts';
import type { AuthMethod } from '../runtime/host.ts';
import { baseUrlProblem, carriesKeyInTheClear } from './base-url.ts';
import { badConfiguration, insecureEndpoint, noApiKey, noVertex, unusableKey } from './configuration-problem.ts';

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

/** Where answers come from. */
export type Credential =
  | { readonly kind: 'gemini'; readonly key: ApiKey; readonly baseUrl?: BaseUrl }
  | { readonly kind: 'gateway'; readonly baseUrl: BaseUrl; readonly key?: ApiKey }
  | { readonly kind: 'offline' }
  | { readonly kind: 'problem'; readonly problem: Problem };

export interface CredentialInput {
  readonly authMethod: AuthMethod;
  /** `gantry.model.baseUrl`; empty when not set. */
  readonly baseUrl: string;
  /** What "Set API Key…" has stored. */
  readonly secretKey: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What the user set in Gantry wins over the environment. */
export function resolveCredential(input: CredentialInput): Credential {
  if (input.authMethod === 'offline') return { kind: 'offline' };
  const key = findKey(input);
  const baseUrl = findBaseUrl(input);
  const problem = vertexProblem(input, key, baseUrl) ?? keyProblem(key) ?? urlProblem(baseUrl, key);
  if (problem) return { kind: 'problem', problem };
  return CREDENTIAL_OF[input.authMethod](key, baseUrl);
}

type Choose = (key: ApiKey | undefined, baseUrl: BaseUrl | undefined) => Credential;

const CREDENTIAL_OF: Readonly<Record<Exclude<AuthMethod, 'offline'>, Choose>> = {
  auto: (key, baseUrl) => {
    if (key) return withKey(key, baseUrl);
    return baseUrl ? { kind: 'gateway', baseUrl } : { kind: 'offline' };
  },
  apiKey: (key, baseUrl) => (key ? withKey(key, baseUrl) : { kind: 'problem', problem: noApiKey() }),
  gateway: (key, baseUrl) => {
    if (baseUrl) return { kind: 'gateway', baseUrl, ...(key && { key }) };
    const missing = 'The sign-in method is a gateway, and gantry.model.baseUrl has no address';
    return { kind: 'problem', problem: badConfiguration('The gateway has no address', missing) };
  },
};

function withKey(key: ApiKey, baseUrl: BaseUrl | undefined): Credential {
  return { kind: 'gemini', key, ...(baseUrl && { baseUrl }) };
}

/** GEMINI_API_KEY comes first, as in Gemini CLI; the SDK left to itself would take GOOGLE_API_KEY. */
function findKey({ secretKey, environment }: CredentialInput): ApiKey | undefined {
  return (
    named('secret storage', secretKey) ??
    named('GEMINI_API_KEY', environment['GEMINI_API_KEY']) ??
    named('GOOGLE_API_KEY', environment['GOOGLE_API_KEY'])
  );
}

function findBaseUrl({ baseUrl, environment }: CredentialInput): BaseUrl | undefined {
  return (
    named('gantry.model.baseUrl', baseUrl) ?? named('GOOGLE_GEMINI_BASE_URL', environment['GOOGLE_GEMINI_BASE_URL'])
  );
}

/** Who asks for Vertex AI in the environment must not find their code at another service without being told. */
function vertexProblem(input: CredentialInput, key?: ApiKey, baseUrl?: BaseUrl): Problem | undefined {
  const chosenInGantry = key?.source === 'secret storage' || baseUrl?.source === 'gantry.model.baseUrl';
  if (input.authMethod !== 'auto' || chosenInGantry) return undefined;
  return /^(?:true|1)$/i.test(input.environment['GOOGLE_GENAI_USE_VERTEXAI'] ?? '') ? noVertex() : undefined;
}

/** Values are pasted, so blanks around them are not meant; an empty one counts as not set. */
function named<Source>(source: Source, value: string | undefined): { value: string; source: Source } | undefined {
  const trimmed = value?.trim();
  return trimmed ? { value: trimmed, source } : undefined;
}

/** Only visible ASCII can stand in a header. Checked here, because fetch puts the key into its error message. */
function keyProblem(key: ApiKey | undefined): Problem | undefined {
  return key && !/^[\x21-\x7e]+$/.test(key.value) ? unusableKey(key.source) : undefined;
}

function urlProblem(baseUrl: BaseUrl | undefined, key: ApiKey | undefined): Problem | undefined {
  if (!baseUrl) return undefined;
  const wrong = baseUrlProblem(baseUrl.value);
  if (wrong) return badConfiguration('The address of the endpoint is not usable', `${baseUrl.source} ${wrong}`);
  return key && carriesKeyInTheClear(baseUrl.value) ? insecureEndpoint(baseUrl.source) : undefined;
}
