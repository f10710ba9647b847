import { lookup as systemLookup } from 'node:dns/promises';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { bareHost } from './web-url.ts';

/** Resolves all addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const resolveWithSystem: Resolve = async (hostname) => {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * Connects to one of these addresses and no other, even if the name resolves differently by now. The certificate is
 * checked against the name, even if the environment disables that.
 */
export function connectPinned(url: URL, addresses: readonly string[], ca?: string): Socket {
  const host = bareHost(url);
  const isTls = url.protocol === 'https:';
  const port = Number(url.port || (isTls ? 443 : 80));
  const target = { host, port, lookup: lookupAmong(addresses), autoSelectFamily: true };
  if (!isTls) return connect(target);
  const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : '';
  return connectTls({ ...target, servername, rejectUnauthorized: true, ...(ca !== undefined && { ca }) });
}

function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, { all }, callback) => {
    const [first] = found;
    if (all || !first) callback(first ? null : new Error('No address'), found);
    else callback(null, first.address, first.family);
  };
}
