import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { OpenRange } from '#subjects/providers/rules/opening-hours.ts';
import type { Trx } from '#server/db/client.ts';
import { decodeKeyAndId, encodeCursor } from '#server/kernel/cursor.ts';

/** An offer with its region and shop, for lists and pages. */
export interface OfferRow {
  id: number;
  sn: string;
  sellerId: number;
  providerId: number;
  gameId: number;
  areaId: number;
  areaName: string;
  serverId: number | null;
  serverName: string | null;
  camp: string | null;
  coinType: number;
  unit: string;
  lotUnits: number;
  lotPriceFen: number;
  unitPriceMicro: number;
  stock: number;
  minLots: number;
  maxLots: number;
  delivery: number[];
  shipMinutes: number;
  title: string;
  note: string;
  status: number;
  version: number;
  soldLots: number;
  updatedAt: Date;
  shopName: string;
  shopAvatar: string | null;
  shopOnline: boolean;
  shopHours: OpenRange[] | null;
  shopDone: number;
  shopRatingSum: number;
  shopRatingCount: number;
  averageShipMinutes: number | null;
  depositName: string | null;
}

const COLUMNS = sql`c.id, c.sn, c.seller_id as "sellerId", c.provider_id as "providerId", c.game_id as "gameId", c.area_id as "areaId", a.name as "areaName",
  c.server_id as "serverId", s.name as "serverName", c.camp, c.coin_type as "coinType", c.unit, c.lot_units as "lotUnits", c.lot_price_fen as "lotPriceFen",
  c.unit_price_micro as "unitPriceMicro", c.stock, c.min_lots as "minLots", c.max_lots as "maxLots", to_jsonb(c.delivery) as delivery,
  c.ship_minutes as "shipMinutes", c.title, c.note, c.status, c.version, c.sold_lots as "soldLots", c.updated_at as "updatedAt",
  p.name as "shopName", p.avatar as "shopAvatar", p.done_count as "shopDone", p.rating_sum as "shopRatingSum", p.rating_count as "shopRatingCount",
  (p.online and u.last_seen_at > now() - interval '24 hours' and provider_open(p.profile, now())) as "shopOnline", p.profile->'hours' as "shopHours",
  (select round(extract(epoch from avg(o.shipped_at - o.paid_at)) / 60)::int from (select shipped_at, paid_at from orders
    where seller_id = c.seller_id and type_id = ${sql.lit(OrderType.QuickCoin)} and shipped_at is not null order by id desc limit 50) o) as "averageShipMinutes",
  (select l.name from deposit_level l where l.role = 'shop' and l.amount_fen <= deposit_counted(c.seller_id, 'shop')
    order by l.level desc limit 1) as "depositName"`;

const FROM = sql`quick_coin_offer c join provider p on p.id = c.provider_id join app_user u on u.id = c.seller_id
  join game_area a on a.id = c.area_id left join game_server s on s.id = c.server_id`;

/** One offer by its number, in any state except removed. */
export async function offerBySn(db: Trx, sn: string): Promise<OfferRow | undefined> {
  const { rows } =
    await sql<OfferRow>`select ${COLUMNS} from ${FROM} where c.sn = ${sn} and c.status <> ${sql.lit(CoinOfferStatus.Removed)}`.execute(
      db,
    );
  return rows[0];
}

export type StorefrontSort = 'unitPrice' | 'stock' | 'speed' | 'sold';

/** The column and direction of a sort; the id makes the order unique. */
const SORTS: Readonly<Record<StorefrontSort, { key: RawBuilder<unknown>; field: keyof OfferRow; falls: boolean }>> = {
  unitPrice: { key: sql`c.unit_price_micro`, field: 'unitPriceMicro', falls: false },
  stock: { key: sql`c.stock`, field: 'stock', falls: true },
  speed: { key: sql`c.ship_minutes`, field: 'shipMinutes', falls: false },
  sold: { key: sql`c.sold_lots`, field: 'soldLots', falls: true },
};

export interface StorefrontQuery {
  games: readonly number[] | null;
  gameId: number | undefined;
  areaId: number | undefined;
  serverId: number | undefined;
  camp: string | undefined;
  coinType: number | undefined;
  delivery: number | undefined;
  num: number | undefined;
  online: boolean;
  sort: StorefrontSort;
  cursor: string | undefined;
  limit: number;
  offset: number;
}

type Filters = Omit<StorefrontQuery, 'sort' | 'cursor' | 'limit' | 'offset'>;
const NO_FILTERS = { camp: undefined, num: undefined, online: false };

