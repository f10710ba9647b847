/** Names that hold keys and passwords by custom. The templates that go with them are made to be read. */
const SECRET =
  /^(\.env(\..+)?|.+\.env|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|\.git-credentials|credentials(\.json)?|id_(rsa|dsa|ecdsa|ed25519)|.+\.(pem|key|p12|pfx|jks|keystore|kdbx))$/i;
const TEMPLATE = /(^|[.\-_])(example|sample|template|dist|defaults?)(\.|$)/i;

/** Whether a file's name says that it holds a secret. */
export function looksSecret(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return SECRET.test(name) && !TEMPLATE.test(name);
}
