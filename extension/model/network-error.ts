import * as l10n from '@vscode/l10n';

const WORDS: readonly (readonly [codes: RegExp, words: () => string])[] = [
  [/^ECONNREFUSED$/, () => l10n.t('The connection was refused')],
  [/^(?:ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/, () => l10n.t('The host name could not be resolved')],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT)$/, () => l10n.t('It did not answer in time')],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, () => l10n.t('The connection was closed before an answer arrived')],
  [/^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, () => l10n.t('There is no network route to it')],
  [/^PROXY_407$/, () => l10n.t('The proxy requires you to sign in')],
  [/^PROXY_/, () => l10n.t('The proxy could not forward the request')],
  [/CERT|SIGNATURE|^ERR_TLS/, () => l10n.t('Its certificate is not trusted')],
  [/^(?:EPROTO|ERR_SSL)/, () => l10n.t('It does not support https on this port')],
];

/** Why no answer came, from the code of Node's or undici's error. */
export function connectionWords(code: string): string {
  return WORDS.find(([codes]) => codes.test(code))?.[1]() ?? l10n.t('The connection failed');
}

export function isProxy(code: string): boolean {
  return code.startsWith('PROXY_');
}

/** The code for a response with status 407. */
export const PROXY_SIGN_IN = 'PROXY_407';

/** A proxy's response to CONNECT, which undici reports only in the message. */
const TUNNEL = /^Proxy response \((\d{3})\) !== 200/;

/** The code of a failed request, found in the causes of fetch's "fetch failed". */
export function networkCode(error: unknown): string {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
    const [, refusal] = TUNNEL.exec(inner.message) ?? [];
    if (refusal !== undefined) return `PROXY_${refusal}`;
    if ('code' in inner && typeof inner.code === 'string') return inner.code;
    // The fetch standard turns a 407 into this error, and no other failure of such a request looks like it.
    if (depth > 0 && inner.message === '' && inner.cause === undefined) return PROXY_SIGN_IN;
    // Another extension may have installed its own version of undici, whose parser gives no code.
    if (inner.name === 'HTTPParserError') return 'HPE_UNKNOWN';
  }
  return 'unknown';
}
