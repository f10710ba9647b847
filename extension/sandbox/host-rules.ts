import { isIP } from 'node:net';

/** A host as it is compared and connected to: a name in ASCII without capitals, or an address without brackets. */
export interface HostTarget {
  readonly host: string;
  readonly port: number;
}

/** What the user allows: `example.com`, all below it as `*.example.com`, either with `:8443`. */
export interface HostRule {
  readonly host: string;
  readonly isWildcard: boolean;
  /** Undefined for those of the web. */
  readonly port: number | undefined;
}

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]]+)(?::(\d{1,5}))?$/i;
/** A name has at most 253. */
const MAX_CHARS = 300;

/** Reads `host:port`. Addresses in any notation become plain, as the program that connects understands them. */
export function readTarget(authority: string, defaultPort: number): HostTarget | undefined {
  const [, name = '', port = String(defaultPort)] = (authority.length <= MAX_CHARS && AUTHORITY.exec(authority)) || [];
  const number = Number(port);
  if (name === '' || number < 1 || number > 65_535 || !URL.canParse(`http://${name}`)) return undefined;
  const host = new URL(`http://${name}`).hostname.replace(/^\[|\]$|\.$/g, '');
  // A name with an empty part can't be looked up.
  return host === '' || /^\.|\.\.|\.$/.test(host) ? undefined : { host, port: number };
}

/** Undefined for what names no host. */
export function readHostRule(text: string): HostRule | undefined {
  const isWildcard = text.startsWith('*.');
  const authority = (isWildcard ? text.slice(2) : text).trim();
  const target = readTarget(authority, 443);
  if (!target) return undefined;
  const { host } = target;
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host)) return undefined;
  // All that ends in ".com" is what nobody means.
  if (isWildcard && (isAddress || !host.includes('.'))) return undefined;
  return { host, isWildcard, port: AUTHORITY.exec(authority)?.[2] === undefined ? undefined : target.port };
}

/** The rule that lets a command reach it, one that names the host itself before others. */
export function hostRule({ host, port }: HostTarget, rules: readonly HostRule[]): HostRule | undefined {
  const fitting = rules.filter((rule) => (rule.port === undefined ? WEB_PORTS.has(port) : rule.port === port));
  return (
    fitting.find((rule) => !rule.isWildcard && rule.host === host) ??
    fitting.find((rule) => rule.isWildcard && isIP(host) === 0 && host.endsWith(`.${rule.host}`))
  );
}

/** As a rule that allows it is written. */
export function targetText({ host, port }: HostTarget): string {
  return WEB_PORTS.has(port) ? inUrl(host) : `${inUrl(host)}:${port}`;
}

export function targetUrl({ host, port }: HostTarget): URL {
  return new URL(`http://${inUrl(host)}:${port}`);
}

function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
