const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$|\/)|(?=$|\/))){4}(?:\/(3[0-2]|[12]?\d))?$/;
const IPV6 = /^[0-9a-f:]{2,39}(?:\/(12[0-8]|1[01]\d|\d?\d))?$/i;
/** A network of half the address space or more is no restriction. */
const MIN_PREFIX = { v4: 16, v6: 32 } as const;

/** The error in an address or network (1.2.3.4, 1.2.3.0/24, 2001:db8::/48) in an allow list; undefined for a valid one. */
export function networkError(input: string): string | undefined {
  const v4 = IPV4.exec(input);
  const v6 = v4 === null && input.includes(':') ? IPV6.exec(input) : null;
  const found = v4 ?? v6;
  if (!found) return '请填写 IP 地址或网段，如 203.0.113.7 或 203.0.113.0/24';
  if (found[1] === undefined) return undefined;
  const least = v4 ? MIN_PREFIX.v4 : MIN_PREFIX.v6;
  return Number(found[1]) < least ? `网段太大，至少写到 /${least}` : undefined;
}
