import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** Of eight, so many groups name the network; the rest is the customer's own to choose. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/**
 * Whom an address is counted as: itself where it is of version 4 (also written in 6), its /64 in version 6, of which one customer has all
 * 18 quintillion addresses. Anything else is itself.
 */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [before = '', after] = (address.split('%')[0] ?? '').split('::');
  const groups = before === '' ? [] : before.split(':');
  if (after !== undefined) {
    const last = after === '' ? [] : after.split(':');
    groups.push(...Array<string>(Math.max(0, GROUPS - groups.length - last.length)).fill('0'), ...last);
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
