import * as l10n from '@vscode/l10n';

/** The kinds of secrets, by their names in placeholders, with descriptions for the model. */
export const SECRET_KINDS = {
  'model-key': 'your own model key',
  'private-key': 'private key',
  'google-key': 'Google key',
  'github-token': 'GitHub token',
  'gitlab-token': 'GitLab token',
  'aws-key': 'AWS key',
  'slack-token': 'Slack token',
  'stripe-key': 'Stripe key',
  'npm-token': 'npm token',
  'api-key': 'API key',
  jwt: 'signed token (JWT)',
  password: 'password',
  secret: 'secret value',
  'random-text': 'text that looks like a key',
} as const;

export type SecretKind = keyof typeof SECRET_KINDS;

/** The description of a kind in the user's language. */
export function secretKindText(kind: SecretKind): string {
  switch (kind) {
    case 'model-key':
      return l10n.t('your own model key');
    case 'private-key':
      return l10n.t('private key');
    case 'google-key':
      return l10n.t('Google key');
    case 'github-token':
      return l10n.t('GitHub token');
    case 'gitlab-token':
      return l10n.t('GitLab token');
    case 'aws-key':
      return l10n.t('AWS key');
    case 'slack-token':
      return l10n.t('Slack token');
    case 'stripe-key':
      return l10n.t('Stripe key');
    case 'npm-token':
      return l10n.t('npm token');
    case 'api-key':
      return l10n.t('API key');
    case 'jwt':
      return l10n.t('signed token (JWT)');
    case 'password':
      return l10n.t('password');
    case 'secret':
      return l10n.t('secret value');
    case 'random-text':
      return l10n.t('text that looks like a key');
  }
}

/** The position of a secret in a text. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
}

/** The more certain of two kinds that were found at the same position. */
export function surer(left: SecretKind, right: SecretKind): SecretKind {
  return ORDER.indexOf(left) <= ORDER.indexOf(right) ? left : right;
}

const ORDER = Object.keys(SECRET_KINDS);
