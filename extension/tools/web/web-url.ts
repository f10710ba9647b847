import { isIP } from 'node:net';
import { isLocalName, isPublicAddress } from './public-address.ts';

/** Longer URLs are used to exfiltrate data, not to name pages. Browsers have a similar limit. */
const MAX_URL_CHARS = 8192;

/** Ports from 1024 up of other protocols, which must not receive text through us (WHATWG Fetch, bad ports). */
const PORTS_OF_OTHERS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

export type ParsedUrl = { readonly url: URL } | { readonly problem: string };

/** Parses and normalizes a URL: numeric addresses in their usual form, names in ASCII, no fragment. */
export function parseWebUrl(text: string, base?: URL): ParsedUrl {
  if (text.length > MAX_URL_CHARS) return { problem: `The URL is longer than ${MAX_URL_CHARS} characters.` };
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined;
  if (!url) return { problem: 'It is not a valid URL. Write it in full, with https://.' };
  const problem = schemeProblem(url) ?? portProblem(url);
  if (problem !== undefined) return { problem };
  url.hash = '';
  return { url };
}

/** The reason why a URL may not be requested, as far as it is known without resolving the name. */
export function hostProblem(url: URL, isAllowed: (address: string) => boolean = isPublicAddress): string | undefined {
  const host = bareHost(url);
  const isPublic = isIP(host) === 0 ? !isLocalName(host) : isAllowed(host);
  return isPublic ? undefined : `${url.host} is not on the public internet. Only public web pages can be fetched.`;
}

/** The host without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Whether a redirect stays on the approved site: with or without `www.`, and from http to https, but never back. */
export function isSameSite(from: URL, to: URL): boolean {
  if (siteName(from) !== siteName(to)) return false;
  if (from.protocol === to.protocol) return from.port === to.port;
  return from.protocol === 'http:' && from.port === '' && to.port === '';
}

/** GitHub's page for a file contains much besides the file, so the raw file is fetched instead. */
export function toRawUrl(url: URL): URL {
  const blob = url.host === 'github.com' && /^\/([^/]+)\/([^/]+)\/blob\/(.+)$/.exec(url.pathname);
  return blob ? new URL(`https://raw.githubusercontent.com/${blob[1]}/${blob[2]}/${blob[3]}`) : url;
}

function siteName(url: URL): string {
  return url.hostname.replace(/^www\./, '').replace(/\.$/, '');
}

function schemeProblem(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'Only http:// and https:// URLs can be fetched.';
  return url.username || url.password ? 'URLs with a user name or password are not fetched.' : undefined;
}

function portProblem({ port }: URL): string | undefined {
  const number = Number(port);
  const isWeb = port === '' || number === 80 || number === 443;
  return isWeb || (number >= 1024 && !PORTS_OF_OTHERS.has(number)) ? undefined : `Port ${port} is not a web port.`;
}
