import { body, type ChunkStep, finish, type HttpStep, type Piece, type Step } from './script.ts';
import { errorBody, frame, JSON_TYPE, jsonText, SSE_TYPE } from './wire.ts';

const GOOGLE_RPC = 'type.googleapis.com/google.rpc';
const SERVICE = 'generativelanguage.googleapis.com';

export interface ErrorOptions {
  readonly message?: string;
  /** Sent as `RetryInfo`, e.g. `7s` or `0.5s`. */
  readonly retryDelay?: string;
  /** Sent as the `Retry-After` header. */
  readonly retryAfter?: string;
  /** Sent as `ErrorInfo`, e.g. `API_KEY_INVALID`. */
  readonly reason?: string;
  readonly details?: readonly object[];
}

/** An error of any status, with Google's error JSON. */
export function apiError(status: number, options: ErrorOptions = {}): Piece {
  const { message = `Scripted error ${status}.`, retryAfter } = options;
  const text = jsonText(errorBody(status, message, detailsOf(options)));
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  // Google labels an error to an `alt=sse` request as an event stream, although it is plain JSON. The SDK then wraps
  // the text again: {"error":{"message":"{\n \"error\": …"}} (seen in continuedev/continue#9330).
  return (request) => http(status, text, { ...headers, 'content-type': request.streamed ? SSE_TYPE : JSON_TYPE });
}

export interface QuotaOptions extends ErrorOptions {
  readonly quotaId?: string;
  readonly quotaValue?: string;
}

/** The 429 error of an exhausted free tier: `QuotaFailure`, `Help` and `RetryInfo`. */
export function quotaExceeded(options: QuotaOptions = {}): Piece {
  const { quotaId = 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier', quotaValue = '10', ...rest } = options;
  return (request) => {
    const violation = {
      quotaMetric: `${SERVICE}/generate_content_free_tier_requests`,
      quotaId,
      quotaDimensions: { location: 'global', model: request.model },
      quotaValue,
    };
    const help = [
      { description: 'Learn more about Gemini API quotas', url: 'https://ai.google.dev/gemini-api/docs/rate-limits' },
    ];
    return apiError(429, {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      retryDelay: '7s',
      ...rest,
      details: [
        detail('QuotaFailure', { violations: [violation] }),
        detail('Help', { links: help }),
        ...(rest.details ?? []),
      ],
    });
  };
}

/** Google's response to a wrong key: 400, not 401. */
export function invalidKey(): Piece {
  const message = 'API key not valid. Please pass a valid API key.';
  const details = [detail('LocalizedMessage', { locale: 'en-US', message })];
  return apiError(400, { message, reason: 'API_KEY_INVALID', details });
}

/** Google's response to a request without a key. */
export function missingKey(): Piece {
  return apiError(403, {
    message:
      "Method doesn't allow unregistered callers (callers without established identity). " +
      'Please use API Key or other form of API consumer identity to call this API.',
  });
}

export function unauthorized(): Piece {
  return apiError(401, {
    message: 'Request had invalid authentication credentials. Expected OAuth 2 access token or other valid credential.',
    reason: 'ACCESS_TOKEN_TYPE_UNSUPPORTED',
  });
}

export function forbidden(): Piece {
  return apiError(403, {
    message: 'Generative Language API has not been used in project 1 before or it is disabled.',
    reason: 'SERVICE_DISABLED',
  });
}

export function badRequest(message = 'Request contains an invalid argument.'): Piece {
  return apiError(400, { message });
}

export function serverError(options: ErrorOptions = {}): Piece {
  return apiError(500, { message: 'An internal error has occurred. Please retry.', ...options });
}

export function overloaded(options: ErrorOptions = {}): Piece {
  return apiError(503, { message: 'The model is overloaded. Please try again later.', ...options });
}

/** A page from a proxy or captive portal instead of the API. */
export function htmlPage(status = 200, title = 'Sign in to the network'): HttpStep {
  const page = `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1></body></html>\n`;
  return http(status, page, { 'content-type': 'text/html; charset=utf-8' });
}

export function http(status: number, text: string, headers: Readonly<Record<string, string>> = {}): HttpStep {
  return { kind: 'http', status, headers, body: text };
}

/** An error after the 200 status: as another event, or without framing as some gateways send it. */
export function streamError(status: number, message: string, framed = true): Piece {
  const error = errorBody(status, message);
  return [finish('none'), framed ? body(error) : raw(jsonText(error))];
}

/** Destroys the connection. If it comes first in a reply, the client gets no headers either. */
export function cut(): Piece {
  return [finish('none'), { kind: 'cut' }];
}

/** Destroys the connection in the middle of the event with the text. */
export function cutInFrame(text: string): Piece {
  const whole = frame({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] });
  return [raw(whole.slice(0, whole.indexOf('"role"'))), cut()];
}

export function malformedFrame(json = '{"candidates": [{"content": {"parts": [{"text": "Hel'): Step {
  return raw(`data: ${json}\r\n\r\n`);
}

export function raw(data: string | Uint8Array): Step {
  return { kind: 'raw', data };
}

/** A 200 response with usage but without `candidates`. */
export function noCandidates(): Piece {
  return (request) => body({ usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 }, modelVersion: request.model });
}

/** A candidate with a finish reason and no content, as thinking models sometimes send. */
export function noContent(): ChunkStep {
  return { kind: 'chunk' };
}

export function blockedPrompt(blockReason = 'SAFETY'): Piece {
  return (request) => body({ promptFeedback: { blockReason }, modelVersion: request.model });
}

function detailsOf({ reason, retryDelay, details = [] }: ErrorOptions): readonly object[] {
  const info = { reason, domain: 'googleapis.com', metadata: { service: SERVICE } };
  return [
    ...(reason === undefined ? [] : [detail('ErrorInfo', info)]),
    ...details,
    ...(retryDelay === undefined ? [] : [detail('RetryInfo', { retryDelay })]),
  ];
}

function detail(type: string, fields: object): object {
  return { '@type': `${GOOGLE_RPC}.${type}`, ...fields };
}
