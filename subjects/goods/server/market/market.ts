import { UserStatus } from '#contract/rules/statuses.ts';
import { grouped } from '#contract/rules/amounts.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { currentdayDealGoodsList } from '#subjects/goods/contract/goods.ts';
import type { getFrontUserList, sellTimeList } from '#subjects/goods/contract/front-page.ts';
import { goodsTypeName } from '#contract/rules/catalogue.ts';
import { sellerLevelName } from '#subjects/seller-levels/rules/standing.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/client.ts';
import { TtlCache, StaleWhileRevalidate } from '#server/kernel/cache.ts';
import { userBriefs } from '#subjects/accounts/server/service.ts';
import { type Catalogue, catalogue, onSaleCounts, showsGame } from '#subjects/games/server/service.ts';
import { gameIcon } from '#subjects/media/server/service.ts';
import { cardRows, loadCards } from '../listing/cards.ts';
import { gamesFor, type VisibleGames } from '../listing/list.ts';
import { MIN_SAMPLES, typePrices } from '../prices/prices.ts';

const TRADES_TTL_MS = 60_000;
/** Minimum sales of each of the two weeks for a weekly change: with fewer sales the median changes by chance. */
const MIN_WEEK = 30;

interface Trade {
  gameId: number;
  typeId: number;
  dealsToday: number;
  weekChangePercent: number | null;
  /** Median price of each day with sales, in yuan, oldest first. */
  trend: number[];
  deals: number;
}

interface TradeRow {
  gameId: number;
  typeId: number;
  trend: { day: string; fen: number }[];
  weekFen: number | null;
  beforeFen: number | null;
  week: number;
  before: number;
  dealsToday: number;
}

const trades = cacheKind(
  'market.trades',
  ({ db }: Context) => new StaleWhileRevalidate(async () => await readTrades(db), TRADES_TTL_MS),
);

/** Median prices from the last hourly job (`goods.stats`), and current numbers of sales. */
async function readTrades(db: Db): Promise<readonly Trade[]> {
  const { rows } = await sql<TradeRow>`
    with today as (select (now() at time zone 'Asia/Shanghai')::date as day)
    select d.game_id as "gameId", d.type_id as "typeId", coalesce(t.trend, '[]') as trend, t.week_fen as "weekFen", t.before_fen as "beforeFen",
      coalesce(sum(d.deals) filter (where d.day > today.day - 7), 0)::int as week, coalesce(sum(d.deals) filter (where d.day <= today.day - 7), 0)::int as before,
      coalesce(sum(d.deals) filter (where d.day = today.day), 0)::int as "dealsToday"
    from deal_figure d cross join today left join trade_stat t on t.game_id = d.game_id and t.type_id = d.type_id
    where d.game_id is not null and d.day > today.day - 14
    group by d.game_id, d.type_id, t.trend, t.week_fen, t.before_fen having sum(d.deals) > 0`.execute(db);
  return rows.map((row) => ({
    gameId: row.gameId,
    typeId: row.typeId,
    dealsToday: row.dealsToday,
    weekChangePercent:
      row.weekFen !== null && row.beforeFen !== null && row.week >= MIN_WEEK && row.before >= MIN_WEEK
        ? Math.round((row.weekFen / row.beforeFen - 1) * 1000) / 10
        : null,
    trend: row.trend.map(({ fen }) => Math.round(fen / 100)),
    deals: row.week + row.before,
  }));
}

/** Today's sales by game and goods type, the most active first, for the games that the site shows. Amounts in fen. */
export async function dayMarket(
  ctx: Context,
  dist: VisibleGames,
  limit: number,
): Promise<HandlerResult<typeof currentdayDealGoodsList>['list']> {
  const [list, all, onSale, prices] = await Promise.all([
    cacheOf(ctx, trades).get(),
    catalogue(ctx),
    onSaleCounts(ctx),
    typePrices(ctx),
  ]);
  return list
    .filter((t) => showsGame(dist, t.gameId) && all.game(t.gameId) !== undefined)
    .toSorted((a, b) => b.deals - a.deals)
    .slice(0, limit)
    .map((t) => ({
      gameId: t.gameId,
      gameName: all.game(t.gameId)?.name ?? '',
      icon: gameIcon(all.game(t.gameId)?.code ?? ''),
      goodsTypeName: nameOfType(all, t.gameId, t.typeId),
      typical: prices.find((b) => b.gameId === t.gameId && b.typeId === t.typeId)?.typicalFen ?? null,
      weekChangePercent: t.weekChangePercent,
      dealsToday: t.dealsToday,
      onSale: onSale.get(t.gameId)?.get(t.typeId) ?? 0,
      trend: t.trend,
    }));
}

const nameOfType = (all: Catalogue, gameId: number, typeId: number): string =>
  all.game(gameId)?.goodsTypes.find((t) => t.id === typeId)?.name ?? goodsTypeName(typeId);

/** Upper bounds of the price bands of selling times, in yuan; the last band is open. */
export const SELL_TIME_EDGES = [100, 300, 1000, 3000, 10_000] as const;

/** The band of all prices. */
export const ALL_PRICES = -1;

function bandText(band: number): string {
  if (band === ALL_PRICES) return '全部价位';
  const [low, high] = [SELL_TIME_EDGES[band - 1], SELL_TIME_EDGES[band]];
  if (low === undefined) return `${grouped(high ?? 0)} 元以下`;
  return high === undefined ? `${grouped(low)} 元以上` : `${grouped(low)}–${grouped(high)} 元`;
}

