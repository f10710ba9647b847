import * as l10n from '@vscode/l10n';

/** What was replaced before it was sent to the model, or before an answer of the model was shown, stored and run. */
export interface LeftOutData {
  /** The kind and location of each secret, for display. */
  readonly secrets: readonly { readonly what: string; readonly where: string }[];
  /** The number of hidden characters that were made visible. */
  readonly hidden: number;
  readonly inAnswer?: boolean;
}

/** A sentence such as "2 secrets were removed before sending (GitHub token in .env, password in .env)". */
export function leftOutText({ secrets, hidden, inAnswer = false }: LeftOutData): string {
  return [
    ...(secrets.length > 0 ? [secretsText(secrets, inAnswer)] : []),
    ...(hidden > 0 ? [hiddenText(hidden, inAnswer)] : []),
  ].join('; ');
}

function secretsText(secrets: LeftOutData['secrets'], inAnswer: boolean): string {
  const named = secrets
    .slice(0, MOST_NAMED)
    .map(({ what, where }) => l10n.t('{0} in {1}', what, where))
    .join(', ');
  const more = secrets.length - MOST_NAMED;
  const all = more > 0 ? l10n.t('{0}, and {1} more', named, more) : named;
  if (inAnswer) {
    return secrets.length === 1
      ? l10n.t('1 secret was replaced in the answer ({0})', all)
      : l10n.t('{0} secrets were replaced in the answer ({1})', secrets.length, all);
  }
  return secrets.length === 1
    ? l10n.t('1 secret was removed before sending ({0})', all)
    : l10n.t('{0} secrets were removed before sending ({1})', secrets.length, all);
}

function hiddenText(count: number, inAnswer: boolean): string {
  if (inAnswer) {
    return count === 1
      ? l10n.t('1 hidden character was made visible in the answer')
      : l10n.t('{0} hidden characters were made visible in the answer', count);
  }
  return count === 1
    ? l10n.t('1 hidden character was made visible to the model')
    : l10n.t('{0} hidden characters were made visible to the model', count);
}

const MOST_NAMED = 4;
