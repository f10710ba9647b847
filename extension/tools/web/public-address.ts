import ipaddr from 'ipaddr.js';
import { once } from '../../base/once.ts';

/**
 * Whether an address belongs to the public internet. Any other address is a private network, this machine or the
 * metadata service of a cloud, and a web page or a model must not make us connect to it. An invalid address is not
 * public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? isPublicIPv4(parsed) : isPublicIPv6(parsed);
}

/** Azure's metadata and DNS service (WireServer) has an address that looks public but never leaves the host. */
const WIRE_SERVER = '168.63.129.16';

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== WIRE_SERVER;
}

/** All addresses that IANA has allocated for global unicast so far (RFC 4291, the IPv6 address space registry). */
const globalUnicast = once((): [ipaddr.IPv6, number] => [ipaddr.IPv6.parse('2000::'), 3]);

/** With DNS64, every host that only has IPv4 appears under this prefix, so the IPv4 address in it is checked. */
const nat64 = once((): [ipaddr.IPv6, number] => [ipaddr.IPv6.parse('64:ff9b::'), 96]);

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address());
  if (address.match(nat64())) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  // 6to4 and Teredo also contain an IPv4 address, but have their own range: they are refused whatever they contain.
  return address.range() === 'unicast' && address.match(globalUnicast());
}

const LOCAL_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|home\.arpa)$/;

/** Names that are only valid in a local network. Their addresses are not even resolved. */
export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  return !name.includes('.') || LOCAL_NAME.test(name);
}

/** The metadata service of a cloud, although its address is in a range for private networks. */
const METADATA_V6 = 'fd00:ec2::254';

/** Whether an address is in a range for private networks. This machine and a cloud's metadata service don't count. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ['private', 'uniqueLocal'].includes(parsed.range()) && parsed.toString() !== METADATA_V6;
}
