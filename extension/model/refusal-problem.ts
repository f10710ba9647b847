import type { Problem, ProblemAction, ProblemKind } from '../protocol/problem.ts';
import { type ApiError, allowsNone, VALIDATION_REQUIRED } from './api-error.ts';
import type { ModelFailure } from './model-failure.ts';
import type { Exchange } from './model-problem.ts';

/** The parts of the texts that are the same in all of them. */
interface Words {
  readonly service: string;
  readonly kept: string;
  readonly retry: string;
  /** Which key was used: where it comes from and how it ends. */
  readonly key: string | undefined;
}

type Refused = Extract<ModelFailure, { type: 'refused' }>;
type Tell = (refusal: Refused, exchange: Exchange, words: Words) => Omit<Problem, 'kind'>;

/** What the service said no to, in words. */
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
    title: 'A key or a header is needed',
    detail: `${service} does not answer without one that it knows. ${kept}; set a key, or gantry.auth.headers, then Retry.`,
    actions: ['set-api-key', 'open-settings', 'retry'],
  }),
  'bad-credential': (_refusal, _exchange, { service, kept, key }) => ({
    title: 'The API key was refused',
    detail: `${service} answered that the key is not valid; it ${key}. ${kept}; set another key, then Retry.`,
    actions: ['set-api-key', 'retry'],
  }),
  forbidden: ({ error }, { model }, { service, kept, key }) =>
    error?.reason === VALIDATION_REQUIRED
      ? {
          title: 'Google wants you to verify your account',
          detail: `It does not answer before that. ${kept}; verify your account${placeWords(error)}, then Retry.`,
          actions: ['retry', 'show-log'],
        }
      : {
          title: `The API key may not use ${model}`,
          detail: `${service} answered: ${said(error, 'access denied')}; the key ${key}. ${kept}; Retry when that has changed.`,
          actions: ['set-api-key', 'switch-model', 'retry'],
        },
  'model-not-found': (_refusal, { model }, { service, kept }) => ({
    title: `There is no model ${model}`,
    detail: `${service} does not know it, or does not offer it to you. ${kept}; switch the model, then Retry.`,
    actions: ['switch-model', 'retry'],
  }),
  quota: ({ error }, { model }, { service, kept }) =>
    allowsNone(error)
      ? {
          title: `${model} is not in your plan`,
          detail: `${service} allows you no requests to it (limit: 0). ${kept}; switch the model, or change the plan, then Retry.`,
          actions: ['switch-model', 'retry'],
        }
      : {
          title: `${model} is over its limit${PERIOD_WORDS[error?.quotaPeriod ?? 'unknown']}`,
          detail: `${kept}. ${waitWords(service, error)}, or switch the model.`,
          actions: ['retry', 'switch-model'],
        },
  'message-too-large': (_refusal, _exchange, { service, kept }) => ({
    title: 'The conversation is too large to send',
    detail: `${service} does not take a request of this size. ${kept}; start a new session with less in it.`,
    actions: ['switch-model'],
  }),
  'rejected-request': ({ error }, _exchange, { service, kept, retry }) => ({
    title: 'The request was not accepted',
    detail: `${service} answered: ${said(error, 'no reason given')}. ${kept}; ${retry}.`,
    actions: REQUEST_ACTIONS,
  }),
  server: ({ status, error }, { model }, { service, kept, retry }) => ({
    title: status === 503 || status === 529 ? `${model} is overloaded` : `${service} has a problem`,
    detail: `It answered: ${said(error, status > 0 ? `status ${status}` : 'no reason given')}. ${kept}; ${retry}.`,
    actions: REQUEST_ACTIONS,
  }),
};

/** Where an account is verified, if the service says so. */
function placeWords({ links, metadata }: ApiError): string {
  const url = links?.[0]?.url || metadata?.['validation_link'];
  return url && URL.canParse(url) ? ` at ${url}` : '';
}

const REQUEST_ACTIONS: readonly ProblemAction[] = ['retry', 'switch-model', 'show-log'];

const PERIOD_WORDS = { minute: ' for this minute', day: ' for today', unknown: '' } as const;

/** Limits per minute end within it. */
const SHORT_SECONDS = 300;

function waitWords(service: string, error: ApiError | undefined): string {
  const seconds = error?.retrySeconds;
  // Google sends the seconds of its limit per minute along, which do not end the day.
  if (error?.quotaPeriod === 'day' && (seconds ?? 0) < SHORT_SECONDS) return 'Retry tomorrow';
  return seconds === undefined ? 'Retry later' : `${service} can be asked again in ${duration(seconds)}: Retry then`;
}

function duration(fraction: number): string {
  const seconds = Math.ceil(fraction);
  if (seconds < 120) return plural(seconds, 'second');
  return seconds < 7200 ? plural(Math.ceil(seconds / 60), 'minute') : plural(Math.ceil(seconds / 3600), 'hour');
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The first sentence of the service's own words, on one line and without its full stop. */
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
