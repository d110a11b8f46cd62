import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { type Db, UNPREPARED } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { showsGame } from '#subjects/games/server/service.ts';
import { bandOf } from '../prices/references.ts';
import { CARD_COLUMNS, CARD_JOINS, type CardRow, cards, loadCards } from './cards.ts';
import type { VisibleGames } from './list.ts';

/** Number of neighbours in price, on each side, to choose from. */
const NEIGHBOURS = 16;
const OWN_PLAN = sql.raw(UNPREPARED);

/** Similarity of two listings' attributes, 0 to 1; numbers by their ratio. */
export function likeness(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): number {
  const keys = Object.keys(a).filter((k) => b[k] !== undefined && b[k] !== null);
  if (keys.length === 0) return 0;
  const of = (x: unknown, y: unknown): number => {
    if (typeof x === 'number' && typeof y === 'number')
      return x === y ? 1 : Math.min(Math.abs(x), Math.abs(y)) / Math.max(Math.abs(x), Math.abs(y), 1);
    if (Array.isArray(x) && Array.isArray(y)) {
      const shared = x.filter((v) => y.includes(v)).length;
      return shared === 0 ? 0 : shared / (x.length + y.length - shared);
    }
    return x === y ? 1 : 0;
  };
  return keys.reduce((sum, k) => sum + of(a[k], b[k]), 0) / keys.length;
}

/** Ids of similar listings, which change slowly. */
const alike = cacheKind('goods.similar', () => new TtlCache<number[]>({ ttlMs: 60_000, max: 5_000 }));
/** More than any page shows, because some may be sold meanwhile. */
const MAX_SIMILAR = 12;

/**
 * A listing and its neighbours in price, on both sides; neighbours of its reference price when its own price is an
 * outlier. Undefined when the listing is not public.
 */
async function neighbourhood(db: Db, goodsSn: string): Promise<{ goods: CardRow; near: CardRow[] } | undefined> {
  const neighbours = (down: boolean) => {
    const [than, direction] = down ? [sql`<=`, sql`desc`] : [sql`>`, sql``];
    return sql`(select s.goods_id from goods_search s where s.game_id = o.game_id and s.type_id = o.type_id and s.price_fen ${than} o.price_fen
      and s.goods_id <> o.id order by s.price_fen ${direction}, s.goods_id ${direction} limit ${NEIGHBOURS}::int)`;
  };
  const { rows } = await sql<CardRow>`${OWN_PLAN}
    with o as materialized (select g.id, g.game_id, g.type_id,
        case when g.price_fen * 2 < r.typical_fen or g.price_fen > 2 * r.typical_fen then r.typical_fen else g.price_fen end as price_fen
      from goods g left join goods_reference r on r.goods_id = g.id where g.sn = ${goodsSn} and g.status in (${sql.lit(GoodsStatus.OnSale)}, ${sql.lit(GoodsStatus.OffSale)}, ${sql.lit(GoodsStatus.Locked)}, ${sql.lit(GoodsStatus.Sold)}, ${sql.lit(GoodsStatus.Hidden)}))
    select ${CARD_COLUMNS} from (
      select id from o union all select n.goods_id from o cross join lateral (${neighbours(true)} union all ${neighbours(false)}) n) w
    join goods g on g.id = w.id ${CARD_JOINS}`.execute(db);
  const goods = rows.find((row) => row.sn === goodsSn);
  return (
    goods && {
      goods,
      near: rows.filter((row) => row !== goods && row.status === GoodsStatus.OnSale && bandOf(row)?.outlier !== true),
    }
  );
}

/** The most similar listings on sale, most similar first. Throws GOODS_NOT_FOUND. */
async function alikeRows(ctx: Context, dist: VisibleGames, goodsSn: string): Promise<CardRow[]> {
  const hood = await neighbourhood(ctx.db, goodsSn);
  if (!hood || !showsGame(dist, hood.goods.gameId)) throw new AppError('GOODS_NOT_FOUND');
  const { goods, near } = hood;
  const anchorFen = bandOf(goods)?.outlier === true ? (goods.typicalFen ?? goods.priceFen) : goods.priceFen;
  const by = (row: CardRow): number =>
    likeness(goods.attrs, row.attrs) +
    (row.areaId === goods.areaId ? 0.15 : 0) -
    Math.abs(Math.log(row.priceFen / anchorFen)) * 0.5;
  return near
    .map((row) => ({ row, by: by(row) }))
    .toSorted((a, b) => b.by - a.by || a.row.id - b.row.id)
    .slice(0, MAX_SIMILAR)
    .map(({ row }) => row);
}

/**
 * Listings on sale that a buyer would compare with this one: of the same game and type, near in price, most similar
 * first, no outliers. The selection may be a minute old; the data is current. Throws GOODS_NOT_FOUND.
 */
export async function similarGoods(ctx: Context, dist: VisibleGames, goodsSn: string, limit: number) {
  const sn = goodsSn.toUpperCase();
  // Set when this call has just chosen the listings: their rows are then already read.
  let chosen: CardRow[] | undefined;
  const ids = await cacheOf(ctx, alike).get(`${dist.games?.join() ?? ''}:${sn}`, async () => {
    chosen = await alikeRows(ctx, dist, sn);
    return chosen.map(({ id }) => id);
  });
  if (chosen) return await loadCards(ctx, dist, chosen.slice(0, limit));
  // Two extra, because those sold meanwhile yield no card.
  return (await cards(ctx, dist, ids.slice(0, limit + 2))).slice(0, limit);
}
