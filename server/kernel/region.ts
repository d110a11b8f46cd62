import { createRequire } from 'node:module';
import type * as ip2region from 'ip2region';
import { isLocalAddress, networkLabel } from './network.ts';

// Node's import of this CommonJS package nests `default` twice; its data files are stored next to the module.
const { default: IP2Region } = createRequire(import.meta.url)('ip2region') as typeof ip2region;

// oxlint-disable-next-line caches/of-context -- a table of the package, which does not change
let finder: InstanceType<typeof IP2Region> | undefined;

/** Suffixes that add no information to the name. */
const ENDING = /(省|市|特别行政区|壮族自治区|回族自治区|维吾尔自治区|自治区)$/;
const short = (name: string): string => name.replace(ENDING, '');

/**
 * Location of an address by the public table of networks: '广东深圳', '北京', a country's name abroad, '' when unknown. The table is part of
 * the package (no request leaves the machine) and takes about 11 MB once used. An estimate, only meant to tell a user's own log-ins from a
 * stranger's (decision 222).
 */
export function regionOf(address: string): string {
  if (isLocalAddress(address)) return '';
  finder ??= new IP2Region();
  const region = finder.search(address.replace(/^::ffff:/i, ''));
  if (!region) return '';
  const [country, province, city] = [region.country, short(region.province), short(region.city)];
  if (country !== '中国') return country;
  return [...new Set([province, city])].filter(Boolean).join('') || country;
}

/** Location and masked address for the user's own log-ins: '广东深圳 120.229.*.*'. */
export function originLabel(address: string): string {
  return [regionOf(address), networkLabel(address)].filter(Boolean).join(' ');
}
