import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { isRoute, ladderOf, type Route } from '#subjects/services/rules/rank-ladder.ts';
import type { Context } from '#server/context.ts';
import { catalogue } from '#subjects/games/server/service.ts';

/** Maximum number of listings in a list of boosting. */
const MAX_ROUTED = 10_000;

/**
 * The boosting listings of a game from one rank to another, or whose range contains both, by active boosters: exact
 * routes first, then the cheapest by the price of the smallest order. Both the game's list and the side-by-side
 * comparison use these.
 */
export async function boostingGoods(ctx: Context, gameId: number, wanted: Route): Promise<number[]> {
  const ladder = ladderOf((await catalogue(ctx)).fieldsOf(gameId));
  if (!isRoute(ladder, wanted)) return [];
  const ranks = ladder.map(({ value }) => value);
  const startsAt = ranks.slice(0, ranks.indexOf(wanted.from) + 1);
  const endsAt = ranks.slice(ranks.indexOf(wanted.to));
  const { rows } = await sql<{ goodsId: number }>`
    select k.goods_id as "goodsId" from service_package k join goods g on g.id = k.goods_id join provider p on p.id = k.provider_id
    where k.game_id = ${gameId} and k.type_id = ${sql.lit(OrderType.Boosting)} and k.rank_from = any(${startsAt}::int[]) and k.rank_to = any(${endsAt}::int[])
      and g.status = ${sql.lit(GoodsStatus.OnSale)} and p.status = 'approved'
    order by (k.rank_from = ${wanted.from} and k.rank_to = ${wanted.to}) desc, k.price_fen * k.min_units, k.id limit ${MAX_ROUTED}`.execute(
    ctx.db,
  );
  return rows.map(({ goodsId }) => goodsId);
}
