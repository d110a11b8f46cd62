import { AuthStatus } from '#contract/rules/statuses.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { earlierResult } from '#server/db/idempotent.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Distributor } from '#server/directory/directory.ts';
import type { PictureItem } from '#subjects/media/server/service.ts';
import { couponBarred, usableCoupon } from '#subjects/promotions/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { type Placed, withUniqueOrderSn } from './placing.ts';
import { type OrderDeal, planOf, runPlan } from './plan.ts';
import { type Price, priceOf } from './pricing.ts';

/** The item data stored with an order. */
export interface UnlistedSnapshot {
  title: string;
  gameCode: string;
  gameName: string;
  areaName: string;
  serverName: string;
  attrs: Record<string, unknown>;
  picture: PictureItem | null;
  fieldsVersion: number;
  /** Labels and values that the order's page shows unchanged. */
  facts?: readonly { label: string; value: string }[];
  /** The seller's promise from payment to delivery. */
  shipSeconds?: number;
  /** The buyer's bid is binding. */
  binding?: true;
  /** The goods type whose hand-over steps are used, 0 for none; absent = the order's own type. */
  handoverType?: number;
  /** Boosting or companion play: the services subject handles the order. */
  service?: true;
  /** Boosting in which the buyer plays along on their own account: no step requires it. */
  together?: true;
  /** How coin by the lot is delivered (contract/rules/catalogue.ts, deliveryNames): the steps say what each way needs. */
  delivery?: number;
}

/** An order whose price does not come from a listing: coin by amount, recycling, a private deal. */
export interface UnlistedOrder extends OrderDeal {
  snapshot: UnlistedSnapshot;
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

/**
 * Places the order of a deal and runs `also` in the same transaction, for example to take the stock and write the
 * deal's row. A repeat under the same key returns the first order and does nothing else. `make` runs after that
 * look-up, so a repeat returns before any rule is checked. Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR,
 * ORDER_TOO_MANY_UNPAID, IDEMPOTENCY_MISMATCH and what `also` throws.
 */
export async function placeUnlisted(
  call: UserCall,
  make: () => Promise<{ deal: UnlistedOrder; also: (trx: Trx, placed: Placed) => Promise<void> }>,
): Promise<Placed> {
  const { ctx, idem, user } = call;
  const earlier = await earlierResult<Placed>(ctx.db, idem);
  if (earlier) return earlier;
  if (user.authStatus !== AuthStatus.Verified) throw new AppError('REAL_NAME_REQUIRED');
  await requireAdult(ctx.db, user.id);
  const { deal, also } = await make();
  const plan = planOf(call, deal);
  return await withUniqueOrderSn(
    async (sn) =>
      await inTransaction(ctx.db, async (trx) => {
        const { replay, ...placed } = await runPlan(trx, plan, sn);
        if (replay !== true) await also(trx, placed);
        return placed;
      }),
  );
}
