import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { isEnded, OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sellerNetFen, transition, type TransitionName } from '#subjects/orders/server/rules.ts';
import { account, type Transfer } from '#subjects/ledger/server/rules.ts';
import { replyTo } from '../../generate/reviews.ts';
import { mixSeed, random } from '../../generate/random.ts';
import { arrayLiteral, columns, insertRows } from '../bulk.ts';
import type { TradeEnd } from './trades.ts';
import type { MarketSettings } from './trades-price.ts';
import type { PricedTrade } from './priced-trade.ts';
import { goodsSn, storeGoods } from '../goods/goods.ts';
import type { MarketGoods } from '../goods/market-goods.ts';
import { handoverRows, HANDOVER_COLUMNS, stepsOf } from './handover.ts';
import { DEMO_STAFF } from '#server/demo/logins.ts';
import { sellerDeposit } from '../money/deposits.ts';
import { type Market, staffId } from '../market.ts';
import { type Dated, storeDatedPayments, type PaymentSeed } from '../money/money.ts';
import { sellerLevel } from '../people/people.ts';
import { type HeldSale, storeSaleHolds } from './sale-holds.ts';
import { regionNames, gameOf } from '../goods/values.ts';

const TIMER_COLUMNS = columns('kind text, ref text, due_at timestamptz');
// The clocks of db/migrations/0001_baseline.sql, in minutes.
const UNPAID_MINUTES = 30;
const isAccountType = (typeId: number): boolean => typeId === OrderType.Account || typeId === OrderType.Consigned;
const shipMinutes = (typeId: number): number => (isAccountType(typeId) ? 1440 : 120);
const confirmMinutes = (typeId: number): number => (isAccountType(typeId) ? 4320 : 1440);

/** How each end looks in an order: its status, the step of the table that ended it, whether it was paid and shipped before. */
const ENDS: Readonly<
  Record<TradeEnd, { status: number; step: TransitionName | null; paid: boolean; shipped: boolean }>
> = {
  unpaid: { status: OrderStatus.Unpaid, step: null, paid: false, shipped: false },
  paid: { status: OrderStatus.Paid, step: null, paid: true, shipped: false },
  shipped: { status: OrderStatus.Shipped, step: null, paid: true, shipped: true },
  completed: { status: OrderStatus.Completed, step: 'confirm', paid: true, shipped: true },
  expired: { status: OrderStatus.ClosedUnpaid, step: 'expire', paid: false, shipped: false },
  cancelledUnpaid: { status: OrderStatus.BuyerCancelled, step: 'cancelUnpaid', paid: false, shipped: false },
  cancelledPaid: { status: OrderStatus.BuyerCancelled, step: 'cancelPaid', paid: true, shipped: false },
  sellerCancelled: { status: OrderStatus.SellerCancelled, step: 'sellerCancel', paid: true, shipped: false },
  staffClosed: { status: OrderStatus.ClosedByPlatform, step: 'staffClose', paid: true, shipped: false },
};

/** Balances that people should have after paying their orders, in fen. */
export type Spare = ReadonlyMap<number, { distId: number; fen: number }>;

/** Returns the support agent of an order. */
export function serviceOf(market: Market, orderId: number): { id: number; name: string } {
  const service = DEMO_STAFF.filter((s) => s.role === 'service');
  const chosen = service[orderId % service.length];
  if (!chosen) throw new RangeError('no customer service');
  return { id: staffId(market, chosen.login), name: chosen.name };
}

/** Increase of an account's time to sale per standard deviation of its price, as a logarithm. */
const DEAR_WAITS = 1;
const DAY = 1440;
const LONGEST_WAIT = 60 * DAY;

function goodsOf(market: Market, { trade, goodsId }: PricedTrade): MarketGoods {
  // Overpriced listings wait longer for a buyer.
  const waited = (mixSeed(market.seed, goodsId, 71) % (20 * DAY)) * Math.exp(DEAR_WAITS * trade.goods.dear);
  const extra = 60 + Math.min(LONGEST_WAIT, Math.round(waited));
  return {
    id: goodsId,
    seed: { ...trade.goods, createdAgoMinutes: trade.createdAgo + extra },
    sellerId: trade.seller.id,
    distId: trade.seller.distId,
    status:
      trade.end === 'completed'
        ? GoodsStatus.Sold
        : isEnded(ENDS[trade.end].status)
          ? GoodsStatus.OffSale
          : GoodsStatus.Locked,
    createdAt: market.ago(trade.createdAgo + extra),
    refreshedAt: market.ago(trade.endedAgo),
    sellerLevel: sellerLevel(trade.seller),
    reviewNote: null,
    follows: 0,
  };
}

