import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { type Db, UNPREPARED } from '#server/db/client.ts';
import { TtlCache } from '#server/kernel/cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { showsGame } from '#server/slices/games/service.ts';
import { CARD_COLUMNS, type CardRow, cards, cardsOf } from './cards.ts';
import type { Shows } from './list.ts';

/** Neighbours in price, to either side, among which the most alike are chosen. */
const NEIGHBOURS = 16;
const ON_SALE = 2;
const OWN_PLAN = sql.raw(UNPREPARED);

/** Share of a goods' attributes that another has in common with it, 0 to 1; numbers count by how near they are. */
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

/** Which goods are alike changes slowly; how many of them are kept, for a busy minute. */
const alike = new WeakMap<Context['db'], TtlCache<number[]>>();
const ALIKE_MS = 60_000;
const MAX_ALIKE = 5_000;
/** More than any page shows, so that some may be sold meanwhile. */
const KEPT = 12;

/** A goods and its neighbours in price, to either side; nothing for a number that nobody may see. */
async function neighbourhood(db: Db, goodsSn: string): Promise<{ goods: CardRow; near: CardRow[] } | undefined> {
  const side = (down: boolean) => {
    const [than, direction] = down ? [sql`<=`, sql`desc`] : [sql`>`, sql``];
    return sql`(select s.goods_id from goods_search s where s.game_id = o.game_id and s.type_id = o.type_id and s.price_fen ${than} o.price_fen
      and s.goods_id <> o.id order by s.price_fen ${direction}, s.goods_id ${direction} limit ${NEIGHBOURS}::int)`;
  };
  const { rows } = await sql<CardRow>`${OWN_PLAN}
    with o as materialized (select id, game_id, type_id, price_fen from goods where sn = ${goodsSn} and status in (2, 3, 4, 5, 7))
    select ${CARD_COLUMNS} from (
      select id from o union all select n.goods_id from o cross join lateral (${side(true)} union all ${side(false)}) n) w
    join goods g on g.id = w.id left join goods_stat st on st.goods_id = g.id`.execute(db);
  const goods = rows.find((row) => row.sn === goodsSn);
  return goods && { goods, near: rows.filter((row) => row !== goods && row.status === ON_SALE) };
}

/** Goods on sale that are most alike, the nearest first. Throws GOODS_NOT_FOUND. */
async function alikeRows(ctx: Context, dist: Shows, goodsSn: string): Promise<CardRow[]> {
  const found = await neighbourhood(ctx.db, goodsSn);
  if (!found || !showsGame(dist, found.goods.gameId)) throw new AppError('GOODS_NOT_FOUND');
  const { goods, near } = found;
  const by = (row: CardRow): number =>
    likeness(goods.attrs, row.attrs) +
    (row.areaId === goods.areaId ? 0.15 : 0) -
    Math.abs(Math.log(row.priceFen / goods.priceFen)) * 0.5;
  return near
    .map((row) => ({ row, by: by(row) }))
    .toSorted((a, b) => b.by - a.by || a.row.id - b.row.id)
    .slice(0, KEPT)
    .map(({ row }) => row);
}

/**
 * Goods on sale that a buyer would compare with this one: of the same game and type, near it in price, most alike first; which they
 * are may be a minute old, what is said of them is not. Throws GOODS_NOT_FOUND.
 */
export async function similarGoods(ctx: Context, dist: Shows, goodsSn: string, limit: number) {
  const kept = alike.get(ctx.db) ?? new TtlCache<number[]>({ ttlMs: ALIKE_MS, max: MAX_ALIKE });
  alike.set(ctx.db, kept);
  const sn = goodsSn.toUpperCase();
  // Who chose them has just read them.
  let fresh: CardRow[] | undefined;
  const ids = await kept.get(`${dist.games?.join() ?? ''}:${sn}`, async () => {
    fresh = await alikeRows(ctx, dist, sn);
    return fresh.map(({ id }) => id);
  });
  if (fresh) return await cardsOf(ctx, fresh.slice(0, limit));
  // Two to spare: what has been sold meanwhile makes no card.
  return (await cards(ctx, ids.slice(0, limit + 2))).slice(0, limit);
}
