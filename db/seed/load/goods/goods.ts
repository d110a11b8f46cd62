import { GoodsStatus } from '#contract/rules/statuses.ts';
import { accountIdentity } from '#server/kernel/account-identity.ts';
import { accountTypes } from '#subjects/orders/rules/order-types.ts';
import { showValue } from '#subjects/games/rules/attr-text.ts';
import { mixSeed } from '../../generate/random.ts';
import { columns, insertRows } from '../bulk.ts';
import { type Market, staffId } from '../market.ts';
import type { MarketGoods } from './market-goods.ts';
import { searchColumns, searchRow } from './search.ts';
import { gameOf } from './values.ts';

const GOODS_COLUMNS = columns(
  `id bigint, dist_id int, seller_id bigint, game_id int, type_id smallint, area_id int, server_id int, title text, description text,
  price_fen bigint, stock int, attrs jsonb, pictures jsonb, fingerprint bytea, account_near bytea, account_hint text, source text, official boolean, bargain_ok boolean,
  guarantee_ok boolean, inspected_at timestamptz, status smallint, review_note text, refreshed_at timestamptz, created_at timestamptz,
  updated_at timestamptz`,
);
const STAT_COLUMNS = columns('goods_id bigint, game_id int, views int, follows int');
const EVENT_COLUMNS = columns('goods_id bigint, kind text, actor text, detail jsonb, created_at timestamptz');
const INSPECTION_COLUMNS = columns(
  'goods_id bigint, field text, label text, value text, reader text, read_at timestamptz',
);

const HOUR = 3_600_000;
const INSPECTED_FIELDS = 6;

/** The number of goods, as the database makes it of their id (goods_sn). */
export function goodsSn(id: number): string {
  const letter = String.fromCodePoint(65 + ((Math.floor(id / 10_000_000) + 18) % 26));
  return `Y${letter}${String(((id % 10_000_000) * 7_368_787) % 10_000_000).padStart(7, '0')}`;
}

/** The log-in of a listed account, 'demo' and the number of its goods: its sealed forms name the same. */
export const demoAccount = (goodsId: number): string => `demo${goodsSn(goodsId)}`;

const isAccount = (g: MarketGoods): boolean => accountTypes.includes(g.seed.goodsTypeId);
/** Inspections of listings on sale are still valid: they were repeated within this number of days. */
const RECENT_DAYS = 26;

function inspectedAt(market: Market, g: MarketGoods): Date | null {
  if (!g.seed.inspected || g.status === GoodsStatus.Draft) return null;
  const first = g.createdAt.getTime() + 2 * HOUR;
  if (g.status !== GoodsStatus.OnSale) return new Date(first);
  const anew = market.now.getTime() - (1 + (g.id % (RECENT_DAYS * 24))) * HOUR;
  return new Date(Math.min(Math.max(first, anew), market.now.getTime()));
}

function sourceOf(g: MarketGoods): string | null {
  const field = gameOf(g.seed.gameId).fields.find((f) => f.key === 'account_source');
  const text = field ? showValue(field, g.seed.attrs.account_source) : '';
  return text === '' ? null : text;
}

function goodsRow(market: Market, g: MarketGoods): unknown[] {
  const { seed } = g;
  const account = isAccount(g);
  const identity = account ? accountIdentity(market.keys, seed.gameId, demoAccount(g.id)) : null;
  return [
    g.id,
    g.distId,
    g.sellerId,
    seed.gameId,
    seed.goodsTypeId,
    seed.areaId,
    seed.serverId,
    seed.title,
    seed.description,
    seed.priceFen,
    (g.status === GoodsStatus.Locked || g.status === GoodsStatus.Sold) && !account ? 0 : seed.stock,
    seed.attrs,
    Array.from({ length: seed.pictureCount }, () => ({ art: String(seed.artSeed) })),
    identity?.print ?? null,
    identity?.near ?? null,
    identity?.hint ?? null,
    sourceOf(g),
    seed.official,
    seed.bargainOk,
    seed.guaranteeOk,
    inspectedAt(market, g),
    g.status,
    g.reviewNote,
    g.refreshedAt,
    g.createdAt,
    g.refreshedAt,
  ];
}

/** Rows of the inspectors' readings: the fields that its card shows, each with who and when. */
function inspectionRows(market: Market, g: MarketGoods): unknown[][] {
  const at = inspectedAt(market, g);
  if (at === null) return [];
  const name = mixSeed(market.seed, g.id, 51) % 2 === 0 ? '验号员 阿正' : '验号员 小宁';
  return gameOf(g.seed.gameId)
    .fields.filter((f) => f.goodsTypes.includes(g.seed.goodsTypeId) && f.kind !== 'text')
    .flatMap((field) => {
      const value = showValue(field, g.seed.attrs[field.key]);
      const reader = field.kind === 'range' ? '系统读取' : name;
      return value === '' ? [] : [[g.id, field.key, field.label, value, reader, at]];
    })
    .slice(0, INSPECTED_FIELDS);
}

function eventRows(market: Market, g: MarketGoods): unknown[][] {
  const seller = `user:${g.sellerId}`;
  const reviewer = `staff:${staffId(market, 'shenhe')}`;
  const reviewed = new Date(g.createdAt.getTime() + HOUR / 2);
  const rows: unknown[][] = g.status === GoodsStatus.Draft ? [] : [[g.id, 'published', seller, {}, g.createdAt]];
  if (g.status === GoodsStatus.Rejected) rows.push([g.id, 'rejected', reviewer, { note: g.reviewNote }, reviewed]);
  else if (g.status > GoodsStatus.Reviewing) rows.push([g.id, 'approved', reviewer, {}, reviewed]);
  const at = inspectedAt(market, g);
  if (at !== null && g.status > GoodsStatus.Reviewing) rows.push([g.id, 'inspected', reviewer, {}, at]);
  if (g.status === GoodsStatus.OffSale) rows.push([g.id, 'off', seller, {}, g.refreshedAt]);
  if (g.status === GoodsStatus.Sold) rows.push([g.id, 'sold', 'system', {}, g.refreshedAt]);
  return rows;
}

/** Stores goods with everything that hangs on them: counters, events, inspections, and the search row of those on sale. */
export async function storeGoods(market: Market, goods: readonly MarketGoods[]): Promise<void> {
  const { client } = market;
  await insertRows(
    client,
    'goods',
    GOODS_COLUMNS,
    goods.map((g) => goodsRow(market, g)),
  );
  await insertRows(
    client,
    'goods_search',
    searchColumns,
    goods.filter((g) => g.status === GoodsStatus.OnSale).map((g) => searchRow(g, market.buyerBp)),
  );
  await insertRows(
    client,
    'goods_stat',
    STAT_COLUMNS,
    goods.map((g) => [g.id, g.status === GoodsStatus.OnSale ? g.seed.gameId : null, g.seed.viewCount, g.follows]),
  );
  await insertRows(
    client,
    'goods_event',
    EVENT_COLUMNS,
    goods.flatMap((g) => eventRows(market, g)),
  );
  await insertRows(
    client,
    'inspection',
    INSPECTION_COLUMNS,
    goods.flatMap((g) => inspectionRows(market, g)),
  );
}
