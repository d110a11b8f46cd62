import { BlockList, isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** The first four of eight groups name the network; the customer chooses the rest. */
const NETWORK_GROUPS = 4;
/** Providers assign up to this much to one customer. */
const WIDE_GROUPS = 3;
const GROUPS = 8;

/** The first groups of an IPv6 address in plain form; undefined for anything else. */
function firstGroups(address: string, count: number): string[] | undefined {
  if (MAPPED.test(address) || !isIPv6(address)) return undefined;
  const [before = '', after] = (address.split('%')[0] ?? '').split('::');
  const groups = before === '' ? [] : before.split(':');
  if (after !== undefined) {
    const last = after === '' ? [] : after.split(':');
    groups.push(...Array<string>(Math.max(0, GROUPS - groups.length - last.length)).fill('0'), ...last);
  }
  return groups.slice(0, count).map((group) => Number.parseInt(group, 16).toString(16));
}

/**
 * The network that an address is counted for: an IPv4 address itself (also when mapped to IPv6), and the /64 of an IPv6 address, which
 * belongs to one customer. Anything else is returned unchanged.
 */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const groups = firstGroups(address, NETWORK_GROUPS);
  return groups === undefined ? address : `${groups.join(':')}::/64`;
}

/** The /48 of an IPv6 address, whose 65,536 networks may all belong to one customer; undefined for an IPv4 address. */
export function wideNetworkOf(address: string): string | undefined {
  const groups = firstGroups(address, WIDE_GROUPS);
  return groups && `${groups.join(':')}::/48`;
}

/** An IPv6-mapped IPv4 address as plain IPv4; any other unchanged. */
export const plainAddress = (address: string): string => MAPPED.exec(address)?.[1] ?? address;

const LOCAL = new BlockList();
LOCAL.addSubnet('127.0.0.0', 8);
LOCAL.addSubnet('10.0.0.0', 8);
LOCAL.addSubnet('172.16.0.0', 12);
LOCAL.addSubnet('192.168.0.0', 16);
LOCAL.addSubnet('169.254.0.0', 16);
LOCAL.addAddress('::1', 'ipv6');
LOCAL.addSubnet('fc00::', 7, 'ipv6');
LOCAL.addSubnet('fe80::', 10, 'ipv6');

/**
 * Whether an address belongs to this machine or a private network (RFC 1918, RFC 4193, link-local). Anything that is not an address
 * counts as local.
 */
export function isLocalAddress(address: string): boolean {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return LOCAL.check(plain);
  return !isIPv6(plain) || LOCAL.check(plain, 'ipv6');
}

/** Whether a host to listen on is reachable only from this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** Addresses that no Internet host has: own, reserved, documentation, multicast, and IPv6 that wraps an IPv4 address. */
const RESERVED_V4 = new BlockList();
const RESERVED_V6 = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['100.64.0.0', 10],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  RESERVED_V4.addSubnet(net, bits);
for (const [net, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  RESERVED_V6.addSubnet(net, bits, 'ipv6');

/** Whether an address can belong to an Internet host. Anything that is not an address cannot. */
export function isPublicAddress(address: string): boolean {
  const plain = plainAddress(address.split('%')[0] ?? '');
  if (isLocalAddress(plain)) return false;
  // Two lists: a combined list would find each IPv4 address in the range of IPv6-mapped ones.
  return isIPv4(plain) ? !RESERVED_V4.check(plain) : !RESERVED_V6.check(plain, 'ipv6');
}

/** An address as shown to its own user: the first half, the rest masked. */
export function networkLabel(address: string): string {
  if (isLocalAddress(address)) return '本机或局域网';
  const plain = plainAddress(address);
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 2).join('.')}.*.*`;
  return `${networkOf(plain).split(':').slice(0, 2).join(':')}:*`;
}
