import * as z from 'zod';
import { once } from '../base/once.ts';
import { parseJson } from './json.ts';

/** The fields of Google's error object that Gantry uses. */
export interface ApiError {
  readonly code: number;
  readonly message: string;
  /** The gRPC name, e.g. RESOURCE_EXHAUSTED. */
  readonly status: string;
  /** From `ErrorInfo`, e.g. API_KEY_INVALID. */
  readonly reason?: string;
  /** The service that reports the error, from `ErrorInfo`, e.g. googleapis.com. */
  readonly domain?: string;
  /** From `ErrorInfo`. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** From `RetryInfo`, or from a header. */
  readonly retrySeconds?: number;
  /** The limits that a `QuotaFailure` names, e.g. GenerateRequestsPerDayPerProjectPerModel-FreeTier. */
  readonly quotaIds?: readonly string[];
  /** The period of the first limit. */
  readonly quotaPeriod?: 'minute' | 'day';
  /** From `Help`. */
  readonly links?: readonly HelpLink[];
  /** Whether the error has details of any kind. */
  readonly detailed?: boolean;
}

export interface HelpLink {
  readonly description: string;
  readonly url: string;
}

/** A reason in `ErrorInfo`: Google requires the user to verify the account. */
export const VALIDATION_REQUIRED = 'VALIDATION_REQUIRED';

const text = z.string().catch('');

const detailSchema = once(() =>
  z.looseObject({
    '@type': text,
    reason: text,
    domain: text,
    metadata: z.record(z.string(), text).catch({}),
    retryDelay: text,
    violations: z.array(z.object({ quotaId: text })).catch([]),
    links: z.array(z.object({ description: text, url: text })).catch([]),
  }),
);

const envelopeSchema = once(() =>
  z.object({
    error: z.object({
      code: z.number().catch(0),
      message: text,
      status: text,
      details: z.array(detailSchema()).catch([]),
    }),
  }),
);

type Detail = z.infer<ReturnType<typeof detailSchema>>;

/**
 * Parses `{"error": …}`, also inside the array that a stream without `alt=sse` sends, and inside the message of a
 * gateway's own error.
 */
export function parseApiError(json: unknown, redact: Redact): ApiError | undefined {
  const said = errorIn(json);
  if (!said) return undefined;
  const { code, message, status, details } = said;
  const info = detail(details, 'ErrorInfo');
  const retrySeconds = parseSeconds(detail(details, 'RetryInfo')?.retryDelay);
  const quotaIds = detail(details, 'QuotaFailure')?.violations.map(({ quotaId }) => quotaId) ?? [];
  const quotaPeriod = periodOf(quotaIds[0]);
  const links = detail(details, 'Help')?.links ?? [];
  return {
    code,
    message: redact(message),
    status,
    ...(info?.reason && { reason: info.reason }),
    ...(info?.domain && { domain: info.domain }),
    ...(info && Object.keys(info.metadata).length > 0 && { metadata: info.metadata }),
    ...(retrySeconds !== undefined && { retrySeconds }),
    ...(quotaIds.length > 0 && { quotaIds }),
    ...(quotaPeriod && { quotaPeriod }),
    ...(links.length > 0 && { links }),
    ...(details.length > 0 && { detailed: true }),
  };
}

/** A gateway may put Google's error into the message of its own error. Deeper nesting does not occur. */
const DEEPEST = 3;

function errorIn(json: unknown, depth = 0): z.infer<ReturnType<typeof envelopeSchema>>['error'] | undefined {
  const envelope: unknown = Array.isArray(json) ? json.find(isEnvelope) : json;
  // This runs for every frame of an answer, and a failing schema check costs more than the rest of the frame's
  // processing.
  if (!isEnvelope(envelope)) return undefined;
  const error = envelopeSchema().safeParse(envelope).data?.error;
  const inner = error && depth < DEEPEST ? errorIn(jsonIn(error.message), depth + 1) : undefined;
  return inner ?? error;
}

function isEnvelope(value: unknown): value is { readonly error: unknown } {
  return typeof value === 'object' && value !== null && 'error' in value;
}

function jsonIn(message: string): unknown {
  return /^\s*[[{]/.test(message) ? parseJson(message) : undefined;
}

/** A duration (`7s`, `0.5s`, `900ms`) or a Retry-After number, in seconds. */
export function parseSeconds(value: string | undefined): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(s|ms)?$/.exec(value ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits) / (unit === 'ms' ? 1000 : 1);
}

function detail(details: readonly Detail[], name: string): Detail | undefined {
  return details.find((candidate) => candidate['@type'].endsWith(`google.rpc.${name}`));
}

/** Ids look like `GenerateRequestsPerDayPerProjectPerModel-FreeTier`. */
function periodOf(quotaId = ''): ApiError['quotaPeriod'] {
  if (isDaily(quotaId)) return 'day';
  return quotaId.includes('PerMinute') ? 'minute' : undefined;
}

/** Whether the quota is zero, rather than used up: "Quota exceeded for metric: …, limit: 0, model: …". */
export function allowsNone(error: ApiError | undefined): boolean {
  return /limit:\s*0(?!\d|\.\d)/i.test(error?.message ?? '');
}

export function isDaily(quotaId: string): boolean {
  return quotaId.includes('PerDay') || quotaId.includes('Daily');
}

export type Redact = (text: string) => string;

/**
 * Redacts text from the endpoint before it is shown or logged: some of Google's errors contain the key ("Consumer
 * 'api_key:…'").
 */
export function redactor(secrets: readonly string[]): Redact {
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}
