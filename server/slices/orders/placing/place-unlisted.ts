import { AuthStatus } from '#contract/rules/statuses.ts';
import { inTransaction, callPlan, type Trx } from '#server/db/client.ts';
import type { Idem, UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Distributor } from '#server/directory.ts';
import type { PictureItem } from '#server/slices/media/service.ts';
import { couponBarred, usableCoupon } from '#server/slices/promotions/service.ts';
import { requireAdult } from '#server/slices/verification/service.ts';
import { earlierResult, type Placed, withUniqueOrderSn } from './placing.ts';
import { type Price, priceOf } from './pricing.ts';

/** What an order keeps of the thing it is about. */
export interface UnlistedSnapshot {
  title: string;
  gameCode: string;
  gameName: string;
  areaName: string;
  serverName: string;
  attrs: Record<string, unknown>;
  picture: PictureItem | null;
  fieldsVersion: number;
  /** Labels and values that the order's page shows as they stand. */
  facts?: readonly { label: string; value: string }[];
  /** The seller's promise from payment to delivery. */
  shipSeconds?: number;
  /** The buyer's bid binds him. */
  binding?: true;
  /** The goods type whose hand-over steps are taken, 0 for none; absent = the order's own type. */
  handoverType?: number;
  /** Boosting or companion play: the services slice leads the order. */
  service?: true;
  /** Boosting in which the buyer plays along on the own account: no step asks for it. */
  together?: true;
  /** How coin by the lot is delivered (contract/rules/catalogue.ts, deliveryNames): the steps say what each way needs. */
  delivery?: number;
}

/** An order whose price does not come from a listing: coin by amount, recycling, a private deal. */
export interface UnlistedOrder {
  typeId: number;
  gameId: number | null;
  buyer: { id: number; inviterId: number | null };
  sellerId: number;
  num: number;
  unitFen: number;
  price: Price;
  /** Number of the offer, shown as the goods' number. */
  offerSn: string | null;
  /** Goods to take as the same step does for an ordinary order. */
  goods?: { id: number; version: number };
  couponId?: number | undefined;
  /** Seconds to pay in, where they are not those of every order. */
  unpaidSeconds?: number;
  snapshot: UnlistedSnapshot;
  explain: string;
}

/**
 * Prices a deal by the same fees as any order: service fee, commission, shares, coupon. `buyer` pays. Throws COUPON_UNUSABLE,
 * PAY_AMOUNT.
 */
export async function unlistedPrice(
  ctx: Context,
  dist: Distributor,
  deal: {
    unitFen: number;
    num: number;
    buyer: UnlistedOrder['buyer'];
    sellerId: number;
    couponId?: number | undefined;
    markUpBp?: number;
  },
): Promise<Price> {
  if (dist.conf.suspendNotice !== undefined) throw new AppError('SITE_SUSPENDED');
  const { buyer, couponId } = deal;
  const coupon = couponId ? await usableCoupon(ctx.db, buyer.id, couponId) : undefined;
  if (couponId && (!coupon || (coupon.distId !== null && coupon.distId !== dist.id)))
    throw new AppError('COUPON_UNUSABLE');
  const barred = coupon ? await couponBarred(ctx.db, buyer.id, deal.sellerId) : null;
  if (barred !== null) throw new AppError('COUPON_UNUSABLE', { text: barred });
  return priceOf({
    unitFen: deal.unitFen,
    num: deal.num,
    fees: ctx.dir.setting('fees'),
    guarantees: [],
    ensureId: 0,
    fixEnsureId: 0,
    guaranteeOk: false,
    coupon: coupon ?? null,
    distShareBp: dist.id === 1 ? 0 : dist.commissionBp,
    // Only listings have a mark-up: theirs is passed on.
    markUpBp: deal.markUpBp ?? 0,
    invited: buyer.inviterId !== null && buyer.inviterId !== deal.sellerId,
  });
}

function planOf(call: UserCall, deal: UnlistedOrder, idem: Idem | undefined) {
  const { ctx, dist, user } = call;
  const { price } = deal;
  const setting = ctx.dir.setting('order');
  return {
    ...(idem ? { idem } : {}),
    ...(deal.goods ? { goodsVersion: deal.goods.version } : {}),
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
      ensure_id: 0,
      fix_ensure_id: 0,
      coupon_id: deal.couponId || null,
      bargain_id: null,
      fees: price.lines,
      snapshot: deal.snapshot,
    },
  };
}

/**
 * Places the order of a deal, and does in the same transaction what `also` does: take the stock, write the deal's own row. A repeat
 * under the same key answers the first order and does nothing else. `make` runs after that look-up, so a repeat is answered before any
 * rule. Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR, ORDER_TOO_MANY_UNPAID, IDEMPOTENCY_MISMATCH and what `also` throws.
 */
export async function placeUnlisted(
  call: UserCall,
  make: () => Promise<{ deal: UnlistedOrder; also: (trx: Trx, placed: Placed) => Promise<void> }>,
): Promise<Placed> {
  const { ctx, idem, user } = call;
  const earlier = idem ? await earlierResult<Placed>(ctx, idem) : undefined;
  if (earlier) return earlier;
  if (user.authStatus !== AuthStatus.Verified) throw new AppError('REAL_NAME_REQUIRED');
  await requireAdult(ctx.db, user.id);
  const { deal, also } = await make();
  const plan = planOf(call, deal, idem);
  return await withUniqueOrderSn(
    async (sn) =>
      await inTransaction(ctx.db, async (trx) => {
        const { replay, ...placed } = await callPlan<Placed & { replay?: true }>(trx, 'order_place', {
          ...plan,
          order: { ...plan.order, sn },
        });
        if (replay !== true) await also(trx, placed);
        return placed;
      }),
  );
}
