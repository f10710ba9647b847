import { foldPath } from '../files/fold-path.ts';

/** The patterns match names as `foldPath` returns them. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(?:\..+)?$/,
  /^[^/]+\.env$/,
  /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|kdb|ppk|gpg|ovpn|tfstate|tfvars)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[-_.].*)?$/,
  /^\.(?:netrc|npmrc|pypirc|pgpass|my\.cnf|htpasswd|git-credentials|vault-token|s3cfg|boto|dockercfg)$/,
  /^_netrc$/,
  /^(?:client[-_]?secrets?|credentials?|service[-_]?accounts?|secrets?)(?:[-_.].*)?\.(?:json|ya?ml|toml|ini|txt|xml|properties)$/,
  /^secrets?\.[^.]+$/,
  /^(?:credentials|\.credentials(?:\.json)?|oauth_creds\.json|application_default_credentials\.json)$/,
];

/** Files that people share to show which values to fill in. */
const TEMPLATE = /\.(?:example|sample|template|dist)$|\.(?:example|sample|template)\.[a-z]+$/;
const PUBLIC_KEY = /^id_[a-z0-9_]+(?:[-_.].*)?\.pub$/;

/** Folders in which everything is a secret. */
const SECRET_FOLDERS = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.password-store', 'keychains']);
const SECRET_PLACES: readonly (readonly [folder: string, name: string])[] = [
  ['.kube', 'config'],
  ['.docker', 'config.json'],
  ['.config', 'gcloud'],
  ['.config', 'gh'],
];

/** Whether a file probably holds keys or passwords, by its name alone. */
export function looksSecret(path: string): boolean {
  const names = foldPath(path);
  const name = names.at(-1) ?? '';
  if (PUBLIC_KEY.test(name)) return false;
  if (names.some((each) => SECRET_FOLDERS.has(each))) return true;
  const isPlaced = SECRET_PLACES.some(([folder, inside]) =>
    names.some((each, index) => each === folder && names[index + 1] === inside),
  );
  return isPlaced || (SECRET_NAMES.some((pattern) => pattern.test(name)) && !TEMPLATE.test(name));
}