const ORDER_COLUMNS = columns(
  `id bigint, sn text, dist_id int, type_id smallint, goods_id bigint, goods_sn text, game_id int, buyer_id bigint, seller_id bigint, staff_id bigint,
  status smallint, goods_num int, unit_price_fen bigint, goods_fen bigint, service_fee_fen bigint, ensure_fen bigint, fix_ensure_fen bigint, discount_fen bigint,
  total_fen bigint, commission_fen bigint, dist_share_fen bigint, invite_reward_fen bigint, inviter_id bigint, fix_ensure_id int, fees jsonb,
  snapshot jsonb, handover_version int, touched_at timestamptz, ship_by timestamptz, auto_confirm_at timestamptz, paid_at timestamptz,
  shipped_at timestamptz, completed_at timestamptz, created_at timestamptz, self_placed boolean`,
);

/** Returns the order's snapshot of its listing, in the application's own shape. */
export function snapshotOf(goods: MarketGoods): Record<string, unknown> {
  const { seed: made } = goods;
  const game = gameOf(made.gameId);
  const region = regionNames(made.gameId, made.areaId, made.serverId);
  return {
    title: made.title,
    gameCode: game.code,
    gameName: game.name,
    areaName: region.area,
    serverName: region.server,
    attrs: made.attrs,
    picture: made.pictureCount > 0 ? { art: String(made.artSeed) } : { cover: goodsSn(goods.id), v: '' },
    fieldsVersion: 1,
    version: 1,
  };
}

function orderRow(market: Market, p: PricedTrade, goods: MarketGoods, goodsSn: string): unknown[] {
  const { trade, price, terms } = p;
  const end = ENDS[trade.end];
  const when = (is: boolean, ago: number): Date | null => (is ? market.ago(ago) : null);
  return [
    p.orderId,
    p.sn,
    terms.distId,
    terms.typeId,
    p.goodsId,
    goodsSn,
    trade.goods.gameId,
    terms.buyerId,
    terms.sellerId,
    end.paid ? serviceOf(market, p.orderId).id : null,
    end.status,
    1,
    trade.goods.priceFen,
    price.goodsFen,
    price.serviceFeeFen,
    price.ensureFen,
    price.fixEnsureFen,
    price.discountFen,
    price.totalFen,
    price.commissionFen,
    price.distShareFen,
    price.inviteRewardFen,
    terms.inviterId,
    p.ensureId,
    price.lines,
    snapshotOf(goods),
    end.paid ? 1 : null,
    when(end.paid && trade.stepsDone > 0, trade.paidAgo - 1),
    when(end.paid, trade.paidAgo - shipMinutes(terms.typeId)),
    when(end.shipped, trade.shippedAgo - confirmMinutes(terms.typeId)),
    when(end.paid, trade.paidAgo),
    when(end.shipped, trade.shippedAgo),
    when(trade.end === 'completed', trade.endedAgo),
    market.ago(trade.createdAgo),
    // An order that shows the unpaid state counts towards none of its buyer's limits.
    trade.end !== 'unpaid',
  ];
}

const PROCESS_COLUMNS = columns(
  'order_id bigint, order_status smallint, explain text, actor text, created_at timestamptz',
);

function processRows(market: Market, { trade, orderId }: PricedTrade): unknown[][] {
  const end = ENDS[trade.end];
  const buyer = `user:${trade.buyer.id}`;
  const seller = `user:${trade.seller.id}`;
  const rows: unknown[][] = [[orderId, 0, '买家提交订单，等待付款', buyer, market.ago(trade.createdAgo)]];
  if (end.paid) rows.push([orderId, 1, transition('payBalance').explain('buyer'), buyer, market.ago(trade.paidAgo)]);
  if (end.shipped) rows.push([orderId, 2, transition('ship').explain('seller'), seller, market.ago(trade.shippedAgo)]);
  if (end.step === null) return rows;
  const step = transition(end.step);
  const role = step.roles[0] ?? 'timer';
  const actor = {
    buyer,
    seller,
    staff: `staff:${serviceOf(market, orderId).id}`,
    timer: 'timer',
    payment: 'timer',
    service: seller,
  }[role];
  rows.push([orderId, end.status, step.explain(role), actor, market.ago(trade.endedAgo)]);
  return rows;
}

