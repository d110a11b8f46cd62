import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { boostRoutes } from '#subjects/services/contract/boosting.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { isRoute, type Rank, type Route } from '../../rules/rank-ladder.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import type { Trx } from '#server/db/client.ts';

type Guide = HandlerResult<typeof boostRoutes>['guide'];

/** Minimum number of prices for a range. */
const MIN_DEALS = 5;
const MIN_PACKAGES = 3;
const DEAL_DAYS = 90;
/** Maximum number of packages of a game used for prices. */
const MAX_PACKAGES = 1000;
/** Number of suggested routes. */
const POPULAR = 3;

interface Prices {
  low: number;
  typical: number;
  high: number;
  samples: number;
}

const labelOf = (ranks: readonly Rank[], rank: number): string =>
  ranks.find(({ value }) => value === rank)?.label ?? '';

/** The middle half of the prices paid for a route: claimed open orders, and finished orders of packages. In fen. */
async function dealPrices(db: Trx, gameId: number, ranks: readonly Rank[], { from, to }: Route): Promise<Prices> {
  const { rows } = await sql<Prices>`
    with deal as (
      select r.goods_fen as fen from boost_request r
      where r.game_id = ${gameId} and r.status = 'taken' and r.scope_kind = 'rank' and split_part(r.from_rank, ' ', 1) = ${labelOf(ranks, from)}
        and split_part(r.to_rank, ' ', 1) = ${labelOf(ranks, to)} and r.created_at > now() - make_interval(days => ${DEAL_DAYS})
      union all
      select o.goods_fen from service_package k join service_order s on s.package_id = k.id join orders o on o.id = s.order_id
      where k.game_id = ${gameId} and k.type_id = ${sql.lit(OrderType.Boosting)} and k.rank_from = ${from} and k.rank_to = ${to}
        and o.status = ${OrderStatus.Completed} and o.completed_at > now() - make_interval(days => ${DEAL_DAYS}))
    select coalesce(percentile_cont(0.25) within group (order by fen), 0)::float8 as low,
      coalesce(percentile_cont(0.5) within group (order by fen), 0)::float8 as typical,
      coalesce(percentile_cont(0.75) within group (order by fen), 0)::float8 as high, count(*)::int as samples from deal`.execute(
    db,
  );
  return rows[0] ?? { low: 0, typical: 0, high: 0, samples: 0 };
}

/** The interpolated quantile of sorted values. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}

/**
 * The middle half of what the packages on sale that pass through a route would cost for it, each by its price for one rank. In fen.
 */
async function packagePrices(db: Trx, gameId: number, ranks: readonly Rank[], route: Route): Promise<Prices> {
  const { rows } = await sql<Route & { fen: number }>`
    select k.rank_from as "from", k.rank_to as "to", k.price_fen * k.min_units as fen
    from service_package k join goods g on g.id = k.goods_id join provider p on p.id = k.provider_id
    where k.game_id = ${gameId} and k.type_id = ${sql.lit(OrderType.Boosting)} and k.rank_from is not null and k.rank_to is not null and g.status = ${sql.lit(GoodsStatus.OnSale)} and p.status = 'approved'
    limit ${MAX_PACKAGES}`.execute(db);
  const at = (rank: number) => ranks.findIndex(({ value }) => value === rank);
  const steps = at(route.to) - at(route.from);
  const prices = rows
    .filter((pack) => isRoute(ranks, pack) && at(pack.from) < at(route.to) && at(pack.to) > at(route.from))
    .map(({ from, to, fen }) => (fen * steps) / (at(to) - at(from)))
    .toSorted((a, b) => a - b);
  return {
    low: quantile(prices, 0.25),
    typical: quantile(prices, 0.5),
    high: quantile(prices, 0.75),
    samples: prices.length,
  };
}

/** The usual price of a route before fees; null with too few deals and packages. */
export async function loadGuide(db: Trx, gameId: number, ranks: readonly Rank[], route: Route): Promise<Guide> {
  const rounded = ({ low, typical, high, samples }: Prices) => ({
    low: Math.round(low),
    typical: Math.round(typical),
    high: Math.round(high),
    samples,
  });
  const deals = await dealPrices(db, gameId, ranks, route);
  if (deals.samples >= MIN_DEALS) return { ...rounded(deals), of: 'deals' };
  const packages = await packagePrices(db, gameId, ranks, route);
  return packages.samples >= MIN_PACKAGES ? { ...rounded(packages), of: 'packages' } : null;
}

/** The routes of a game for which the most packages are on sale. */
export async function popularRoutes(db: Trx, gameId: number): Promise<Route[]> {
  const { rows } = await sql<Route>`
    select k.rank_from as "from", k.rank_to as "to"
    from service_package k join goods g on g.id = k.goods_id join provider p on p.id = k.provider_id
    where k.game_id = ${gameId} and k.type_id = ${sql.lit(OrderType.Boosting)} and k.rank_from is not null and k.rank_to is not null and g.status = ${sql.lit(GoodsStatus.OnSale)} and p.status = 'approved'
    group by 1, 2 order by count(*) desc, 1, 2 limit ${POPULAR}`.execute(db);
  return rows;
}
