import { CoinOfferStatus, RecyclerStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { sellCoin } from '#subjects/recycling/contract/recycling.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { deliveryName } from '#contract/rules/catalogue.ts';
import { coinText } from '#subjects/quick-coin/rules/coin.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError, asAppError } from '#server/kernel/errors.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import {
  type UnlistedOrder,
  unlistedPrice,
  placeUnlisted,
  applyTransition,
  termsForSystem,
} from '#subjects/orders/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { type RecycleOffer, recycleOfferBySn } from './offers.ts';
import { ORDERS_VALID } from '#server/states/order-states.ts';

/** Order type (domain.md 1), and the goods type whose hand-over steps coin has. */
const RECYCLING = 52;
const COIN_GOODS = 2;

type Input = Parsed<typeof sellCoin>;

function checkTerms(offer: RecycleOffer, input: Input): void {
  if (offer.status !== CoinOfferStatus.OnSale) throw new AppError('GOODS_NOT_ON_SALE', { text: '该回收报价已停收' });
  if (input.version !== undefined && input.version !== offer.version)
    throw new AppError('GOODS_CHANGED', { text: '回收报价已变更，请刷新后重新确认' });
  if (!offer.delivery.includes(input.delivery))
    throw new AppError('BAD_INPUT', { text: '该报价不支持所选交货方式', field: 'delivery' });
  if (input.num < offer.minLots)
    throw new AppError('COIN_LOTS', { text: `该报价 ${offer.minLots} 份起收`, field: 'num' });
}

/** Reserves the amount that the recycler buys, by one conditional UPDATE. Throws GOODS_STOCK, GOODS_CHANGED. */
async function take(trx: Trx, orderId: number, offer: RecycleOffer, input: Input): Promise<void> {
  const { rows } = await sql`
    update recycle_coin_offer set wanted_lots = wanted_lots - ${input.num}, updated_at = now()
    where id = ${offer.id} and status = ${sql.lit(CoinOfferStatus.OnSale)} and version = ${offer.version} and wanted_lots >= ${input.num} returning id`.execute(
    trx,
  );
  if (rows.length === 0) {
    const now = await sql<{
      version: number;
      status: number;
    }>`select version, status from recycle_coin_offer where id = ${offer.id}`.execute(trx);
    const changed = now.rows[0]?.version !== offer.version || now.rows[0].status !== CoinOfferStatus.OnSale;
    throw changed
      ? new AppError('GOODS_CHANGED', { text: '回收报价已变更，请刷新后重新确认' })
      : new AppError('GOODS_STOCK', { text: '对方要收的份数不够了，请减少份数' });
  }
  await sql`insert into recycle_coin_order (order_id, offer_id, lots, lot_units, unit, delivery, role_name)
    values (${orderId}, ${offer.id}, ${input.num}, ${offer.lotUnits}, ${offer.unit}, ${input.delivery}, ${input.roleName})`.execute(
    trx,
  );
}

/** Sums a recycler's purchases since midnight in China, in fen. */
export async function spentToday(db: Trx, recyclerId: number): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(goods_fen), 0)::bigint as fen from orders where buyer_id = ${recyclerId} and type_id = ${RECYCLING} and status in ${ORDERS_VALID}
      and created_at >= date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`.execute(db);
  return rows[0]?.fen ?? 0;
}

/** Checks the recycler's daily limit under its row's lock. Throws GOODS_STOCK. */
async function withinDay(trx: Trx, recyclerId: number): Promise<void> {
  const { rows } = await sql<{ limit: number }>`
    select day_limit_fen as limit from recycler where user_id = ${recyclerId} and status = ${sql.lit(RecyclerStatus.Active)} for update`.execute(
    trx,
  );
  if (!rows[0] || (await spentToday(trx, recyclerId)) > rows[0].limit)
    throw new AppError('GOODS_STOCK', { text: '对方今日收购额度已满，请明天再来或选其他报价' });
}

/** The recycler pays immediately, so the seller never delivers unpaid. Throws GOODS_STOCK when the recycler's balance is too low. */
async function payAtOnce(call: UserCall, trx: Trx, orderId: number): Promise<void> {
  const order = await termsForSystem(trx, { id: orderId });
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  try {
    await applyTransition(call.ctx, trx, { name: 'payBalance', order, role: 'buyer', actor: `user:${order.buyerId}` });
  } catch (error) {
    if (asAppError(error)?.error !== 'BALANCE_LOW') throw error;
    throw new AppError('GOODS_STOCK', { text: '对方余额不足，暂时不能收购，请选其他报价' });
  }
}

/**
 * Sells coin to a recycler: order, recycler's payment into escrow and what it still wants change in one transaction, or not at all. After
 * that it is an ordinary order. Throws GOODS_*, COIN_LOTS, BAD_INPUT, REAL_NAME_*.
 */
export async function sellToRecycler(call: UserCall, input: Input): Promise<HandlerResult<typeof sellCoin>> {
  const { ctx, user, dist } = call;
  const all = await catalogue(ctx);
  const placed = await placeUnlisted(call, async () => {
    const offer = await recycleOfferBySn(ctx.db, input.offerSn);
    if (!offer || !showsGame(dist, offer.gameId))
      throw new AppError('GOODS_NOT_FOUND', { text: '回收报价不存在或已停收' });
    if (offer.recyclerId === user.id) throw new AppError('GOODS_OWN', { text: '不能卖给自己' });
    checkTerms(offer, input);
    await requireAdult(ctx.db, offer.recyclerId);
    const game = all.game(offer.gameId);
    const coin = coinText(offer.lotUnits * input.num, offer.unit);
    const terms = {
      unitFen: offer.lotPriceFen,
      num: input.num,
      buyer: { id: offer.recyclerId, inviterId: null },
      sellerId: user.id,
    };
    const deal: UnlistedOrder = {
      ...terms,
      typeId: RECYCLING,
      gameId: offer.gameId,
      price: await unlistedPrice(ctx, dist, terms),
      offerSn: offer.sn,
      snapshot: {
        title: `回收 ${game?.name ?? ''} ${offer.areaName} ${coin}`,
        gameCode: game?.code ?? '',
        gameName: game?.name ?? '',
        areaName: offer.areaName,
        serverName: '',
        attrs: {},
        picture: null,
        fieldsVersion: 1,
        facts: [
          { label: '数量', value: coin },
          { label: '交货方式', value: deliveryName(input.delivery) },
          { label: '出货角色', value: input.roleName },
        ],
        handoverType: COIN_GOODS,
      },
      explain: '卖家接受回收报价，回收商付款到托管',
    };
    return {
      deal,
      also: async (trx, { orderId }) => {
        await withinDay(trx, offer.recyclerId);
        await take(trx, orderId, offer, input);
        await payAtOnce(call, trx, orderId);
      },
    };
  });
  const { rows } = await sql<{ units: number; unit: string; net: number; status: number }>`
    select q.lots * q.lot_units as units, q.unit, o.goods_fen - o.commission_fen as net, o.status from recycle_coin_order q join orders o on o.id = q.order_id
    where o.id = ${placed.orderId}`.execute(ctx.db);
  const row = rows[0];
  return {
    orderId: placed.orderId,
    orderSn: placed.orderSn,
    status: row?.status ?? 1,
    coinText: row ? coinText(row.units, row.unit) : '',
    net: row?.net ?? 0,
    createTime: new Date(placed.createTime),
  };
}
