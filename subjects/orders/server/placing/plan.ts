import { z } from 'zod';
import type { Idem, UserCall } from '#server/access/call.ts';
import { callPlan, type Trx } from '#server/db/client.ts';
import type { Placed } from './placing.ts';
import type { Price } from './pricing.ts';

const id = z.int().positive();
const fen = z.int().nonnegative();

/**
 * The plan of a new order: exactly the fields that function `order_place` reads (subjects/orders/db/order_place.sql). `order` has the columns of
 * table `orders`. tests/unit/money/order-plan.test.ts compares both.
 */
export const orderPlan = z.strictObject({
  /** The idempotency key; absent for a caller without one. */
  idem: z.custom<Idem>((value) => typeof value === 'object' && value !== null).exactOptional(),
  /** The version of the listing that the price was computed for. */
  goodsVersion: z.int().exactOptional(),
  /** Maximum number of unpaid orders per buyer. */
  maxUnpaid: z.int(),
  /** Waiting times after unpaid orders of a day. */
  pauseSeconds: z.array(z.int()),
  /** Time to pay. */
  expireSeconds: z.int(),
  /** The text of the order's first record. */
  explain: z.string(),
  /** The person placing it, as 'user:7'; the buyer's own orders are subject to the limits. */
  actor: z.string(),
  order: z.strictObject({
    sn: z.string(),
    dist_id: id,
    type_id: id,
    goods_id: id.nullable(),
    goods_sn: z.string().nullable(),
    game_id: id.nullable(),
    buyer_id: id,
    seller_id: id,
    goods_num: id,
    unit_price_fen: fen,
    goods_fen: fen,
    service_fee_fen: fen,
    ensure_fen: fen,
    fix_ensure_fen: fen,
    discount_fen: fen,
    total_fen: fen,
    commission_fen: fen,
    dist_share_fen: fen,
    invite_reward_fen: fen,
    inviter_id: id.nullable(),
    /** 0 for none. */
    ensure_id: z.int(),
    fix_ensure_id: z.int(),
    coupon_id: id.nullable(),
    bargain_id: id.nullable(),
    /** The lines of the price, as the order shows them. */
    fees: z.unknown(),
    /** The goods data stored with the order. */
    snapshot: z.unknown(),
  }),
});
export type OrderPlan = z.output<typeof orderPlan>;

/** The ordered item and its price. */
export interface OrderDeal {
  typeId: number;
  gameId: number | null;
  buyer: { id: number; inviterId: number | null };
  sellerId: number;
  num: number;
  unitFen: number;
  price: Price;
  /** Number of the offer, shown as the goods' number. */
  offerSn: string | null;
  /** Goods to reserve in the same statement. */
  goods?: { id: number; version: number };
  ensureId?: number | undefined;
  fixEnsureId?: number | undefined;
  couponId?: number | undefined;
  bargainId?: number | undefined;
  /** Time to pay in seconds, if it differs from the default. */
  unpaidSeconds?: number;
  snapshot: object;
  explain: string;
}

/** The plan of an order, without its number. */
export function planOf(
  call: UserCall,
  deal: OrderDeal,
): Omit<OrderPlan, 'order'> & { order: Omit<OrderPlan['order'], 'sn'> } {
  const { ctx, dist, user, idem } = call;
  const { price } = deal;
  const setting = ctx.dir.setting('order');
  return {
    ...(idem && { idem }),
    ...(deal.goods && { goodsVersion: deal.goods.version }),
    maxUnpaid: setting.maxUnpaid,
    pauseSeconds: setting.unpaidPauseSeconds,
    expireSeconds: deal.unpaidSeconds ?? setting.unpaidSeconds,
    explain: deal.explain,
    actor: `user:${user.id}`,
    order: {
      dist_id: dist.id,
      type_id: deal.typeId,
      goods_id: deal.goods?.id ?? null,
      goods_sn: deal.offerSn,
      game_id: deal.gameId,
      buyer_id: deal.buyer.id,
      seller_id: deal.sellerId,
      goods_num: deal.num,
      unit_price_fen: deal.unitFen,
      goods_fen: price.goodsFen,
      service_fee_fen: price.serviceFeeFen,
      ensure_fen: price.ensureFen,
      fix_ensure_fen: price.fixEnsureFen,
      discount_fen: price.discountFen,
      total_fen: price.totalFen,
      commission_fen: price.commissionFen,
      dist_share_fen: price.distShareFen,
      invite_reward_fen: price.inviteRewardFen,
      inviter_id: price.inviteRewardFen > 0 ? deal.buyer.inviterId : null,
      ensure_id: deal.ensureId ?? 0,
      fix_ensure_id: deal.fixEnsureId ?? 0,
      coupon_id: deal.couponId || null,
      bargain_id: deal.bargainId || null,
      fees: price.lines,
      snapshot: deal.snapshot,
    },
  };
}

/**
 * Places the order of a plan under a number. `replay` is true for a repeat under the same idempotency key, which returns the first order
 * and writes nothing. Throws a ZodError for a plan that `order_place` could not read, which is a bug, and the errors of the function.
 */
export async function runPlan(
  db: Trx,
  plan: ReturnType<typeof planOf>,
  sn: string,
): Promise<Placed & { replay?: true }> {
  return await callPlan(db, 'order_place', orderPlan.parse({ ...plan, order: { ...plan.order, sn } }));
}
