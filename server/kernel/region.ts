import IP2Region from 'ip2region';
import { isLocalAddress, networkLabel } from './network.ts';

let finder: IP2Region | undefined;

/** Endings that say no more than the name does. */
const ENDING = /(省|市|特别行政区|壮族自治区|回族自治区|维吾尔自治区|自治区)$/;
const short = (name: string): string => name.replace(ENDING, '');

/**
 * Where an address is by the public table of networks: '广东深圳', '北京', a country's name abroad, '' where nothing is known. The table is
 * the package's own (no request leaves the machine) and takes about 11 MB once somebody asks. A guess, good for telling one's own log-ins
 * from a stranger's, and for nothing else (decision 222).
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

/** The place and the hidden address together, for people who know where they were: '广东深圳 120.229.*.*'. */
export function originLabel(address: string): string {
  return [regionOf(address), networkLabel(address)].filter(Boolean).join(' ');
}
