import type { Environment } from '../vendor-request.ts';
import { guarded, type VendorRegistry } from '#server/kernel/vendors.ts';
import { ENGINE_CALLS, type SearchEngine } from '#server/ports/search-engine.ts';
import { groonga } from './groonga.ts';
import { openSearch } from './opensearch.ts';

/** The default alias of an OpenSearch address without one. */
const ALIAS = 'youshi_goods';

/** The engine of an address (`SEARCH_URL`); undefined without one. */
export function engineAt(address: string | undefined, environment: Environment): SearchEngine | undefined {
  if (address === undefined) return undefined;
  const [kind = '', ...rest] = address.split('+');
  const url = new URL(rest.join('+'));
  if (kind === 'groonga') return groonga(`${url.protocol}//${url.host}`, environment);
  return openSearch(url.href, url.pathname.replaceAll('/', '') || ALIAS, environment);
}

/** The search engine behind its own circuit breaker. */
export function openSearchEngine(
  { registry, environment }: { registry: VendorRegistry; environment: Environment },
  address: string | undefined,
): SearchEngine | undefined {
  const engine = engineAt(address, environment);
  if (!engine) return undefined;
  const label = engine.name === 'groonga' ? 'Groonga' : 'OpenSearch';
  const vendor = registry.add({ key: `search.${engine.name}`, label, subject: '商品搜索', state: 'on' });
  return guarded(engine, vendor, ENGINE_CALLS);
}
