/** Names with these endings hold a secret: `DB_PASSWORD`, `apiKey`, `"client-secret"`, but not `passwordField`. */
const SECRET_ENDINGS = [
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'token',
  'apikey',
  'api key',
  'access key',
  'account key',
  'auth key',
  'encryption key',
  'license key',
  'master key',
  'private key',
  'secret key',
  'service key',
  'signing key',
  'storage key',
  'secret key base',
  'credential',
  'credentials',
];

/** `PWD` by itself is the working directory in every shell. */
const HARMLESS_NAMES: ReadonlySet<string> = new Set(['pwd', 'oldpwd']);

/** A cache, because texts repeat the same names again and again. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 1000;

export function isSecretName(name: string): boolean {
  const isSecret = known.get(name) ?? endsAsSecret(name);
  if (known.size >= MOST_KNOWN) known.clear();
  // A longer name is not worth its place.
  if (name.length <= 100) known.set(name, isSecret);
  return isSecret;
}

function endsAsSecret(name: string): boolean {
  const words = wordsOf(name);
  if (HARMLESS_NAMES.has(words)) return false;
  return SECRET_ENDINGS.some((ending) => words === ending || words.endsWith(` ${ending}`));
}

/** Many tokens are not secret, such as those of a parser or of a page of results. */
export function isTokenName(name: string): boolean {
  return wordsOf(name).endsWith('token');
}

export function isPassphraseName(name: string): boolean {
  return wordsOf(name).endsWith('passphrase');
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .replace(/[ 0-9]+$/, '')
    .trim()
    .toLowerCase();
}
