import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { UNNAMED } from '#server/db/client.ts';
import { Answers } from '#server/kernel/cache.ts';
import { AppError } from '#server/kernel/errors.ts';
import { showsGame } from '#server/slices/games/service.ts';
import { CARD_COLUMNS, type CardRow, cardRows, cards } from './cards.ts';
import type { Shows } from './list.ts';

/** Neighbours in price, to either side, among which the most alike are chosen. */
const NEIGHBOURS = 16;
const OWN_PLAN = sql.raw(UNNAMED);

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
const alike = new WeakMap<Context['db'], Answers<number[]>>();
const ALIKE_MS = 60_000;
const MAX_ALIKE = 5_000;
/** More than any page shows, so that some may be sold meanwhile. */
const KEPT = 12;

/** Ids of the goods on sale that are most alike, the nearest first. Throws GOODS_NOT_FOUND. */
async function alikeIds(ctx: Context, dist: Shows, goodsSn: string): Promise<number[]> {
  const { rows } = await sql<CardRow>`select ${CARD_COLUMNS} from goods g left join goods_stat st on st.goods_id = g.id
    where g.sn = ${goodsSn} and g.status in (2, 3, 4, 5, 7)`.execute(ctx.db);
  const goods = rows[0];
  if (!goods || !showsGame(dist, goods.gameId)) throw new AppError('GOODS_NOT_FOUND');
  const side = (down: boolean) => {
    const [than, direction] = down ? [sql`<=`, sql`desc`] : [sql`>`, sql``];
    return sql`(select goods_id, price_fen from goods_search where game_id = ${goods.gameId}::int and type_id = ${goods.typeId}::smallint
      and price_fen ${than} ${goods.priceFen}::bigint and goods_id <> ${goods.id}::bigint order by price_fen ${direction}, goods_id ${direction} limit ${NEIGHBOURS}::int)`;
  };
  const near = await sql<{
    goods_id: number;
    price_fen: number;
  }>`${OWN_PLAN} ${side(true)} union all ${side(false)}`.execute(ctx.db);
  const found = await cardRows(
    ctx.db,
    near.rows.map((r) => r.goods_id),
    true,
  );
  const by = (row: CardRow): number =>
    likeness(goods.attrs, row.attrs) +
    (row.areaId === goods.areaId ? 0.15 : 0) -
    Math.abs(Math.log(row.priceFen / goods.priceFen)) * 0.5;
  return found
    .map((row) => ({ id: row.id, by: by(row) }))
    .toSorted((a, b) => b.by - a.by || a.id - b.id)
    .slice(0, KEPT)
    .map(({ id }) => id);
}

/**
 * Goods on sale that a buyer would compare with this one: of the same game and type, near it in price, most alike first; which they
 * are may be a minute old, what is said of them is not. Throws GOODS_NOT_FOUND.
 */
export async function similarGoods(ctx: Context, dist: Shows, goodsSn: string, limit: number) {
  const kept = alike.get(ctx.db) ?? new Answers<number[]>({ ttlMs: ALIKE_MS, max: MAX_ALIKE });
  alike.set(ctx.db, kept);
  const sn = goodsSn.toUpperCase();
  const ids = await kept.get(`${dist.games?.join() ?? ''}:${sn}`, () => alikeIds(ctx, dist, sn));
  // Two to spare: what has been sold meanwhile makes no card.
  return (await cards(ctx, ids.slice(0, limit + 2))).slice(0, limit);
}