const REVIEW_COLUMNS = columns(
  `order_id bigint, belong smallint, user_id bigint, target_id bigint, score smallint, tags text>text[], content text, created_at timestamptz,
  dist_id int, type_id smallint, game_id int, goods_id bigint, answer text, answered_at timestamptz`,
);

function reviewRows(market: Market, { trade, orderId, goodsId, terms }: PricedTrade): unknown[][] {
  const row = (belong: 0 | 1): unknown[] | null => {
    const review = belong === 1 ? trade.buyerReview : trade.sellerReview;
    const [by, target] = belong === 1 ? [trade.buyer, trade.seller] : [trade.seller, trade.buyer];
    if (!review) return null;
    const ago = Math.max(1, trade.endedAgo - 3 - (orderId % 200));
    const reply = belong === 1 ? replyTo(review, orderId) : null;
    return [
      orderId,
      belong,
      by.id,
      target.id,
      review.score,
      arrayLiteral(belong === 1 ? review.tags : ['付款及时', '沟通顺畅'].slice(0, 1 + (orderId % 2))),
      belong === 1 ? review.text : '买家付款爽快，沟通顺利。',
      market.ago(ago),
      terms.distId,
      terms.typeId,
      trade.goods.gameId,
      goodsId,
      reply,
      reply === null ? null : market.ago(Math.max(0, ago - 90)),
    ];
  };
  return [row(1), row(0)].filter((r) => r !== null);
}

/** Money of the past in the order in which it moved: paid, then given out or back. The ledger itself refuses what does not add up. */
function moneyOf(market: Market, p: PricedTrade, paymentId: number | null): Dated[] {
  const end = ENDS[p.trade.end];
  if (!end.paid) return [];
  const paid: Transfer[] =
    paymentId === null
      ? transition('payBalance').postings(p.terms)
      : [
          {
            code: 'order_pay_channel',
            ref: `payment:${paymentId}`,
            debit: account.clearing('sandbox', paymentId),
            credit: account.escrow(p.orderId),
            fen: p.price.totalFen,
            dist: p.terms.distId,
            order: p.orderId,
          },
        ];
  const at =
    (minutes: number) =>
    (transfer: Transfer): Dated => ({ at: market.ago(minutes), transfer });
  const then = end.step === null ? [] : transition(end.step).postings(p.terms);
  return [...paid.map(at(p.trade.paidAgo)), ...then.map(at(p.trade.endedAgo))];
}

/**
 * Stores trades: goods, orders with their history, payments, reviews, hand-over records. Returns their postings, which belong in the
 * ledger in the order in which all trades' money moved.
 */
export async function storeTrades(
  market: Market,
  trades: readonly PricedTrade[],
  settings: MarketSettings,
  spare: Spare,
): Promise<Dated[]> {
  const { client } = market;
  const goods = trades.map((p) => goodsOf(market, p));
  await storeGoods(market, goods);
  const { rows } = await client.query<{ sn: string }>(
    'select goods_sn(id) as sn from unnest($1::bigint[]) with ordinality as v(id, n) order by n',
    [goods.map((g) => g.id)],
  );
  await insertRows(
    client,
    'orders',
    ORDER_COLUMNS,
    trades.flatMap((p, i) => {
      const g = goods[i];
      return g ? [orderRow(market, p, g, rows[i]?.sn ?? '')] : [];
    }),
  );
  await insertRows(
    client,
    'order_process',
    PROCESS_COLUMNS,
    trades.flatMap((p) => processRows(market, p)),
  );
  await insertRows(
    client,
    'order_review',
    REVIEW_COLUMNS,
    trades.flatMap((p) => reviewRows(market, p)),
  );
  const handedOver = trades.filter((p) => ENDS[p.trade.end].paid);
  await insertRows(
    client,
    'order_handover',
    HANDOVER_COLUMNS,
    handedOver.flatMap((p) => handoverOf(market, p)),
  );
  const money = await storeMoney(market, trades, spare);
  const held = trades.flatMap((p): HeldSale[] => {
    if (p.trade.end !== 'completed') return [];
    const { seller, endedAgo } = p.trade;
    const { distId, fen } = { distId: p.terms.distId, fen: sellerNetFen(p.terms) };
    const { distShareFen: distFen, inviteRewardFen: inviteFen, inviterId } = p.terms;
    return [
      {
        orderId: p.orderId,
        sn: p.sn,
        sellerId: seller.id,
        distId,
        level: sellerLevel(seller),
        fen,
        shares: { distFen, inviteFen, inviterId },
        coveredFen: sellerDeposit(seller),
        doneAgo: endedAgo,
      },
    ];
  });
  const releases = await storeSaleHolds(market, held, settings);
  await storeOrderTimers(market, trades);
  return [...money, ...releases];
}

