import * as l10n from '@vscode/l10n';
import type { Problem, ProblemAction, ProblemKind } from '../protocol/agent/problem.ts';
import { type ApiError, allowsNone, VALIDATION_REQUIRED } from './api-error.ts';
import type { ApiKey, BaseUrl } from './auth/credentials.ts';
import type { ModelFailure } from './model-failure.ts';
import { upgradePage } from './upgrade-page.ts';

/** Phrases that all texts share. */
interface Words {
  readonly service: string;
  readonly kept: string;
  /** The key that was used: its source and its last characters. */
  readonly key: string | undefined;
}

type Refused = Extract<ModelFailure, { type: 'refused' }>;
type Tell = (refusal: Refused, exchange: Exchange, words: Words) => Omit<Problem, 'kind'>;

/** Describes a rejected request. */
export function refusalProblem(refusal: Refused, exchange: Exchange, words: Words): Problem {
  const kind = refusalKind(refusal, exchange);
  return { kind, ...TELL[kind](refusal, exchange, words) };
}

type RefusalKind = Extract<
  ProblemKind,
  | 'no-credential'
  | 'bad-credential'
  | 'forbidden'
  | 'model-not-found'
  | 'quota'
  | 'message-too-large'
  | 'rejected-request'
  | 'server'
>;

function refusalKind({ status, error }: Refused, { key }: Exchange): RefusalKind {
  if (KEY_REASONS.has(error?.reason ?? '')) return key ? 'bad-credential' : 'no-credential';
  switch (status) {
    case 401:
      return key ? 'bad-credential' : 'no-credential';
    case 402:
    case 403:
      return key ? 'forbidden' : 'no-credential';
    case 404:
      return 'model-not-found';
    case 408:
    case 499:
      return 'server';
    case 413:
      return 'message-too-large';
    case 429:
      return 'quota';
    default:
      return status >= 400 && status < 500 ? 'rejected-request' : 'server';
  }
}

/** `ErrorInfo` reasons that are about the key itself. Google answers a wrong key with 400, not 401. */
const KEY_REASONS: ReadonlySet<string> = new Set(['API_KEY_INVALID', 'API_KEY_EXPIRED', 'CONSUMER_SUSPENDED']);

const TELL: Readonly<Record<RefusalKind, Tell>> = {
  'no-credential': (_refusal, _exchange, { service, kept }) => ({
    title: l10n.t('A key or a header is required'),
    detail: l10n.t('{0} requires a valid one. {1}.', service, kept),
    actions: ['set-api-key', 'open-settings', 'retry'],
  }),
  'bad-credential': (_refusal, _exchange, { service, kept, key }) => ({
    title: l10n.t('The API key was refused'),
    detail: l10n.t('{0} answered that the key is invalid. The key {1}. {2}.', service, key ?? '', kept),
    actions: ['set-api-key', 'retry'],
  }),
  forbidden: ({ error }, { model }, { service, kept, key }) =>
    error?.reason === VALIDATION_REQUIRED
      ? {
          title: l10n.t('Google requires you to verify your account'),
          detail: verifyText(kept, error),
          actions: ['retry', 'show-log'],
        }
      : {
          title: l10n.t('The API key does not have access to {0}', model),
          detail: l10n.t(
            '{0} answered: {1}. The key {2}. {3}.',
            service,
            said(error, l10n.t('access denied')),
            key ?? '',
            kept,
          ),
          actions: ['set-api-key', 'switch-model', 'retry'],
        },
  'model-not-found': (_refusal, { model }, { service, kept }) => ({
    title: l10n.t('There is no model {0}', model),
    detail: l10n.t('{0} does not know this model, or does not offer it to you. {1}.', service, kept),
    actions: ['switch-model', 'retry'],
  }),
  quota: ({ error }, { model }, { service, kept }) =>
    allowsNone(error)
      ? {
          title: l10n.t('{0} is not in your plan', model),
          detail: withUpgrade(
            l10n.t('{0} does not allow you to use it (limit: 0). {1}. Change your plan to use it.', service, kept),
            error,
          ),
          actions: ['switch-model', 'retry'],
        }
      : {
          title: limitTitle(model, error?.quotaPeriod),
          detail: isForLong(error)
            ? withUpgrade(l10n.t('{0}. {1}.', kept, waitWords(service, error)), error)
            : l10n.t('{0}. {1}.', kept, waitWords(service, error)),
          actions: ['retry', 'switch-model'],
        },
  'message-too-large': (_refusal, _exchange, { service, kept }) => ({
    title: l10n.t('The conversation is too large to send'),
    detail: l10n.t(
      '{0} does not accept a request of this size. {1}. Start a new session with less in it.',
      service,
      kept,
    ),
    actions: ['switch-model'],
  }),
  'rejected-request': ({ error }, _exchange, { service, kept }) => ({
    title: l10n.t('The request was rejected'),
    detail: l10n.t('{0} answered: {1}. {2}.', service, said(error, l10n.t('no reason given')), kept),
    actions: REQUEST_ACTIONS,
  }),
  server: ({ status, error }, { model }, { service, kept }) => ({
    title: status === 503 || status === 529 ? l10n.t('{0} is overloaded', model) : l10n.t('{0} has a problem', service),
    detail: l10n.t(
      'It answered: {0}. {1}.',
      said(error, status > 0 ? l10n.t('status {0}', status) : l10n.t('no reason given')),
      kept,
    ),
    actions: REQUEST_ACTIONS,
  }),
};

