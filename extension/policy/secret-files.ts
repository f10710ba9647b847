const SECRET_NAME =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)(?:\..+)?|credentials(?:\.json)?|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/i;
const SECRET_FOLDER = /^(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker)$/i;
/** Made to be shared: what to fill in, and the public half of a pair. */
const HARMLESS = /^(?:\.env\.(?:example|sample|template|dist|defaults?)|.+\.pub)$/i;

/** Whether a file is likely to hold keys or passwords, by its path alone. */
export function looksSecret(path: string): boolean {
  const names = path.split(/[\\/]/);
  const name = names.at(-1) ?? '';
  if (HARMLESS.test(name)) return false;
  return SECRET_NAME.test(name) || names.slice(0, -1).some((folder) => SECRET_FOLDER.test(folder));
}
