export type StorefrontSort = 'unitPrice' | 'stock' | 'speed' | 'sold';

/** The storefront's state, as in its URL. */
export interface StorefrontState {
  gid: number | null;
  areaId: number | null;
  serverId: number | null;
  quickCoinType: number | null;
  delivery: number | null;
  num: number | null;
  /** Units of coin to collect from several shops. */
  amount: number | null;
  online: boolean;
  sort: StorefrontSort;
}

export const STOREFRONT_SORTS: readonly (readonly [StorefrontSort, string])[] = [
  ['unitPrice', '单价最低'],
  ['speed', '发货最快'],
  ['sold', '成交最多'],
  ['stock', '库存最多'],
];

const NUMBERS = ['gid', 'areaId', 'serverId', 'quickCoinType', 'delivery', 'num', 'amount'] as const;

/** Parses the query. A malformed number is ignored; an unknown sort falls back to the first. */
export function parseStorefront(query: URLSearchParams): StorefrontState {
  const number = (name: (typeof NUMBERS)[number]): number | null => {
    const text = query.get(name);
    if (text === null || text === '') return null;
    return /^\d{1,9}$/.test(text) ? Number(text) : null;
  };
  const sort = STOREFRONT_SORTS.find(([value]) => value === query.get('sort'))?.[0] ?? 'unitPrice';
  return {
    gid: number('gid'),
    areaId: number('areaId'),
    serverId: number('serverId'),
    quickCoinType: number('quickCoinType'),
    delivery: number('delivery'),
    num: number('num'),
    amount: number('amount') || null,
    online: query.get('online') === '1',
    sort,
  };
}

/** URL of a storefront; defaults are left out. */
export function storefrontPath(state: StorefrontState): string {
  const query = new URLSearchParams();
  for (const name of NUMBERS) {
    const value = state[name];
    if (value !== null) query.set(name, String(value));
  }
  if (state.online) query.set('online', '1');
  if (state.sort !== 'unitPrice') query.set('sort', state.sort);
  return query.size > 0 ? `/fastGold/fastGoldOrder?${query}` : '/fastGold/fastGoldOrder';
}

/** The parameters kept in the search for the remaining amount, in addition to game and area. */
export const REST_FIELDS = ['serverId', 'quickCoinType', 'delivery'] as const;

/** URL of an offer's order form; for a part of an amount it starts with the part's lots, and links back to the remaining amount. */
export function partPath(part: { quickCoinSn: string; num: number; units: number }, state: StorefrontState): string {
  const left = (state.amount ?? 0) - part.units;
  const query = new URLSearchParams({ num: String(part.num) });
  if (left > 0) {
    query.set('left', String(left));
    for (const name of REST_FIELDS) if (state[name] !== null) query.set(name, String(state[name]));
  }
  return `/fastGold/${part.quickCoinSn}/order?${query}`;
}

/** Input of the matching; null until an area and an amount are chosen. */
export function matchInput({ gid, areaId, serverId, quickCoinType, delivery, amount }: StorefrontState) {
  if (gid === null || areaId === null || amount === null) return null;
  return {
    gameId: gid,
    areaId,
    units: amount,
    ...(serverId !== null && { serverId }),
    ...(quickCoinType !== null && { quickCoinType }),
    ...(delivery !== null && { delivery }),
  };
}

/** Input of the endpoint for one page of a storefront. */
export function storefrontInput(state: StorefrontState, cursor?: string | null) {
  return {
    pageSize: 20,
    sort: state.sort,
    ...(state.gid !== null && { gameId: state.gid }),
    ...(state.areaId !== null && { areaId: state.areaId }),
    ...(state.serverId !== null && { serverId: state.serverId }),
    ...(state.quickCoinType !== null && { quickCoinType: state.quickCoinType }),
    ...(state.delivery !== null && { delivery: state.delivery }),
    ...(state.num !== null && state.num >= 1 && state.num <= 100_000 && { num: state.num }),
    ...(state.online && { online: '1' as const }),
    ...(cursor && { cursor }),
  };
}
