import ipaddr from 'ipaddr.js';

/**
 * Whether an address is one of the public internet. Everything else is somebody's own network, this machine or the
 * metadata service of a cloud, and a web page or a model must not get us to talk to it. What cannot be parsed is not
 * public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv4 ? isPublicIPv4(parsed) : isPublicIPv6(parsed);
}

/** Azure's metadata and DNS live at an address that looks public but never leaves the host (WireServer). */
const WIRE_SERVER = '168.63.129.16';

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== WIRE_SERVER;
}

/** All that IANA has given out for global unicast so far (RFC 4291, the IPv6 address space registry). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** With DNS64 every host that has only IPv4 appears under this prefix, so it is judged by the IPv4 address in it. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address());
  if (address.match(NAT64)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  // 6to4 and Teredo also carry an IPv4 address, but have their own range: they are refused whatever they carry.
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

const LOCAL_NAME = /(?:^|\.)(?:localhost|local|localdomain|internal|home\.arpa)$/;

/** Names that mean something only in one's own network. Their addresses are not even looked up. */
export function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  return !name.includes('.') || LOCAL_NAME.test(name);
}

/** Of the metadata service of a cloud, though it lies among those that companies give out themselves. */
const METADATA_V6 = ipaddr.IPv6.parse('fd00:ec2::254').toString();

/** Whether an address is one that a company or a home gives to its own machines. Neither this machine nor a cloud's metadata is. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ['private', 'uniqueLocal'].includes(parsed.range()) && parsed.toString() !== METADATA_V6;
}
