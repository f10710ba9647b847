import { type Problem, type ProblemAction, ProblemError, type ProblemKind } from '../protocol/problem.ts';
import { refusalAdvice, refusalMeaning } from '../protocol/refusal-words.ts';
import { GOOGLE_BASE_URL, hostAndPort } from './base-url.ts';
import { keySourceWords } from './configuration-problem.ts';
import type { ApiKey, BaseUrl } from './credentials.ts';
import type { ModelFailure } from './model-failure.ts';
import { connectionWords, isProxy } from './network-error.ts';
import { refusalProblem } from './refusal-problem.ts';

/** What a failure is told with: where the request went, and whether words of the answer are already on the screen. */
export interface Exchange {
  readonly model: string;
  readonly key?: ApiKey;
  readonly baseUrl?: BaseUrl;
  /** Of Google's own service, when it is another than the Gemini API. */
  readonly address?: string;
  readonly arrived: boolean;
}

/** The two halves of every text: what happened, then what was kept and what can be done. */
export function modelProblem(failure: ModelFailure, exchange: Exchange): Problem {
  const service = serviceWords(exchange);
  const kept = keptWords(exchange);
  const problem = (kind: ProblemKind, title: string, detail: string, ...actions: ProblemAction[]): Problem => {
    return { kind, title, detail, actions };
  };
  switch (failure.type) {
    case 'no-answer': {
      const place = isProxy(failure.code) ? PROXY_SETTING : addressWords(exchange);
      const detail = `${connectionWords(failure.code)}. ${kept}; check ${place}, then Retry.`;
      return problem('unreachable', `${endpointOf(exchange)} cannot be reached`, detail, ...addressActions(exchange));
    }
    case 'not-gemini': {
      const status = failure.status > 0 ? ` (status ${failure.status})` : '';
      const what = `${baseUrlOf(exchange)} answered with ${failure.what}${status} instead of a model's answer`;
      const detail = `${what}. ${kept}; check ${addressWords(exchange)}, then Retry.`;
      return problem('not-gemini', 'The endpoint is not a Gemini API', detail, ...addressActions(exchange));
    }
    case 'cut': {
      const where = exchange.arrived ? 'in the middle of the answer' : 'before the answer came';
      const detail = `${kept}. Retry ${exchange.arrived ? 'goes on from here' : 'sends it again'}.`;
      const what = failure.silent ? `${service} fell silent` : 'The connection broke';
      return problem('stream-cut', `${what} ${where}`, detail, 'retry', 'switch-model', 'show-log');
    }
    case 'unreadable': {
      const detail = `${service} sent something that is not in the format of the Gemini API. ${kept}; ${retryWords(exchange)}.`;
      return problem('bad-stream', 'The answer could not be read', detail, 'retry', 'show-log');
    }
    case 'empty': {
      const reason = failure.finishReason && failure.finishReason !== 'STOP' ? ` (${failure.finishReason})` : '';
      const detail = `${exchange.model} ended without a word${reason}. ${kept}; ${retryWords(exchange)}.`;
      return problem('empty-answer', 'The answer is empty', detail, 'retry', 'switch-model');
    }
    case 'broken-off': {
      const detail = `It ended with ${failure.finishReason}. ${kept}; ${retryWords(exchange)}.`;
      return problem('bad-stream', `${exchange.model} broke off its answer`, detail, 'retry', 'switch-model');
    }
    case 'blocked': {
      const why = `${service} did not let it through: ${refusalMeaning(failure.reason)}`;
      const detail = `${why}. ${kept}; ${refusalAdvice(failure.reason)}.`;
      return problem('refused-by-model', `The ${failure.part} was blocked`, detail, 'switch-model', 'retry');
    }
    case 'refused':
      return refusalProblem(failure, exchange, {
        service,
        kept,
        retry: retryWords(exchange),
        key: keyWords(exchange.key),
      });
  }
}

/** The problem in whatever was thrown. */
export function problemOf(error: unknown): Problem {
  return ProblemError.is(error) ? error.problem : INTERNAL;
}

const INTERNAL: Problem = {
  kind: 'internal',
  title: 'Something went wrong inside Gantry',
  detail: 'Your message is kept; Retry sends it again. The log says more.',
  actions: ['retry', 'show-log'],
};

/** VS Code's, and that of programs beside it. */
const PROXY_SETTING = 'your proxy (http.proxy in the settings of VS Code, HTTPS_PROXY elsewhere)';

function keptWords({ arrived }: Exchange): string {
  return arrived ? 'What arrived is kept' : 'Your message is kept';
}

function retryWords({ arrived }: Exchange): string {
  return arrived ? 'Retry asks for the rest' : 'Retry sends it again';
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
  return baseUrl ? baseUrl.source : 'your connection or proxy';
}

function addressActions({ baseUrl }: Exchange): readonly ProblemAction[] {
  return baseUrl ? ['retry', 'open-settings', 'show-log'] : ['retry', 'show-log'];
}

/** Four characters tell a user which key it is, but only where they leave most of it unsaid. */
function keyWords(key: ApiKey | undefined): string | undefined {
  if (!key) return undefined;
  const end = key.value.length >= 12 ? `ends in …${key.value.slice(-4)} and ` : '';
  return `${end}comes from ${keySourceWords(key.source)}`;
}
