import type { ApiError } from '../api-error.ts';
import { allowsNone, isDaily, VALIDATION_REQUIRED } from '../api-error.ts';
import { failureIn, type ModelFailure } from '../model-failure.ts';

/** How the caller can react to a failed request. */
export type FailureClass =
  /** This model will not answer soon: its quota is used up, or it has no capacity. */
  | { readonly kind: 'terminal'; readonly reason: 'quota' | 'capacity'; readonly delayMs?: number }
  /** A limit per minute, or an overloaded service: retry after the delay that the service requires. */
  | { readonly kind: 'retryable'; readonly delayMs?: number }
  /** An error inside the service. */
  | { readonly kind: 'server' }
  | { readonly kind: 'not-found' }
  /** Google requires the user to verify the account. */
  | { readonly kind: 'validation' }
  /** No response arrived, but a retry may succeed. */
  | { readonly kind: 'network' }
  /** A response began but is invalid or incomplete. */
  | { readonly kind: 'stream'; readonly invalid: InvalidStream; readonly delayMs?: number }
  /** A retry would not help. */
  | { readonly kind: 'other' };

export type InvalidStream =
  | 'no-finish-reason'
  | 'no-text'
  | 'thoughts-only'
  | 'max-tokens'
  | 'malformed-call'
  | 'unexpected-call'
  | 'safety'
  | 'recitation'
  | 'other'
  /** Not the model's fault: unreadable frames, or an error in the middle of the stream. */
  | 'transport';

/** A request to wait longer than this counts as a rejection. */
const LONGEST_WAIT_MS = 300_000;

/** The delay for a limit per minute if the service does not name one. */
const A_MINUTE_MS = 60_000;

/** `arrived`: part of the answer had arrived, so the error is inside the stream. */
export function classifyFailure(error: unknown, arrived = false): FailureClass {
  const failure = failureIn(error);
  if (!failure) return { kind: 'other' };
  switch (failure.type) {
    case 'refused': {
      const refused = classifyRefusal(failure.status, failure.error);
      return arrived ? insideStream(refused) : refused;
    }
    case 'no-answer':
      return { kind: STAYS_SO.test(failure.code) ? 'other' : 'network' };
    case 'cut':
      return { kind: 'stream', invalid: 'no-finish-reason' };
    case 'unreadable':
      return { kind: 'stream', invalid: 'transport' };
    case 'empty':
      return { kind: 'stream', invalid: emptyKind(failure) };
    case 'broken-off':
      return {
        kind: 'stream',
        invalid: Object.hasOwn(BROKEN, failure.finishReason) ? (BROKEN[failure.finishReason] ?? 'other') : 'other',
      };
    case 'blocked':
      // A blocked message would be blocked again; a new answer to it may pass.
      if (failure.part === 'message') return { kind: 'other' };
      return { kind: 'stream', invalid: BLOCKED.get(failure.reason) ?? 'other' };
    case 'not-gemini':
      return { kind: 'other' };
  }
}

/** Retrying does not help against untrusted certificates and missing passwords. */
const STAYS_SO = /CERT|SIGNATURE|^ERR_TLS|^PROXY_4/;

const BROKEN: Readonly<Record<string, InvalidStream>> = {
  MALFORMED_FUNCTION_CALL: 'malformed-call',
  UNEXPECTED_TOOL_CALL: 'unexpected-call',
};

const BLOCKED: ReadonlyMap<string, InvalidStream> = new Map([
  ['SAFETY', 'safety'],
  ['RECITATION', 'recitation'],
]);

function emptyKind({ finishReason, thoughtsOnly }: Extract<ModelFailure, { type: 'empty' }>): InvalidStream {
  if (finishReason === undefined) return 'no-finish-reason';
  if (finishReason === 'MAX_TOKENS') return 'max-tokens';
  return thoughtsOnly ? 'thoughts-only' : 'no-text';
}

/** Limits the retries of an answer that had begun, because the service had accepted the request. */
function insideStream(refused: FailureClass): FailureClass {
  if (refused.kind !== 'retryable' && refused.kind !== 'server') return refused;
  const delayMs = refused.kind === 'retryable' ? refused.delayMs : undefined;
  return { kind: 'stream', invalid: 'transport', ...(delayMs !== undefined && { delayMs }) };
}

