import * as l10n from '@vscode/l10n';
import { type Problem, type ProblemAction, ProblemError } from '../../protocol/agent/problem.ts';
import type { ModelFailure } from '../model-failure.ts';
import { connectionWords } from '../network-error.ts';
import { kept } from './configuration-problem.ts';
import { type TokenFailure, TokenFailureError } from './token-request.ts';

/** The origin of a token: application default credentials or a sign-in. */
export type TokenOwner = 'adc' | 'login';

const GCLOUD = '"gcloud auth application-default login"';

const RENEW: Readonly<Record<TokenOwner, Pick<Problem, 'actions'> & { readonly how: () => string }>> = {
  adc: { how: () => l10n.t('Run {0}', GCLOUD), actions: ['retry', 'open-settings'] },
  login: { how: () => l10n.t('Sign in again'), actions: ['sign-in', 'retry'] },
};

/** The problem of a failed token request. It contains nothing of the request. */
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
        title: l10n.t('{0} cannot be reached', host),
        detail: l10n.t(
          'It issues the token that requests need. {0}. {1}. Check your connection or proxy.',
          connectionWords(failure.code),
          kept(),
        ),
        actions: ['retry', 'show-log'],
      };
    case 'unreadable':
      return {
        kind: 'bad-configuration',
        title: l10n.t('{0} is not a token endpoint', host),
        detail: l10n.t('Its answer (status {0}) has no token. {1}. Check its address.', failure.status, kept()),
        actions: ['open-settings', 'retry', 'show-log'],
      };
    case 'refused':
      break;
  }
  if (failure.status >= 500 || failure.status === 429) {
    return {
      kind: 'server',
      title: l10n.t('{0} has a problem', host),
      detail: l10n.t(
        'It issues the token that requests need, and answered with status {0}. {1}. Try again later.',
        failure.status,
        kept(),
      ),
      actions: ['retry', 'show-log'],
    };
  }
  if (isAboutTime(failure)) return wrongClock(failure.aheadMs);
  if (failure.error === 'invalid_grant') {
    return {
      kind: 'bad-credential',
      title: l10n.t('You are signed out'),
      detail: l10n.t(
        '{0} no longer accepts the sign-in: it has expired or was withdrawn. {1}. {2}.',
        host,
        kept(),
        how(),
      ),
      actions,
    };
  }
  return {
    kind: 'bad-credential',
    title: l10n.t('{0} did not issue a token', host),
    detail:
      owner === 'login'
        ? l10n.t(
            'It answered {0} (status {1}), so check gantry.auth.clientId. {2}. {3}.',
            plain(failure.error),
            failure.status,
            kept(),
            how(),
          )
        : l10n.t('It answered {0} (status {1}). {2}. {3}.', plain(failure.error), failure.status, kept(), how()),
    actions: [...actions, 'show-log'],
  };
}

/**
 * Only the assertions of service accounts contain a time. Google reports the problem in the message: "Invalid JWT:
 * Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the
 * JWT claim."
 */
function isAboutTime({ description }: Extract<TokenFailure, { type: 'refused' }>): boolean {
  return /\biat\b|reasonable timeframe/i.test(description);
}

function wrongClock(aheadMs: number | undefined): Problem {
  const off = clockWords(aheadMs);
  return {
    kind: 'bad-credential',
    title: l10n.t("This machine's clock is wrong"),
    detail: l10n.t('{0}, so Google accepts no sign-in from it. {1}. Set the clock.', off, kept()),
    actions: ['retry'],
  };
}

function clockWords(aheadMs: number | undefined): string {
  if (aheadMs === undefined) return l10n.t('It shows the wrong time');
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return aheadMs > 0 ? l10n.t('It is {0} minutes ahead', minutes) : l10n.t('It is {0} minutes behind', minutes);
}

