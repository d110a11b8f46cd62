import { z } from 'zod';

const LONGEST_PREFIX = { v4: 32, v6: 128 } as const;
/** A network of half the address space or more is no restriction. */
const MIN_PREFIX = { v4: 16, v6: 32 } as const;

/** The version of an IP address; undefined for a text that is none. */
function versionOf(address: string): 'v4' | 'v6' | undefined {
  if (z.ipv4().safeParse(address).success) return 'v4';
  return z.ipv6().safeParse(address).success ? 'v6' : undefined;
}

/** The error in an address or network (1.2.3.4, 1.2.3.0/24, 2001:db8::/48) in an allow list; undefined for a valid one. */
export function networkError(input: string): string | undefined {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(input) ?? [];
  const version = versionOf(address);
  if (version === undefined || Number(prefix ?? 0) > LONGEST_PREFIX[version])
    return '请填写 IP 地址或网段，如 203.0.113.7 或 203.0.113.0/24';
  if (prefix === undefined) return undefined;
  return Number(prefix) < MIN_PREFIX[version] ? `网段太大，至少写到 /${MIN_PREFIX[version]}` : undefined;
}
