import * as l10n from '@vscode/l10n';
import { type Problem, type ProblemAction, ProblemError, type ProblemKind } from '../protocol/agent/problem.ts';
import { refusalAdvice, refusalMeaning } from '../protocol/words/refusal-words.ts';
import { keySourceWords } from './auth/configuration-problem.ts';
import type { ApiKey } from './auth/credentials.ts';
import { GOOGLE_BASE_URL, hostAndPort } from './base-url.ts';
import type { ModelFailure } from './model-failure.ts';
import { connectionWords, isProxy } from './network-error.ts';
import { type Exchange, refusalProblem } from './refusal-problem.ts';

/**
 * Describes what happened, what was kept, and what the user can do besides the problem's actions, which each surface
 * words itself.
 */
export function modelProblem(failure: ModelFailure, exchange: Exchange): Problem {
  const service = serviceWords(exchange);
  const kept = keptWords(exchange);
  const problem = (kind: ProblemKind, title: string, detail: string, ...actions: ProblemAction[]): Problem => {
    return { kind, title, detail, actions };
  };
  switch (failure.type) {
    case 'no-answer': {
      const place = isProxy(failure.code) ? proxySetting() : addressWords(exchange);
      const detail = l10n.t('{0}. {1}. Check {2}.', connectionWords(failure.code), kept, place);
      return problem(
        'unreachable',
        l10n.t('{0} cannot be reached', endpointOf(exchange)),
        detail,
        ...addressActions(exchange),
      );
    }
    case 'not-gemini': {
      const what =
        failure.status > 0
          ? l10n.t('{0} (status {1})', whatCame(failure.what), failure.status)
          : whatCame(failure.what);
      const detail = l10n.t(
        "{0} answered with {1} instead of a model's answer. {2}. Check {3}.",
        baseUrlOf(exchange),
        what,
        kept,
        addressWords(exchange),
      );
      return problem('not-gemini', l10n.t('The endpoint is not a Gemini API'), detail, ...addressActions(exchange));
    }
    case 'cut': {
      const title = cutTitle(exchange.arrived, failure.silent ? service : undefined);
      return problem('stream-cut', title, `${kept}.`, 'retry', 'switch-model', 'show-log');
    }
    case 'unreadable': {
      const detail = l10n.t('{0} sent something that is not in the format of the Gemini API. {1}.', service, kept);
      return problem('bad-stream', l10n.t('The answer could not be read'), detail, 'retry', 'show-log');
    }
    case 'empty': {
      const { finishReason } = failure;
      const detail =
        finishReason && finishReason !== 'STOP'
          ? l10n.t('{0} ended without an answer ({1}). {2}.', exchange.model, finishReason, kept)
          : l10n.t('{0} ended without an answer. {1}.', exchange.model, kept);
      return problem('empty-answer', l10n.t('The answer is empty'), detail, 'retry', 'switch-model');
    }
    case 'broken-off': {
      const detail = l10n.t('It ended with {0}. {1}.', failure.finishReason, kept);
      return problem(
        'bad-stream',
        l10n.t('{0} ended its answer early', exchange.model),
        detail,
        'retry',
        'switch-model',
      );
    }
    case 'blocked': {
      const detail = l10n.t(
        '{0} blocked it: {1}. {2}. {3}.',
        service,
        refusalMeaning(failure.reason),
        kept,
        refusalAdvice(failure.reason),
      );
      const title = failure.part === 'message' ? l10n.t('The message was blocked') : l10n.t('The answer was blocked');
      return problem('refused-by-model', title, detail, 'switch-model', 'retry');
    }
    case 'refused':
      return refusalProblem(failure, exchange, { service, kept, key: keyWords(exchange.key) });
  }
}

/** The problem to show for any thrown error. */
export function problemOf(error: unknown): Problem {
  return ProblemError.is(error) ? error.problem : internal();
}

const internal = (): Problem => ({
  kind: 'internal',
  title: l10n.t('Something went wrong inside Gantry'),
  detail: l10n.t('Your message is kept.'),
  actions: ['retry', 'show-log'],
});

/** Names VS Code's setting and the variable that other programs use. */
const proxySetting = (): string => l10n.t('your proxy (http.proxy in the settings of VS Code, HTTPS_PROXY elsewhere)');

/** Translates the description of an unexpected response. */
function whatCame(what: string): string {
  switch (what) {
    case 'a web page':
      return l10n.t('a web page');
    case 'a redirect':
      return l10n.t('a redirect');
    case 'something that is not HTTP':
      return l10n.t('something that is not HTTP');
    default:
      return l10n.t('something else');
  }
}

function cutTitle(arrived: boolean, silent: string | undefined): string {
  if (silent === undefined) {
    return arrived
      ? l10n.t('The connection broke in the middle of the answer')
      : l10n.t('The connection broke before the answer arrived');
  }
  return arrived
    ? l10n.t('{0} stopped responding in the middle of the answer', silent)
    : l10n.t('{0} stopped responding before the answer arrived', silent);
}

function keptWords({ arrived }: Exchange): string {
  return arrived ? l10n.t('What arrived is kept') : l10n.t('Your message is kept');
}

function serviceWords(exchange: Exchange): string {
  return exchange.baseUrl ? endpointOf(exchange) : 'Google';
}

function baseUrlOf({ baseUrl, address }: Exchange): string {
  return baseUrl?.value ?? address ?? GOOGLE_BASE_URL;
}

function endpointOf(exchange: Exchange): string {
  return hostAndPort(baseUrlOf(exchange));
}

function addressWords({ baseUrl }: Exchange): string {
  return baseUrl ? baseUrl.source : l10n.t('your connection or proxy');
}

function addressActions({ baseUrl }: Exchange): readonly ProblemAction[] {
  return baseUrl ? ['retry', 'open-settings', 'show-log'] : ['retry', 'show-log'];
}

/**
 * Shows the last four characters so that the user recognizes the key, but only if the key is long enough to stay
 * secret.
 */
function keyWords(key: ApiKey | undefined): string | undefined {
  if (!key) return undefined;
  const source = keySourceWords(key.source);
  return key.value.length >= 12
    ? l10n.t('ends in …{0} and comes from {1}', key.value.slice(-4), source)
    : l10n.t('comes from {0}', source);
}
