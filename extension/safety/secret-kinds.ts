/** What a found secret is, by the word that stands in its placeholder, and as people are told. */
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