/**
 * Applies Gemini CLI's rules; the first match wins. `status` is the HTTP status, or the code of an error in the stream.
 */
export function classifyRefusal(status: number, error?: ApiError): FailureClass {
  const { reason = '' } = error ?? {};
  if (status === 404) return { kind: 'not-found' };
  if (status === 403 && reason === VALIDATION_REQUIRED && isCloudCode(error)) return { kind: 'validation' };
  const isQuota = QUOTA_STATUS.has(status);
  if (isQuota && allowsNone(error)) return terminal(error);
  if (!isQuota || !error?.detailed) return classifyByText(status, error);
  return classifyByDetails(error);
}

/** Too many requests, cancelled by the service, overloaded. */
const QUOTA_STATUS: ReadonlySet<number> = new Set([429, 499, 503]);

function classifyByText(status: number, error: ApiError | undefined): FailureClass {
  const { message = '', retrySeconds } = error ?? {};
  const [, said, unit] = /Please retry in ([0-9.]+)(ms|s)/.exec(message) ?? [];
  // Without a delay in the text, the delay from the header or the details applies.
  const seconds = said === undefined ? retrySeconds : Number(said) / (unit === 'ms' ? 1000 : 1);
  if (said !== undefined && seconds !== undefined && Number.isFinite(seconds)) return waiting(error, seconds * 1000);
  if (!QUOTA_STATUS.has(status))
    return { kind: status === 408 || (status >= 500 && status < 600) ? 'server' : 'other' };
  if (isCapacity(error)) return terminal(error);
  return seconds === undefined ? { kind: 'retryable' } : waiting(error, seconds * 1000);
}

function classifyByDetails(error: ApiError): FailureClass {
  const { reason = '', quotaIds = [], metadata, retrySeconds } = error;
  if (quotaIds.some(isDaily)) return { kind: 'terminal', reason: 'quota' };
  const delayMs = retrySeconds ? retrySeconds * 1000 : undefined;
  if (CAPACITY_REASONS.has(reason)) return { ...terminal(error, delayMs), reason: 'capacity' };
  if (reason === 'INSUFFICIENT_G1_CREDITS_BALANCE') return terminal(error, delayMs);
  if (isCloudCode(error) && reason === 'RATE_LIMIT_EXCEEDED' && delayMs === undefined) return terminal(error);
  if (isCloudCode(error) && reason === 'QUOTA_EXHAUSTED') return terminal(error, delayMs);
  if (delayMs !== undefined) return waiting(error, delayMs);
  if ([...quotaIds, metadata?.['quota_limit'] ?? ''].some((limit) => limit.includes('PerMinute'))) {
    return { kind: 'retryable', delayMs: A_MINUTE_MS };
  }
  return isCapacity(error) ? terminal(error) : { kind: 'retryable' };
}

function waiting(error: ApiError | undefined, delayMs: number): FailureClass {
  if (delayMs > LONGEST_WAIT_MS) return terminal(error, delayMs);
  return { kind: 'retryable', ...(delayMs > 0 && { delayMs }) };
}

function terminal(error: ApiError | undefined, delayMs?: number): Extract<FailureClass, { kind: 'terminal' }> {
  return {
    kind: 'terminal',
    reason: isCapacity(error) ? 'capacity' : 'quota',
    ...(delayMs && { delayMs }),
  };
}

const CAPACITY_REASONS: ReadonlySet<string> = new Set(['MODEL_CAPACITY_EXHAUSTED', 'MODEL_CAPACITY_EXCEEDED']);

function isCapacity({ message = '' }: Partial<ApiError> = {}): boolean {
  return /exhausted your capacity|capacity exceeded|MODEL_CAPACITY_EXHAUSTED/i.test(message);
}

/** Ignores stray characters, which gateways that split streams into lines insert. */
function isCloudCode({ domain = '' }: Pick<ApiError, 'domain'> = {}): boolean {
  return /^(?:staging-|autopush-)?cloudcode-pa\.googleapis\.com$/.test(domain.replace(/[^a-zA-Z0-9.-]/g, ''));
}
