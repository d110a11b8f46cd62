import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

/**
 * Which connections to a database, Redis or a search engine may go without TLS: those inside this machine, and those to hosts that
 * PRIVATE_NETWORKS names (ASVS 12.3; decision 538).
 */

const NAME = /^(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i;

function isEntry(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  if (rest.length > 0) return false;
  const family = isIP(address);
  if (bits === undefined) return family !== 0 || NAME.test(entry);
  return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Part of server/config/config.ts. */
export const privateEnv = {
  PRIVATE_NETWORKS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
    .refine((entries) => entries.every(isEntry), '应为逗号分隔的主机名、地址或网段，如 database,10.0.0.0/8'),
};

/** Whether a host is one of the named ones: by name (also `*.internal`), by address or by network. */
export function isPrivateHost(host: string, networks: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const family = isIP(name);
  const list = new BlockList();
  for (const entry of networks) {
    const [address = '', bits] = entry.split('/');
    const kind = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) !== 0 && bits !== undefined) list.addSubnet(address, Number(bits), kind);
    else if (isIP(address) !== 0) list.addAddress(address, kind);
    else if (entry.startsWith('*.') ? name.endsWith(entry.slice(1).toLowerCase()) : name === entry.toLowerCase())
      return true;
  }
  return family !== 0 && list.check(name, family === 6 ? 'ipv6' : 'ipv4');
}

const LOCAL = /^(?:|localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i;
/** Modes of a PostgreSQL address that refuse a connection without TLS. */
const SAFE_MODES = new Set(['require', 'verify-ca', 'verify-full']);

/**
 * Whether a connection leaves this machine in plain text. A PostgreSQL address without a host, or with a folder as `host`, is a socket of
 * this machine.
 */
export function isPlainAcross(address: string, networks: readonly string[]): boolean {
  const url = new URL(address.replace(/^(?:groonga|opensearch)\+/, ''));
  const host = url.hostname || (url.searchParams.get('host') ?? '');
  if (LOCAL.test(host) || host.startsWith('/') || host.startsWith('%2F') || isPrivateHost(host, networks)) return false;
  if (url.protocol.startsWith('postgres')) return !SAFE_MODES.has(url.searchParams.get('sslmode') ?? '');
  return !['rediss:', 'https:'].includes(url.protocol);
}
