import assert from 'node:assert/strict';
import { classifyGoogleError } from '@google/gemini-cli-core';
import { ApiError } from '@google/genai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseApiError } from '../../../../extension/model/api-error.ts';
import { classifyFailure, type FailureClass } from '../../../../extension/model/calls/failure-class.ts';
import { ModelFailureError } from '../../../../extension/model/model-failure.ts';
import { runs } from '../../../support/test-size.ts';

interface ErrorJson {
  readonly code: number;
  readonly message: string;
  readonly details: readonly object[];
}

const RPC = 'type.googleapis.com/google.rpc.';

const delays = fc.oneof(
  fc.constantFrom('0s', '0.5s', '7s', '59.9s', '300s', '300.001s', '900ms', '500000ms', '3600s', '', 'soon'),
  fc.integer({ min: 1, max: 400 }).map((seconds) => `${seconds}s`),
);

const messages = fc.constantFrom(
  'Resource has been exhausted.',
  'Please retry in 12.5s.',
  'Please retry in 900ms',
  'Please retry in 301s',
  'You have exhausted your capacity on this model. Your quota will reset after 3s.',
  'Capacity exceeded',
  'reason: MODEL_CAPACITY_EXHAUSTED',
  'Quota exceeded for metric: x, limit: 0, model: y',
  'limit: 0.5',
  'limit: 05',
  'limit:   0',
  'The model is overloaded.',
);

const details = fc.array(
  fc.oneof(
    fc.record({
      '@type': fc.constant(`${RPC}ErrorInfo`),
      reason: fc.constantFrom(
        'RATE_LIMIT_EXCEEDED',
        'QUOTA_EXHAUSTED',
        'MODEL_CAPACITY_EXHAUSTED',
        'MODEL_CAPACITY_EXCEEDED',
        'INSUFFICIENT_G1_CREDITS_BALANCE',
        'VALIDATION_REQUIRED',
        'API_KEY_INVALID',
      ),
      domain: fc.constantFrom(
        'googleapis.com',
        'cloudcode-pa.googleapis.com',
        'staging-cloudcode-pa.googleapis.com',
        'autopush-cloudcode-pa.googleapis.com',
        'cloudcode-pa.googleapis.com,\n',
        'evil-cloudcode-pa.googleapis.com',
      ),
      metadata: fc.constantFrom({}, { quota_limit: 'RequestsPerMinute' }, { quota_limit: 'Other' }),
    }),
    fc.record({
      '@type': fc.constant(`${RPC}QuotaFailure`),
      violations: fc.array(
        fc.record({
          quotaId: fc.constantFrom(
            'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
            'DailyTokens',
            'GenerateRequestsPerMinutePerProjectPerModel-FreeTier',
            'Other',
          ),
        }),
        { maxLength: 3 },
      ),
    }),
    fc.record({ '@type': fc.constant(`${RPC}RetryInfo`), retryDelay: delays }),
    fc.record({
      '@type': fc.constant(`${RPC}Help`),
      links: fc.constant([{ description: 'Learn more', url: 'https://x' }]),
    }),
  ),
  { maxLength: 4 },
);

const errors: fc.Arbitrary<ErrorJson> = fc.record({
  code: fc.constantFrom(400, 401, 403, 404, 408, 429, 499, 500, 502, 503, 504),
  message: messages,
  details,
});

/**
 * Where Gantry differs on purpose. A plain 5xx is left unclassified there and retried elsewhere; here it has a class of
 * its own, which the test below takes for the same. A 408 is in that class too: there it is never tried again. Waits of no time at all are no waits.
 */
describe('What a refusal of the service means', () => {
  it('is the same as in Gemini CLI, whatever Google says', () => {
    fc.assert(
      fc.property(errors, (error) => {
        assert.deepEqual(ours(error), theirs(error), JSON.stringify(error));
      }),
      { numRuns: runs(500, 5000) },
    );
  });
});

interface Verdict {
  readonly kind: string;
  readonly delayMs?: number;
  readonly capacity?: boolean;
}

function ours(error: ErrorJson): Verdict {
  const parsed = parseApiError({ error: { ...error, status: 'X' } }, (text) => text);
  const failure = { type: 'refused', status: error.code, ...(parsed && { error: parsed }) } as const;
  return verdict(classifyFailure(new ModelFailureError(failure, 'test')));
}

function verdict(failure: FailureClass): Verdict {
  switch (failure.kind) {
    case 'terminal':
      return { ...timed('terminal', failure.delayMs), capacity: failure.reason === 'capacity' };
    case 'retryable':
      return timed('retryable', failure.delayMs);
    case 'server':
      return { kind: 'other' };
    default:
      return { kind: failure.kind };
  }
}

function theirs(error: ErrorJson): Verdict {
  const thrown = new ApiError({ status: error.code, message: JSON.stringify({ error: structuredClone(error) }) });
  const classified: unknown = classifyGoogleError(thrown);
  if (classified === thrown) return { kind: 'other' };
  const { name, retryDelayMs, reason, message } = classified as Error & { retryDelayMs?: number; reason?: string };
  switch (name) {
    case 'TerminalQuotaError': {
      const capacity =
        /^MODEL_CAPACITY_EX/.test(reason ?? '') ||
        /exhausted your capacity|capacity exceeded|MODEL_CAPACITY_EXHAUSTED/i.test(message);
      return { ...timed('terminal', retryDelayMs), capacity };
    }
    case 'RetryableQuotaError':
      return timed('retryable', retryDelayMs);
    case 'ValidationRequiredError':
      return { kind: 'validation' };
    default:
      return { kind: 'not-found' };
  }
}

function timed(kind: string, delayMs: number | undefined): Verdict {
  return { kind, ...(delayMs && { delayMs: Math.round(delayMs) }) };
}
