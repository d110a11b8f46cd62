import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import * as c from '#subjects/quick-coin/contract/quick-coin.ts';
import { shopStatistics } from '#subjects/quick-coin/contract/shop-figures.ts';
import { matchQuickCoin } from '#subjects/quick-coin/contract/quick-coin-match.ts';
import { lotSizeChoices } from '../rules/coin.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { decodeId } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { countedDeposit } from '#subjects/deposits/server/service.ts';
import { catalogue, coinGames, showsGame } from '#subjects/games/server/service.ts';
import { warnAway } from '#subjects/goods/server/service.ts';
import { commissionOf } from '#subjects/orders/server/service.ts';
import {
  applyProvider,
  changeProvider,
  loadProvider,
  providerStatusName,
  type ProviderRow,
  recordOf,
} from '#subjects/providers/server/service.ts';
import { publishable } from '#server/contacts.ts';
import type { Binding } from '#server/binding.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { createOffer, updateOffer } from './offers.ts';
import { coinDiscounts, coinOrders, orderCoin } from './orders.ts';
import { matchCoin } from './matching.ts';
import { coinTypes, offerBySn, ownOffers, storefront } from './queries.ts';
import { countView, statisticsOfShop } from './statistics.ts';
import { ratioHistory, ratioNow, refreshRatios } from './ratio.ts';
import { coinName, offerView, shopView } from './view.ts';
import { ORDERS_OPEN } from '#server/states/order-states.ts';

type Applied = HandlerResult<typeof c.shopQuickCoinApply>;

async function loadApplied({ ctx, user }: UserCall, row: ProviderRow): Promise<Applied> {
  const [all, deposit] = await Promise.all([catalogue(ctx), countedDeposit(ctx.db, user.id, 'shop')]);
  const { deposit: publicDeposit } = recordOf(row, all, deposit);
  return { status: row.status, statusName: providerStatusName(row.status), deposit: publicDeposit };
}

