import type { ApiError } from './api-error.ts';

/**
 * Hosts of Google's pages about plans, limits and billing, and of its short links. Other hosts of Google show what their
 * users wrote, or redirect to any address.
 */
const HOSTS: ReadonlySet<string> = new Set([
  'ai.google.dev',
  'aistudio.google.com',
  'cloud.google.com',
  'codeassist.google.com',
  'console.cloud.google.com',
  'developers.google.com',
  'goo.gle',
  'one.google.com',
  'support.google.com',
]);

/**
 * The page that Google names in an error for getting a higher limit. Anyone can answer in Google's place (a gateway, a
 * proxy), so only a plain HTTPS address on one of its own hosts counts.
 */
export function upgradePage(error: ApiError | undefined): string | undefined {
  return error?.links?.map(({ url }) => safeAddress(url)).find((address) => address !== undefined);
}

function safeAddress(address: string): string | undefined {
  if (address.length > LONGEST || !URL.canParse(address)) return undefined;
  const { protocol, hostname, port, username, password, href } = new URL(address);
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === '';
  return isPlain && HOSTS.has(hostname) ? href : undefined;
}

const LONGEST = 2000;
