import { isIP } from 'node:net';

/** A host in the form that is compared and connected to: a lowercase ASCII name, or an address without brackets. */
export interface HostTarget {
  readonly host: string;
  readonly port: number;
}

/** A host that the user allows: `example.com`, or all subdomains with `*.example.com`; a port (`:8443`) is optional. */
export interface HostRule {
  readonly host: string;
  readonly isWildcard: boolean;
  /** Undefined for the web ports. */
  readonly port: number | undefined;
}

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]]+)(?::(\d{1,5}))?$/i;
/** Host names have at most 253 characters. */
const MAX_CHARS = 300;

/** Parses `host:port`. Numeric addresses in any notation are normalized as the connecting program understands them. */
export function readTarget(authority: string, defaultPort: number): HostTarget | undefined {
  const [, name = '', port = String(defaultPort)] = (authority.length <= MAX_CHARS && AUTHORITY.exec(authority)) || [];
  const number = Number(port);
  if (name === '' || number < 1 || number > 65_535 || !URL.canParse(`http://${name}`)) return undefined;
  const host = new URL(`http://${name}`).hostname.replace(/^\[|\]$|\.$/g, '');
  // A name with an empty label can't be resolved.
  return host === '' || /^\.|\.\.|\.$/.test(host) ? undefined : { host, port: number };
}

/** Undefined if the text doesn't name a host. */
export function readHostRule(text: string): HostRule | undefined {
  const isWildcard = text.startsWith('*.');
  const authority = (isWildcard ? text.slice(2) : text).trim();
  const target = readTarget(authority, 443);
  if (!target) return undefined;
  const { host } = target;
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(host)) return undefined;
  // Nobody wants to allow everything that ends in ".com".
  if (isWildcard && (isAddress || !host.includes('.'))) return undefined;
  return { host, isWildcard, port: AUTHORITY.exec(authority)?.[2] === undefined ? undefined : target.port };
}

/** The rule that allows a host. A rule for exactly this host takes precedence. */
export function hostRule({ host, port }: HostTarget, rules: readonly HostRule[]): HostRule | undefined {
  const fitting = rules.filter((rule) => (rule.port === undefined ? WEB_PORTS.has(port) : rule.port === port));
  return (
    fitting.find((rule) => !rule.isWildcard && rule.host === host) ??
    fitting.find((rule) => rule.isWildcard && isIP(host) === 0 && host.endsWith(`.${rule.host}`))
  );
}

/** The text of a rule that would allow the host. */
export function targetText({ host, port }: HostTarget): string {
  return WEB_PORTS.has(port) ? inUrl(host) : `${inUrl(host)}:${port}`;
}

export function targetUrl({ host, port }: HostTarget): URL {
  return new URL(`http://${inUrl(host)}:${port}`);
}

function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
