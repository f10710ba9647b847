import { type Problem, ProblemError } from '../../protocol/problem.ts';
import { KEPT } from '../configuration-problem.ts';
import type { ModelFailure } from '../model-failure.ts';
import { connectionWords } from '../network-error.ts';
import { notExchanged, plain } from './sign-in-problem.ts';
import { type TokenFailure, TokenFailureError } from './token-request.ts';

/** Whose token it is: of the application default credentials, or of whoever signed in. */
export type TokenOwner = 'adc' | 'login';

const GCLOUD = '“gcloud auth application-default login”';

const RENEW: Readonly<Record<TokenOwner, Pick<Problem, 'actions'> & { readonly how: string }>> = {
  adc: { how: `run ${GCLOUD}`, actions: ['retry', 'open-settings'] },
  login: { how: 'sign in again', actions: ['sign-in', 'retry'] },
};

/** What goes wrong while a token is asked for. Nothing of the request is in it. */
export function tokenProblem(error: unknown, owner: TokenOwner): unknown {
  if (!(error instanceof TokenFailureError)) return error;
  return new ProblemError(problemOf(error.failure, error.host, owner), { cause: error });
}

function problemOf(failure: TokenFailure, host: string, owner: TokenOwner): Problem {
  const { how, actions } = RENEW[owner];
  switch (failure.type) {
    case 'no-answer':
      return {
        kind: 'unreachable',
        title: `${host} cannot be reached`,
        detail: `It gives the token that requests need. ${connectionWords(failure.code)}. ${KEPT}; check your connection or proxy, then Retry.`,
        actions: ['retry', 'show-log'],
      };
    case 'unreadable':
      return {
        kind: 'bad-configuration',
        title: `${host} gives no tokens`,
        detail: `It did not answer like a token endpoint (status ${failure.status}). ${KEPT}; check its address, then Retry.`,
        actions: ['open-settings', 'retry', 'show-log'],
      };
    case 'refused':
      break;
  }
  if (failure.status >= 500 || failure.status === 429) {
    return {
      kind: 'server',
      title: `${host} has a problem`,
      detail: `It gives the token that requests need, and answered with status ${failure.status}. ${KEPT}; Retry later.`,
      actions: ['retry', 'show-log'],
    };
  }
  if (isAboutTime(failure)) return wrongClock(failure.aheadMs);
  if (failure.error === 'invalid_grant') {
    return {
      kind: 'bad-credential',
      title: 'You are signed out',
      detail: `${host} does not take the sign-in any more: it has run out, or was withdrawn. ${KEPT}; ${how}, then Retry.`,
      actions,
    };
  }
  return {
    kind: 'bad-credential',
    title: `${host} gave no token`,
    detail: `It answered ${plain(failure.error)} (status ${failure.status})${owner === 'login' ? ', so check gantry.auth.clientId' : ''}. ${KEPT}; ${how}, then Retry.`,
    actions: [...actions, 'show-log'],
  };
}

/**
 * Only what a service account signs has a time in it. Google says so in words: "Invalid JWT: Token must be a short-lived
 * token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim."
 */
function isAboutTime({ description }: Extract<TokenFailure, { type: 'refused' }>): boolean {
  return /\biat\b|reasonable timeframe/i.test(description);
}

function wrongClock(aheadMs: number | undefined): Problem {
  const off =
    aheadMs === undefined
      ? 'off'
      : `${Math.round(Math.abs(aheadMs) / 60_000)} minutes ${aheadMs > 0 ? 'ahead' : 'behind'}`;
  return {
    kind: 'bad-credential',
    title: "This machine's clock is wrong",
    detail: `It is ${off}, so Google takes no sign-in from it. ${KEPT}; set the clock, then Retry.`,
    actions: ['retry'],
  };
}

/** What the model's service says to a token that was just renewed. Undefined for what has nothing to do with it. */
export function tokenRefusal(failure: ModelFailure, owner: TokenOwner, model: string): Problem | undefined {
  if (failure.type !== 'refused') return undefined;
  const { status, error } = failure;
  const { how, actions } = RENEW[owner];
  if (error?.reason === 'ACCESS_TOKEN_SCOPE_INSUFFICIENT') {
    return {
      kind: 'forbidden',
      title: 'The sign-in is not for models',
      detail: `Google answered that it was made for something else (${error.reason}). ${KEPT}; ${how}, allow what is asked for, then Retry.`,
      actions,
    };
  }
  if (status === 401) {
    return {
      kind: 'bad-credential',
      title: 'The sign-in was refused',
      detail: `Google does not take its token, not even a new one. ${KEPT}; ${how}, then Retry.`,
      actions,
    };
  }
  if (status !== 403) return undefined;
  const said = error?.message ? ` Google answered: ${firstSentence(error.message)}.` : '';
  return {
    kind: 'forbidden',
    title: `You may not use ${model}`,
    detail: `The account or its project has no access.${said} ${KEPT}; check gantry.auth.project and the account's roles, or switch the model, then Retry.`,
    actions: ['switch-model', 'open-settings', ...actions],
  };
}

function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (/^.*?(?=[.!?](?:\s|$)|$)/.exec(line)?.[0] ?? '').slice(0, 160);
}

export function noDefaultCredentials(metadataHost: string | undefined): Problem {
  const machine =
    metadataHost === undefined
      ? 'this machine is none of Google Cloud'
      : `the metadata server ${metadataHost} (GCE_METADATA_HOST) does not answer`;
  return {
    kind: 'no-credential',
    title: 'There are no application default credentials',
    detail: `There is no file of gcloud's, GOOGLE_APPLICATION_CREDENTIALS is not set, and ${machine}. ${KEPT}; run ${GCLOUD}, then Retry.`,
    actions: ['retry', 'open-settings'],
  };
}

/** `what` is read after the name of the file. */
export function unusableCredentials(file: string, what: string): Problem {
  return {
    kind: 'bad-credential',
    title: 'The application default credentials are not usable',
    detail: `${file} ${what}. ${KEPT}; run ${GCLOUD}, or correct GOOGLE_APPLICATION_CREDENTIALS, then Retry.`,
    actions: ['retry', 'open-settings'],
  };
}

export function noMachineAccount(status: number): Problem {
  const answered = status > 0 ? ` (status ${status})` : '';
  return {
    kind: 'no-credential',
    title: "This machine's service account gives no token",
    detail: `The metadata server has none for models${answered}. ${KEPT}; give the machine a service account with the scope cloud-platform, then Retry.`,
    actions: ['retry', 'open-settings'],
  };
}

/** The end of signing in: the code was not taken for a token. */
export function exchangeProblem(error: unknown): unknown {
  return error instanceof TokenFailureError ? notExchanged(tokenWords(error)) : error;
}

function tokenWords({ failure, host }: TokenFailureError): string {
  switch (failure.type) {
    case 'no-answer':
      return `${host} cannot be reached. ${connectionWords(failure.code)}`;
    case 'unreadable':
      return `${host} did not answer like a token endpoint (status ${failure.status}), so check gantry.auth.tokenUrl`;
    case 'refused':
      return `${host} answered ${plain(failure.error)} (status ${failure.status}), so check gantry.auth.clientId and gantry.auth.clientSecret`;
  }
}