/** The problem if the model's service rejects a token that was just renewed. Undefined for unrelated failures. */
export function tokenRefusal(failure: ModelFailure, owner: TokenOwner, model: string): Problem | undefined {
  if (failure.type !== 'refused') return undefined;
  const { status, error } = failure;
  const { how, actions } = RENEW[owner];
  if (error?.reason === 'ACCESS_TOKEN_SCOPE_INSUFFICIENT') {
    return {
      kind: 'forbidden',
      title: l10n.t('The sign-in does not cover models'),
      detail: l10n.t(
        'Google answered that it was made for another purpose ({0}). {1}. {2}, and grant the requested access.',
        error.reason,
        kept(),
        how(),
      ),
      actions,
    };
  }
  if (status === 401) {
    return {
      kind: 'bad-credential',
      title: l10n.t('The sign-in was refused'),
      detail: l10n.t('Google does not accept its token, not even a new one. {0}. {1}.', kept(), how()),
      actions,
    };
  }
  if (status !== 403) return undefined;
  const detail = error?.message
    ? l10n.t(
        "The account or its project has no access. Google answered: {0}. {1}. Check the project (gantry.auth.project or GOOGLE_CLOUD_PROJECT) and the account's roles.",
        firstSentence(error.message),
        kept(),
      )
    : l10n.t(
        "The account or its project has no access. {0}. Check the project (gantry.auth.project or GOOGLE_CLOUD_PROJECT) and the account's roles.",
        kept(),
      );
  return {
    kind: 'forbidden',
    title: l10n.t('You do not have access to {0}', model),
    detail,
    actions: [...new Set<ProblemAction>(['switch-model', 'open-settings', ...actions])],
  };
}

function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (/^.*?(?=[.!?](?:\s|$)|$)/.exec(line)?.[0] ?? '').slice(0, 160);
}

export function noDefaultCredentials(metadataHost: string | undefined): Problem {
  const machine =
    metadataHost === undefined
      ? l10n.t('this machine is not in Google Cloud')
      : l10n.t('the metadata server {0} (GCE_METADATA_HOST) does not answer', metadataHost);
  return {
    kind: 'no-credential',
    title: l10n.t('There are no application default credentials'),
    detail: l10n.t(
      'gcloud has not stored any credentials, GOOGLE_APPLICATION_CREDENTIALS is not set, and {0}. {1}. Run {2}.',
      machine,
      kept(),
      GCLOUD,
    ),
    actions: ['retry', 'open-settings'],
  };
}

/** `what` follows the name of the file in the sentence. */
export function unusableCredentials(file: string, what: string): Problem {
  return {
    kind: 'bad-credential',
    title: l10n.t('The application default credentials cannot be used'),
    detail: l10n.t('{0} {1}. {2}. Run {3}, or correct GOOGLE_APPLICATION_CREDENTIALS.', file, what, kept(), GCLOUD),
    actions: ['retry', 'open-settings'],
  };
}

export function noMachineAccount(status: number): Problem {
  const detail =
    status > 0
      ? l10n.t(
          'The metadata server has no token for models (status {0}). {1}. Give the machine a service account with the scope cloud-platform.',
          status,
          kept(),
        )
      : l10n.t(
          'The metadata server has no token for models. {0}. Give the machine a service account with the scope cloud-platform.',
          kept(),
        );
  return {
    kind: 'no-credential',
    title: l10n.t("This machine's service account has no token"),
    detail,
    actions: ['retry', 'open-settings'],
  };
}

/** The problem if the code could not be exchanged for a token. */
export function exchangeProblem(error: unknown): unknown {
  return error instanceof TokenFailureError ? notExchanged(tokenWords(error)) : error;
}

function tokenWords({ failure, host }: TokenFailureError): string {
  switch (failure.type) {
    case 'no-answer':
      return l10n.t('{0} cannot be reached. {1}', host, connectionWords(failure.code));
    case 'unreadable':
      return l10n.t(
        '{0} did not answer like a token endpoint (status {1}), so check gantry.auth.tokenUrl',
        host,
        failure.status,
      );
    case 'refused':
      return l10n.t(
        '{0} answered {1} (status {2}), so check gantry.auth.clientId and gantry.auth.clientSecret',
        host,
        plain(failure.error),
        failure.status,
      );
  }
}

/** The problem of a failed sign-in. `why` is a sentence without its full stop. */
export function notExchanged(why: string): ProblemError {
  return new ProblemError({
    kind: 'bad-credential',
    title: l10n.t('Sign-in failed'),
    detail: l10n.t('{0}. Nothing was changed.', why),
    actions: ['sign-in', 'open-settings'],
  });
}

/** Returns OAuth's error code if it is well-formed. Other text is not shown. */
export function plain(error: string): string {
  return /^[a-z_]{1,60}$/.test(error) ? error : l10n.t('an error');
}