/** A shop with open orders cannot close; the offers of one that closes are hidden. */
async function mayLeave(trx: Trx, { userId }: ProviderRow): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from orders where seller_id = ${userId} and type_id = ${sql.lit(OrderType.QuickCoin)} and status in ${ORDERS_OPEN}`.execute(
    trx,
  );
  if ((rows[0]?.n ?? 0) > 0) throw new AppError('COIN_OPEN_ORDERS', { text: '还有进行中的金币订单，完成后才能关店' });
  await sql`update quick_coin_offer set status = ${sql.lit(CoinOfferStatus.OffSale)}, updated_at = now() where seller_id = ${userId} and status in (${sql.lit(CoinOfferStatus.OnSale)}, ${sql.lit(CoinOfferStatus.Hidden)})`.execute(
    trx,
  );
}

interface Figures {
  onSale: number;
  toShip: number;
  incomeFen: number;
  shipMinutes: number | null;
}

async function shopInfo(call: UserCall): Promise<HandlerResult<typeof c.getShopQuickCoinInfo>> {
  const { ctx, user } = call;
  const [row, all] = await Promise.all([loadProvider(ctx.db, user.id, 'shop'), catalogue(ctx)]);
  const games = coinGames(all);
  if (!row) return { shop: null, coinGames: games };
  const [deposit, { rows }] = await Promise.all([
    countedDeposit(ctx.db, user.id, 'shop'),
    sql<Figures>`select
      (select count(*)::int from quick_coin_offer where seller_id = ${user.id} and status in (${sql.lit(CoinOfferStatus.OnSale)}, ${sql.lit(CoinOfferStatus.Hidden)})) as "onSale",
      (select count(*)::int from orders where seller_id = ${user.id} and type_id = ${sql.lit(OrderType.QuickCoin)} and status = ${sql.lit(OrderStatus.Paid)}) as "toShip",
      (select coalesce(sum(goods_fen - commission_fen), 0)::bigint from orders where seller_id = ${user.id} and type_id = ${sql.lit(OrderType.QuickCoin)} and status = ${sql.lit(OrderStatus.Completed)}
        and completed_at > now() - interval '30 days') as "incomeFen",
      (select round(extract(epoch from avg(shipped_at - paid_at)) / 60)::int from orders where seller_id = ${user.id} and type_id = ${sql.lit(OrderType.QuickCoin)}
        and shipped_at > now() - interval '30 days') as "shipMinutes"`.execute(ctx.db),
  ]);
  const figures = rows[0];
  const profile = row.profile as { notice?: string; hours?: { day: number; fromMinute: number; toMinute: number }[] };
  return {
    coinGames: games,
    shop: {
      ...recordOf(row, all, deposit),
      notice: profile.notice ?? '',
      hours: profile.hours ?? [],
      onSaleNum: figures?.onSale ?? 0,
      maxOnSaleNum: deposit.reached?.limits.listings ?? 0,
      toShipNum: figures?.toShip ?? 0,
      income30: figures?.incomeFen ?? 0,
      averageShipMinutes: figures?.shipMinutes ?? null,
    },
  };
}

function bindShop({ ctx, server }: Binding): void {
  server.serve(c.shopQuickCoinApply, async (call, { notice, hours, ...form }) =>
    loadApplied(
      call,
      await applyProvider(call, 'shop', form, {
        notice: publishable(call.ctx.blockedWords, '店铺公告', notice ?? '', 'notice'),
        hours,
      }),
    ),
  );
  server.serve(c.getShopQuickCoinInfo, shopInfo);
  server.serve(shopStatistics, statisticsOfShop);
  server.serve(c.updateShopQuickCoin, async (call, { notice, hours, ...form }) => {
    const profile = {
      ...(notice === undefined ? {} : { notice: publishable(call.ctx.blockedWords, '店铺公告', notice, 'notice') }),
      ...(hours === undefined ? {} : { hours }),
    };
    return await loadApplied(call, await changeProvider(call, 'shop', form, profile, mayLeave));
  });
  server.serve(c.createQuickCoin, async (call, input) =>
    offerView(await createOffer(call, input), await catalogue(ctx)),
  );
  server.serve(c.updateQuickCoin, async (call, input) =>
    offerView(await updateOffer(call, input), await catalogue(ctx)),
  );
  server.serve(c.selfPublishQuickCoinList, async ({ user }, input) => {
    const limit = input.pageSize ?? 20;
    const { rows, next, counts } = await ownOffers(ctx.db, {
      userId: user.id,
      gameId: input.gameId,
      areaId: input.areaId,
      status: input.status,
      from: decodeId(input.cursor),
      limit,
      offset: ((input.pages ?? 1) - 1) * limit,
    });
    const all = await catalogue(ctx);
    const fees = ctx.dir.setting('fees');
    return {
      list: rows.map((row) => ({ ...offerView(row, all), net: row.lotPriceFen - commissionOf(row.lotPriceFen, fees) })),
      counts,
      total: input.status === undefined ? (counts.all ?? 0) : (counts[String(input.status)] ?? 0),
      next,
    };
  });
}

const callerId = (call: Call): number | null => call.caller.user?.id ?? null;

function bindStorefront({ ctx, server }: Binding): void {
  server.serve(c.findQuickCoin, async (call, { quickCoinSn }) => {
    const row = await offerBySn(ctx.db, quickCoinSn);
    const isMine = row !== undefined && row.sellerId === callerId(call);
    if (!row || !showsGame(call.dist, row.gameId) || (row.status !== CoinOfferStatus.OnSale && !isMine))
      throw new AppError('GOODS_NOT_FOUND', { text: '报价不存在或已下架' });
    if (!isMine) await countView(ctx.db, row.providerId);
    return {
      ...offerView(row, await catalogue(ctx)),
      shop: shopView(row),
      isMine,
      serviceFeeBp: ctx.dir.setting('fees').buyerBp,
      lots: lotSizeChoices(row.minLots, Math.min(row.maxLots, row.stock)),
      payMinutes: Math.floor(ctx.dir.setting('order').unpaidSeconds / 60),
    };
  });
  server.serve(c.getQuickCoinList, async (call, input) => {
    const limit = input.pageSize ?? 20;
    const { gameId, areaId } = input;
    const coinType = input.quickCoinType;
    const [page, types, ratio, all] = await Promise.all([
      storefront(ctx.db, {
        games: call.dist.games,
        gameId,
        areaId,
        serverId: input.serverId,
        camp: input.camp,
        coinType,
        delivery: input.delivery,
        num: input.num,
        online: input.online === true,
        sort: input.sort ?? 'unitPrice',
        cursor: input.cursor,
        limit,
        offset: ((input.pages ?? 1) - 1) * limit,
      }),
      gameId === undefined ? [] : coinTypes(ctx.db, gameId),
      gameId === undefined || areaId === undefined
        ? null
        : ratioNow(ctx.db, { gameId, areaId, coinType: coinType ?? 1 }),
      catalogue(ctx),
    ]);
    const me = callerId(call);
    return {
      list: page.rows.map((row) => ({ ...offerView(row, all), shop: shopView(row), isMine: row.sellerId === me })),
      ratio,
      quickCoinTypes: types.map(({ id, unit }) => ({ id, name: coinName(unit) })),
      total: page.total,
      totalCapped: page.totalCapped,
      next: page.next,
    };
  });
  server.serve(
    c.coinRatioHistory,
    async (_, { gameId, areaId, quickCoinType }) =>
      await ratioHistory(ctx.db, { gameId, areaId, coinType: quickCoinType }),
  );
  server.serve(matchQuickCoin, matchCoin);
  server.serve(c.placeQuickCoinOrder, orderCoin);
  server.serve(c.coinDiscount, coinDiscounts);
  server.serve(c.queryQuickOrderList, coinOrders);
}

const RATIO_EVERY_SECONDS = 30 * 60;
const AWAY_EVERY_SECONDS = 3600;
/** Hides the offers of a shop absent for three days and restores them at its next visit (domain.md 4). */
const AWAY_DAYS = 3;
const AWAY_AFTER = sql.raw(`interval '${AWAY_DAYS} days'`);

async function showAgain(ctx: Context, sellerId: number): Promise<void> {
  await sql`update quick_coin_offer c set status = ${sql.lit(CoinOfferStatus.OnSale)}, updated_at = now() from app_user u
    where c.seller_id = ${sellerId} and c.status = ${sql.lit(CoinOfferStatus.Hidden)} and u.id = c.seller_id and u.last_seen_at >= now() - ${AWAY_AFTER}`.execute(
    ctx.db,
  );
}

function bindJobs({ effects }: Binding): void {
  effects.every('quickCoin.ratio', async (ctx) => {
    await inTransaction(ctx.db, refreshRatios);
    await schedule(ctx.db, 'quickCoin.ratio', 'all', { seconds: RATIO_EVERY_SECONDS });
  });
  effects.every('quickCoin.away', async (ctx) => {
    // The users of the demo market never visit.
    if (!ctx.config.demo) {
      await sql`update quick_coin_offer c set status = ${sql.lit(CoinOfferStatus.Hidden)}, updated_at = now() from app_user u
        where u.id = c.seller_id and c.status = ${sql.lit(CoinOfferStatus.OnSale)} and u.last_seen_at < now() - ${AWAY_AFTER}`.execute(
        ctx.db,
      );
      await warnAway(ctx.db, 'quick_coin_offer', AWAY_DAYS);
    }
    await schedule(ctx.db, 'quickCoin.away', 'all', { seconds: AWAY_EVERY_SECONDS });
  });
  effects.on('account.back', async (ctx, { userId }) => await showAgain(ctx, userId));
}

/** Calls and effects of quick coin: shops, their offers, the storefront, orders by the lot. */
export function bindQuickCoin(binding: Binding): void {
  bindShop(binding);
  bindStorefront(binding);
  bindJobs(binding);
}