/** How long listings took to sell, computed by the job `goods.stats`; groups with too few sales are listed without a time. */
export async function sellTimes(
  ctx: Context,
  dist: VisibleGames,
  filter: { gameId: number | undefined; typeId: number | undefined },
): Promise<HandlerResult<typeof sellTimeList>> {
  const [all, { rows }] = await Promise.all([
    catalogue(ctx),
    sql<{
      gameId: number;
      typeId: number;
      band: number;
      sold: number;
      low: number;
      hours: number;
      high: number;
      day: number;
      week: number;
      at: Date;
    }>`select game_id as "gameId", type_id as "typeId", price_band as band, sold, low_hours as low, median_hours as hours, high_hours as high, day1_bp as day, day7_bp as week, made_at as at
      from sell_time_stat order by game_id, type_id, price_band`.execute(ctx.db),
  ]);
  const visible = rows.filter(
    (r) =>
      showsGame(dist, r.gameId) &&
      all.game(r.gameId) !== undefined &&
      (filter.gameId === undefined || filter.gameId === r.gameId) &&
      (filter.typeId === undefined || filter.typeId === r.typeId),
  );
  const group = (r: (typeof rows)[number]) => ({
    gameId: r.gameId,
    gameName: all.game(r.gameId)?.name ?? '',
    goodsTypeId: r.typeId,
    goodsTypeStr: nameOfType(all, r.gameId, r.typeId),
    band: r.band,
    priceText: bandText(r.band),
    sold: r.sold,
  });
  return {
    list: visible
      .filter((r) => r.sold >= MIN_SAMPLES)
      .map((r) => ({
        ...group(r),
        lowHours: r.low,
        medianHours: r.hours,
        highHours: r.high,
        withinDay: r.day / 100,
        withinWeek: r.week / 100,
      })),
    few: visible.filter((r) => r.sold < MIN_SAMPLES).map(group),
    minSamples: MIN_SAMPLES,
    madeTime: rows[0]?.at ?? null,
  };
}

type FrontUser = HandlerResult<typeof getFrontUserList>['list'][number];

const SELLERS_TTL_MS = 5 * 60_000;
const GOODS_PER_SELLER = 3;
const MAX_SELLERS = 20;
const sellers = cacheKind(
  'market.sellers',
  () => new TtlCache<readonly FrontUser[]>({ ttlMs: SELLERS_TTL_MS, max: 200 }),
);

interface SellerRow {
  id: number;
  games: number[];
  onSale: number;
  goods: number[];
  deposit: string | null;
}

async function readSellers(
  ctx: Context,
  dist: VisibleGames,
  gameId: number | undefined,
): Promise<readonly FrontUser[]> {
  const games = await gamesFor(ctx, dist, gameId);
  if (games?.length === 0) return [];
  const inGames = games === null ? sql`` : sql`and game_id = any(${[...games]}::int[])`;
  const { rows } = await sql<SellerRow>`
    select t.id, t.games, n.count as "onSale", n.goods,
      (select l.name from deposit_level l where l.role = 'seller' and l.amount_fen <= deposit_counted(t.id, 'seller')
        order by l.level desc limit 1) as deposit
    from (select seller_id as id, sum(deals)::int as sold, (array_agg(distinct game_id))[1:5] as games from top_seller
        where true ${inGames} group by seller_id order by sum(deals) desc, seller_id limit ${MAX_SELLERS * 3}) t
      join app_user u on u.id = t.id and u.status = ${sql.lit(UserStatus.Active)}
      cross join lateral (select count(*)::int as count, (array_agg(goods_id order by score desc))[1:${sql.raw(String(GOODS_PER_SELLER))}] as goods
        from (select goods_id, score from goods_search where seller_id = t.id ${inGames} limit 1000) s) n
    where n.count > 0 order by (u.rating_sum + 20)::float8 / (u.rating_count + 5) * ln(t.sold + 1) desc, t.id limit ${MAX_SELLERS}`.execute(
    ctx.db,
  );
  const [all, briefs, goodsRows] = await Promise.all([
    catalogue(ctx),
    userBriefs(
      ctx.db,
      rows.map((r) => r.id),
    ),
    cardRows(
      ctx.db,
      rows.flatMap((r) => r.goods),
      true,
    ),
  ]);
  const cardsBySn = new Map((await loadCards(ctx, dist, goodsRows)).map((card) => [card.goodsSn, card]));
  const snOf = new Map(goodsRows.map((row) => [row.id, row.sn]));
  return rows.flatMap((row) => {
    const brief = briefs.get(row.id);
    if (!brief) return [];
    return {
      userId: String(row.id),
      nickName: brief.nickName,
      avatar: brief.avatar,
      level: brief.sellerLevel,
      levelName: sellerLevelName(brief.sellerLevel),
      online: brief.online,
      soldNum: brief.soldCount,
      goodRate: brief.goodRate,
      onSaleNum: row.onSale,
      depositName: row.deposit,
      games: row.games.flatMap((id) => ({ gameId: id, name: all.game(id)?.name ?? '' })).filter((g) => g.name !== ''),
      goods: row.goods.flatMap((id) => {
        const card = cardsBySn.get(snOf.get(Number(id)) ?? '');
        return card
          ? { goodsSn: card.goodsSn, thumbnail: card.thumbnail, price: card.allInPrice, pageUrl: card.pageUrl }
          : [];
      }),
    };
  });
}

/** Sellers with good sales in the last 30 days and listings on sale; positions are not paid for. Up to five minutes old. */
export async function frontSellers(
  ctx: Context,
  dist: VisibleGames & { id: number },
  gameId: number | undefined,
  limit: number,
): Promise<FrontUser[]> {
  const list = await cacheOf(ctx, sellers).get(
    `${dist.id}:${gameId ?? ''}`,
    async () => await readSellers(ctx, dist, gameId),
  );
  return list.slice(0, limit);
}