/** The hand-over of a paid order, as far as it has come. */
function handoverOf(market: Market, { trade, orderId, terms }: PricedTrade): unknown[][] {
  const beforeShip = stepsOf(trade.goods.gameId, terms.typeId).filter((s) => s.beforeShip).length;
  const doneSteps = { paid: Math.min(trade.stepsDone, beforeShip - 1), shipped: beforeShip, completed: Infinity };
  return handoverRows(market, {
    orderId,
    gameId: trade.goods.gameId,
    typeId: terms.typeId,
    doneAgo: { from: trade.paidAgo, to: trade.endedAgo || trade.shippedAgo },
    doneSteps: (doneSteps as Partial<Record<TradeEnd, number>>)[trade.end] ?? 0,
    doers: {
      seller: `user:${terms.sellerId}`,
      buyer: `user:${terms.buyerId}`,
      staff: `staff:${serviceOf(market, orderId).id}`,
    },
  });
}

/** The clocks of orders that are under way. */
async function storeOrderTimers(market: Market, trades: readonly PricedTrade[]): Promise<void> {
  const rows = trades.flatMap(({ trade, orderId, terms }): unknown[][] => {
    if (trade.end === 'unpaid')
      return [['order.expire', String(orderId), market.ago(trade.createdAgo - UNPAID_MINUTES)]];
    if (trade.end === 'shipped')
      return [['order.autoConfirm', String(orderId), market.ago(trade.shippedAgo - confirmMinutes(terms.typeId))]];
    return [];
  });
  await insertRows(market.client, 'timer', TIMER_COLUMNS, rows);
}

/** Balances were topped up before the first trade. */
const TOP_UP_AGO = 110 * 1440;

/** Payments by channel, and the balances that the others were paid from. Returns all postings. */
async function storeMoney(market: Market, trades: readonly PricedTrade[], spare: Spare): Promise<Dated[]> {
  const paid = trades.filter((p) => ENDS[p.trade.end].paid);
  const byChannel = paid.filter((p) => p.trade.byChannel);
  const needs = new Map<number, { distId: number; fen: number }>();
  for (const p of paid) {
    if (p.trade.byChannel) continue;
    const known = needs.get(p.terms.buyerId);
    needs.set(p.terms.buyerId, { distId: p.terms.distId, fen: (known?.fen ?? 0) + p.price.totalFen });
  }
  for (const [userId, need] of spare) {
    needs.set(userId, { distId: need.distId, fen: (needs.get(userId)?.fen ?? 0) + need.fen });
  }
  const topups = [...needs].map(([userId, need]): PaymentSeed => {
    const left = Math.floor(random(mixSeed(market.seed, userId, 81))() * 300_000);
    return { userId, distId: need.distId, orderId: null, fen: need.fen + left, ago: TOP_UP_AGO };
  });
  const before = await storeDatedPayments(market, topups);
  const { ids } = await storeDatedPayments(
    market,
    byChannel.map(
      (p): PaymentSeed => ({
        userId: p.terms.buyerId,
        distId: p.terms.distId,
        orderId: p.orderId,
        fen: p.price.totalFen,
        ago: p.trade.paidAgo,
      }),
    ),
  );
  const paymentOf = new Map(byChannel.map((p, i) => [p.orderId, ids[i] ?? 0]));
  return [...before.topups, ...paid.flatMap((p) => moneyOf(market, p, paymentOf.get(p.orderId) ?? null))];
}