/** Includes the address for verifying the account if the service gives it. */
function verifyText(kept: string, { links, metadata }: ApiError): string {
  const url = links?.[0]?.url || metadata?.['validation_link'];
  return url && URL.canParse(url)
    ? l10n.t('It does not answer until you do. {0}. Verify your account at {1}.', kept, url)
    : l10n.t('It does not answer until you do. {0}.', kept);
}

const REQUEST_ACTIONS: readonly ProblemAction[] = ['retry', 'switch-model', 'show-log'];

function limitTitle(model: string, period: ApiError['quotaPeriod']): string {
  if (period === 'minute') return l10n.t('{0} is over its limit for this minute', model);
  return period === 'day' ? l10n.t('{0} is over its limit for today', model) : l10n.t('{0} is over its limit', model);
}

/** Names the page for a higher limit, because the command line has no button that opens it. */
function withUpgrade(detail: string, error: ApiError | undefined): string {
  const page = upgradePage(error);
  return page === undefined ? detail : l10n.t('{0} To upgrade, open {1}', detail, page);
}

function isForLong(error: ApiError | undefined): boolean {
  return error?.quotaPeriod === 'day' || (error?.retrySeconds ?? 0) > SHORT_SECONDS;
}

/** Limits per minute end within this time. */
const SHORT_SECONDS = 300;

function waitWords(service: string, error: ApiError | undefined): string {
  const seconds = error?.retrySeconds;
  // For a daily limit, Google also sends the delay of its limit per minute, which is too short.
  if (error?.quotaPeriod === 'day' && (seconds ?? 0) < SHORT_SECONDS) return l10n.t('Try again tomorrow');
  return seconds === undefined
    ? l10n.t('Try again later')
    : l10n.t('{0} accepts requests again in {1}', service, duration(seconds));
}

function duration(fraction: number): string {
  const seconds = Math.ceil(fraction);
  if (seconds === 1) return l10n.t('1 second');
  if (seconds < 120) return l10n.t('{0} seconds', seconds);
  // Avoids the singular: durations below two minutes or hours use the smaller unit.
  return seconds < 7200
    ? l10n.t('{0} minutes', Math.ceil(seconds / 60))
    : l10n.t('{0} hours', Math.ceil(seconds / 3600));
}

/** The first sentence of the service's message, on one line and without its full stop. */
function said(error: ApiError | undefined, otherwise: string): string {
  const line =
    error?.message
      .replace(/\s+/g, ' ')
      .replace(/^[*\s]+/, '')
      .trim() ?? '';
  const sentence = /^.*?(?=[.!?](?:\s|$)|$)/.exec(line)?.[0] ?? '';
  if (sentence === '') return otherwise;
  return sentence.length > 160 ? `${sentence.slice(0, 160)}…` : sentence;
}

/** The context of a failure: where the request went, and whether part of the answer is already visible. */
export interface Exchange {
  readonly model: string;
  readonly key?: ApiKey;
  readonly baseUrl?: BaseUrl;
  /** The address of Google's service, if it is not the Gemini API. */
  readonly address?: string;
  readonly arrived: boolean;
}
