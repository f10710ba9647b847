import * as l10n from '@vscode/l10n';

/** Google's own endpoint, used when the user configures no base URL. */
export const GOOGLE_BASE_URL = 'https://generativelanguage.googleapis.com/';

/**
 * What is wrong with a base URL, worded to follow the name of its setting. The text never repeats the value, which may
 * contain a secret.
 */
export function baseUrlProblem(value: string): string | undefined {
  const url = parsed(value);
  if (!url || !['http:', 'https:'].includes(url.protocol) || !url.hostname)
    return l10n.t('is not an http or https URL');
  if (url.username || url.password) return l10n.t('has a user name or a password in it');
  // The API's path is appended, so anything after the path would end up in its middle.
  if (url.search || url.hash) return l10n.t('has a query or a fragment in it');
  return undefined;
}

/** Whether a key would be sent unencrypted over the network: plain http to any host but this machine. */
export function carriesKeyInTheClear(baseUrl: string): boolean {
  const url = parsed(baseUrl);
  return !url || (url.protocol === 'http:' && !isLoopback(url.hostname));
}

/**
 * Whether a Google token may be sent there: only to Google and to this machine. Such a token grants access to far more
 * than a model.
 */
export function takesGoogleTokens(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return isLoopback(hostname) || (protocol === 'https:' && /(?:^|\.)googleapis\.com$/.test(hostname));
}

/** A cache: the address is checked for every request and rarely changes. */
let last: { readonly value: string; readonly url: URL | undefined } | undefined;

function parsed(value: string): URL | undefined {
  if (last?.value !== value) last = { value, url: URL.canParse(value) ? new URL(value) : undefined };
  return last.url;
}

/** Host and port in the form that a user would search for, e.g. `127.0.0.1:8080`. */
export function hostAndPort(baseUrl: string): string {
  const { protocol, hostname, port } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`;
}

/** The URL parser has already turned `127.1`, `0x7f000001` and `[0:0::1]` into these forms. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}
