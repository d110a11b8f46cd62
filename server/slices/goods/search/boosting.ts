import { sql } from 'kysely';
import { includesRoute, ladderOf, type Route } from '#contract/rules/rank-ladder.ts';
import type { Context } from '#server/context.ts';
import { catalogue } from '#server/slices/games/service.ts';

/** The listings of boosting of a game that lead from rank to rank, or beyond both. */
export async function boostingGoods(ctx: Context, gameId: number, wanted: Route): Promise<number[]> {
  const { rows } = await sql<Route & { goodsId: number }>`
    select k.goods_id as "goodsId", k.rank_from as "from", k.rank_to as "to" from service_package k join goods g on g.id = k.goods_id
    where k.game_id = ${gameId} and k.rank_from is not null and k.rank_to is not null and g.status = 2 order by k.goods_id limit 2000`.execute(
    ctx.db,
  );
  const ladder = ladderOf((await catalogue(ctx)).fieldsOf(gameId));
  return rows.filter((route) => includesRoute(ladder, route, wanted)).map(({ goodsId }) => goodsId);
}