function storefrontConditions(q: Filters): RawBuilder<unknown>[] {
  const parts = [
    sql`c.status = ${sql.lit(CoinOfferStatus.OnSale)} and c.stock > 0 and c.stock >= c.min_lots and p.status = 'approved'`,
  ];
  if (q.games) parts.push(sql`c.game_id = any(${[...q.games]}::int[])`);
  if (q.gameId !== undefined) parts.push(sql`c.game_id = ${q.gameId}`);
  if (q.areaId !== undefined) parts.push(sql`c.area_id = ${q.areaId}`);
  // An offer without a server serves its whole area.
  if (q.serverId !== undefined) parts.push(sql`(c.server_id = ${q.serverId} or c.server_id is null)`);
  if (q.camp !== undefined) parts.push(sql`c.camp = ${q.camp}`);
  if (q.coinType !== undefined) parts.push(sql`c.coin_type = ${q.coinType}`);
  if (q.delivery !== undefined) parts.push(sql`${q.delivery}::smallint = any(c.delivery)`);
  if (q.num !== undefined) parts.push(sql`${q.num} between c.min_lots and least(c.max_lots, c.stock)`);
  if (q.online)
    parts.push(sql`p.online and u.last_seen_at > now() - interval '24 hours' and provider_open(p.profile, now())`);
  return parts;
}

const MATCHED = 120;

/** The offers of an area that may be combined, the cheapest unit first; never the caller's own. */
export async function matchableOffers(
  db: Trx,
  q: Pick<StorefrontQuery, 'games' | 'serverId' | 'delivery'> & {
    gameId: number;
    areaId: number;
    coinType: number;
    askerId: number | null;
  },
): Promise<OfferRow[]> {
  const all = storefrontConditions({ ...NO_FILTERS, ...q });
  if (q.askerId !== null) all.push(sql`c.seller_id <> ${q.askerId}`);
  const { rows } = await sql<OfferRow>`select ${COLUMNS} from ${FROM} where ${sql.join(all, sql` and `)}
    order by c.unit_price_micro, c.id limit ${MATCHED}`.execute(db);
  return rows;
}

const COUNTED = 1000;

/** A page of the storefront, stable while offers change; counted up to 1,000. */
export async function storefront(
  db: Trx,
  q: StorefrontQuery,
): Promise<{ rows: OfferRow[]; next: string | null; total: number; totalCapped: boolean }> {
  const { key, field, falls } = SORTS[q.sort];
  const from = decodeKeyAndId(q.cursor);
  const all = storefrontConditions(q);
  const page = from
    ? [...all, falls ? sql`(${key}, c.id) < (${from[0]}, ${from[1]})` : sql`(${key}, c.id) > (${from[0]}, ${from[1]})`]
    : all;
  const direction = sql.raw(falls ? 'desc' : 'asc');
  const [result, counted] = await Promise.all([
    sql<OfferRow>`select ${COLUMNS} from ${FROM} where ${sql.join(page, sql` and `)} order by ${key} ${direction}, c.id ${direction}
      limit ${q.limit + 1} offset ${from ? 0 : q.offset}`.execute(db),
    sql<{
      n: number;
    }>`select count(*)::int as n from (select from ${FROM} where ${sql.join(all, sql` and `)} limit ${COUNTED + 1}) x`.execute(
      db,
    ),
  ]);
  const rows = result.rows.slice(0, q.limit);
  const last = rows.at(-1);
  const n = counted.rows[0]?.n ?? 0;
  return {
    rows,
    next: result.rows.length > q.limit && last ? encodeCursor([Number(last[field]), last.id]) : null,
    total: Math.min(n, COUNTED),
    totalCapped: n > COUNTED,
  };
}

/** Currencies that a game's live offers are in. */
export async function coinTypes(db: Trx, gameId: number): Promise<{ id: number; unit: string }[]> {
  const { rows } = await sql<{ id: number; unit: string }>`
    select distinct on (coin_type) coin_type as id, unit from quick_coin_offer where game_id = ${gameId} and status = ${sql.lit(CoinOfferStatus.OnSale)} and stock > 0 order by coin_type, id`.execute(
    db,
  );
  return rows;
}

/** A shop's own offers, newest first, with the number in each state. */
export async function ownOffers(
  db: Trx,
  q: {
    userId: number;
    gameId: number | undefined;
    areaId: number | undefined;
    status: number | undefined;
    from: number | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ rows: OfferRow[]; next: string | null; counts: Record<string, number> }> {
  const all = [sql`c.seller_id = ${q.userId} and c.status <> ${sql.lit(CoinOfferStatus.Removed)}`];
  if (q.gameId !== undefined) all.push(sql`c.game_id = ${q.gameId}`);
  if (q.areaId !== undefined) all.push(sql`c.area_id = ${q.areaId}`);
  const page = [...all];
  if (q.status !== undefined) page.push(sql`c.status = ${q.status}`);
  if (q.from !== undefined) page.push(sql`c.id < ${q.from}`);
  const { rows } =
    await sql<OfferRow>`select ${COLUMNS} from ${FROM} where ${sql.join(page, sql` and `)} order by c.id desc
    limit ${q.limit + 1} offset ${q.from === undefined ? q.offset : 0}`.execute(db);
  const counted = await sql<{ status: number; n: number }>`
    select c.status, count(*)::int as n from quick_coin_offer c where ${sql.join(all, sql` and `)} group by 1`.execute(
    db,
  );
  const counts: Record<string, number> = { all: 0 };
  for (const { status, n } of counted.rows) {
    counts[String(status)] = n;
    counts.all = (counts.all ?? 0) + n;
  }
  const pageRows = rows.slice(0, q.limit);
  const last = pageRows.at(-1);
  return { rows: pageRows, next: rows.length > q.limit && last ? encodeCursor([last.id]) : null, counts };
}
