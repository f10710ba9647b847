import * as l10n from '@vscode/l10n';

/** What a found secret is, by the word that stands in its placeholder, and as the model is told. */
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

/** The same for people, in their language. */
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

/** Where a secret is in a text. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
}

/** The surer one, where two kinds are found at the same place. */
export function surer(left: SecretKind, right: SecretKind): SecretKind {
  return ORDER.indexOf(left) <= ORDER.indexOf(right) ? left : right;
}

const ORDER = Object.keys(SECRET_KINDS);
