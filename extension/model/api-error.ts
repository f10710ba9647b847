import { z } from 'zod';
import type { Redact } from './redact.ts';

/** Google's error object, as far as it is used. */
export interface ApiError {
  readonly code: number;
  readonly message: string;
  /** The gRPC name, e.g. RESOURCE_EXHAUSTED. */
  readonly status: string;
  /** From `ErrorInfo`, e.g. API_KEY_INVALID. */
  readonly reason?: string;
  /** From `RetryInfo`. */
  readonly retrySeconds?: number;
  /** Which limit a `QuotaFailure` names. */
  readonly quotaPeriod?: 'minute' | 'day';
}

const text = z.string().catch('');

const detailSchema = z.looseObject({
  '@type': text,
  reason: text,
  retryDelay: text,
  violations: z.array(z.object({ quotaId: text })).catch([]),
});

const envelopeSchema = z.object({
  error: z.object({
    code: z.number().catch(0),
    message: text,
    status: text,
    details: z.array(detailSchema).catch([]),
  }),
});

type Detail = z.infer<typeof detailSchema>;

/** Reads `{"error": …}`, also in the one-element array that a stream without `alt=sse` is wrapped in. */
export function parseApiError(json: unknown, redact: Redact): ApiError | undefined {
  const envelope: unknown = Array.isArray(json) ? json[0] : json;
  // Every frame of an answer is asked, and a parse that fails costs more than all that is done with the frame.
  if (typeof envelope !== 'object' || envelope === null || !('error' in envelope)) return undefined;
  const parsed = envelopeSchema.safeParse(envelope);
  if (!parsed.success) return undefined;
  const { code, message, status, details } = parsed.data.error;
  const reason = detail(details, 'ErrorInfo')?.reason;
  const retrySeconds = parseSeconds(detail(details, 'RetryInfo')?.retryDelay);
  const quotaPeriod = periodOf(detail(details, 'QuotaFailure')?.violations[0]?.quotaId);
  return {
    code,
    message: redact(message),
    status,
    ...(reason && { reason }),
    ...(retrySeconds !== undefined && { retrySeconds }),
    ...(quotaPeriod && { quotaPeriod }),
  };
}

/** A protobuf duration (`7s`, `0.5s`) or a Retry-After number, in whole seconds. */
export function parseSeconds(value: string | undefined): number | undefined {
  const [, digits] = /^(\d+(?:\.\d+)?)s?$/.exec(value ?? '') ?? [];
  return digits === undefined ? undefined : Math.ceil(Number(digits));
}

function detail(details: readonly Detail[], name: string): Detail | undefined {
  return details.find((candidate) => candidate['@type'].endsWith(`google.rpc.${name}`));
}

/** Ids look like `GenerateRequestsPerDayPerProjectPerModel-FreeTier`. */
function periodOf(quotaId = ''): ApiError['quotaPeriod'] {
  if (quotaId.includes('PerDay')) return 'day';
  return quotaId.includes('PerMinute') ? 'minute' : undefined;
}
