import { OrderStatus } from '../rules/order-status.ts';
import { isService } from '../rules/order-types.ts';
import { AuthStatus, GoodsStatus, isPrivateGoods } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { orEarlier, resultOf } from '#server/db/idempotent.ts';
import type { Context } from '#server/context.ts';
import type { UserCall } from '#server/access/call.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { requireConsents } from '#subjects/accounts/server/service.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, guaranteesOf } from '#subjects/games/server/service.ts';
import { publishChangedGoods } from '#subjects/goods/server/service.ts';
import type { Transfer } from '#subjects/ledger/server/service.ts';
import { couponBarred, usableCoupon } from '#subjects/promotions/server/service.ts';
import { requireAdultBorn } from '#subjects/verification/server/service.ts';
import { type Placed, withUniqueOrderSn } from './placing/placing.ts';
import { planOf, runPlan } from './placing/plan.ts';
import { type Price, priceOf } from './placing/pricing.ts';
import {
  agreedBargain,
  goodsForOrder,
  loadForPlacement,
  type OrderGoods,
  termsForParty,
  termsForSystem,
} from './queries.ts';
import type { OrderTerms, TransitionName } from './rules.ts';
import { type TransitionResult, applyTransition } from './apply-transition.ts';

export { type Contact, loadContacts } from './contact.ts';
export { refreshDays } from './figures/days.ts';
export { loadDetail } from './detail.ts';
export { exchangeColumn } from './handover/exchange-column.ts';
export { dueColumns, dueOf, type DueRow, orderDue, loadServiceDue } from './handover/due.ts';
export { type UnlistedOrder, unlistedPrice, type UnlistedSnapshot, placeUnlisted } from './placing/place-unlisted.ts';
export type { Placed } from './placing/placing.ts';
export { listOrders, type OrderRow } from './list.ts';
export { listItemOf } from './view.ts';
export { tradedFacts } from './placing/traded-facts.ts';
export { completeStep, completeStepIn } from './handover/complete-step.ts';
export {
  accountIsSealed,
  finishServiceSteps,
  markServiceAccepted,
  markServiceDelivered,
  moveServiceDue,
  payServicePart,
  lockCredentials,
} from './handover/service-steps.ts';
export { encryptedBody, wrappedKey } from './handover/credentials.ts';
export { isOpenedForTakeOver, openForm } from './handover/openings.ts';
export { listedAccount, listedAccountFor } from './handover/listed-account.ts';
export { askForNewVersion } from './handover/reseal.ts';
export { eraseEnded } from './retention.ts';
export { figuresOfProvider } from './figures/of-provider.ts';
export { foldFigures, recountDay } from './figures/daily-sums.ts';
export {
  endService,
  executeRuling,
  type RulingResult,
  lockedOrder,
  resumeClocks,
  stopClocks,
  type Stopped,
} from './ruling.ts';
export { addProcess } from './process.ts';
export { triageLate } from './handover/late.ts';
export { lateSeconds, WARN_SECONDS } from './handover/late-times.ts';
export { payByRequest, payPlaced } from './requested.ts';
export { payByBid, returnRecycled, settleRecycled } from './recycled.ts';
export { type Decider, loadFundNeed, takeForFund } from './undo.ts';
export { goodsForOrder, goodsForDisplay, termsForParty, termsForSystem } from './queries.ts';
export { escrowFen, type OrderTerms, sellerNetFen } from './rules.ts';
export { discountsOff } from './placing/discounts.ts';
export { commissionOf, type FeeSetting, type Price, priceOf } from './placing/pricing.ts';
export { type TransitionResult, applyTransition } from './apply-transition.ts';

export interface OrderInput {
  goodsSn: string;
  goodsNum: number;
  ensureId?: number | undefined;
  fixEnsureId?: number | undefined;
  couponId?: number | undefined;
  bargainId?: number | undefined;
  goodsVersion?: number | undefined;
  /** The total shown to the buyer, in fen. */
  shownPrice?: number | undefined;
}

/**
 * Finds the goods, unless they are passed in, and computes every fee. Throws GOODS_* and ORDER_SERVICE_TYPE. Does not
 * reveal the existence of an unapproved listing to anyone but the seller.
 */
export async function quote(
  call: UserCall,
  input: OrderInput,
  preloaded?: { goods: OrderGoods | undefined },
): Promise<{ goods: OrderGoods; price: Price; unitFen: number }> {
  const { ctx, user, dist } = call;
  if (dist.conf.suspendNotice !== undefined) throw new AppError('SITE_SUSPENDED');
  const goods = preloaded ? preloaded.goods : await goodsForOrder(ctx.db, input.goodsSn);
  if (!goods || (dist.games && !dist.games.includes(goods.gameId))) throw new AppError('GOODS_NOT_FOUND');
  const games = await catalogue(ctx);
  if (games.known(goods.gameId) && !games.game(goods.gameId)) throw new AppError('GOODS_NOT_ON_SALE');
  if (goods.sellerId === user.id) throw new AppError('GOODS_OWN');
  if (isPrivateGoods(goods.status)) throw new AppError('GOODS_NOT_FOUND');
  if (goods.status !== GoodsStatus.OnSale) throw new AppError('GOODS_NOT_ON_SALE');
  if (isService(goods.typeId)) throw new AppError('ORDER_SERVICE_TYPE');
  if (goods.stock < input.goodsNum) throw new AppError(goods.stock === 0 ? 'GOODS_NOT_ON_SALE' : 'GOODS_STOCK');
  const agreed = input.bargainId ? await agreedBargain(ctx.db, user.id, goods.id, input.bargainId) : undefined;
  if (input.bargainId && agreed === undefined) throw new AppError('BARGAIN_STATE', { text: '议价已失效，请重新议价' });
  // The agreed price applies to one unit; the other units of a listing with stock cost the listed price.
  if (agreed !== undefined && input.goodsNum !== 1)
    throw new AppError('BAD_INPUT', { text: '议价成交价只用于一件商品' });
  const coupon = input.couponId ? await usableCoupon(ctx.db, user.id, input.couponId) : undefined;
  // Bargaining must never raise the price: the seller may have reduced it below the agreed price since.
  const unitFen = Math.min(agreed ?? goods.priceFen, goods.priceFen);
  if (input.couponId && (!coupon || (coupon.distId !== null && coupon.distId !== dist.id)))
    throw new AppError('COUPON_UNUSABLE');
  const barred = coupon ? await couponBarred(ctx.db, user.id, goods.sellerId) : null;
  if (barred !== null) throw new AppError('COUPON_UNUSABLE', { text: barred });
  const price = priceOf({
    unitFen,
    agreed: unitFen < goods.priceFen,
    num: input.goodsNum,
    fees: ctx.dir.setting('fees'),
    guarantees: guaranteesOf(ctx, goods.gameId),
    ensureId: input.ensureId ?? 0,
    fixEnsureId: input.fixEnsureId ?? 0,
    guaranteeOk: goods.guaranteeOk,
    coupon: coupon ?? null,
    distShareBp: dist.id === 1 ? 0 : dist.commissionBp,
    markUpBp: dist.markUpBp,
    invited: user.inviterId !== null && user.inviterId !== goods.sellerId,
  });
  return { goods, price, unitFen };
}

/**
 * Places an order: reserves the goods, freezes the fees and sets the expiry, in one statement. Of many concurrent
 * buyers one wins; the others get GOODS_NOT_ON_SALE. Throws REAL_NAME_REQUIRED, GOODS_*, PRICE_CHANGED,
 * ORDER_TOO_MANY_UNPAID, IDEMPOTENCY_MISMATCH.
 */
export async function placeOrder(call: UserCall, input: OrderInput): Promise<Placed & { goodsSn: string }> {
  const { ctx, user, idem } = call;
  const loaded = await loadForPlacement<Placed>(ctx.db, { idem, userId: user.id, goodsSn: input.goodsSn });
  const earlier = idem && resultOf(loaded.earlier, idem);
  if (earlier) return { ...earlier, goodsSn: input.goodsSn };
  if (user.authStatus !== AuthStatus.Verified) throw new AppError('REAL_NAME_REQUIRED');
  requireAdultBorn(loaded.birth);
  await requireConsents(ctx.db, user.id);
  const { goods, price, unitFen } = await quote(call, input, loaded);
  if (input.goodsVersion !== undefined && input.goodsVersion !== goods.version) throw new AppError('GOODS_CHANGED');
  if (input.shownPrice !== undefined && input.shownPrice !== price.totalFen)
    throw new AppError('PRICE_CHANGED', {
      text: `费用刚刚调整，应付金额现在是 ${yuanLabel(price.totalFen)} 元，请核对后再提交`,
    });
  const plan = planOf(call, {
    typeId: goods.typeId,
    gameId: goods.gameId,
    buyer: user,
    sellerId: goods.sellerId,
    num: input.goodsNum,
    unitFen,
    price,
    offerSn: goods.sn,
    goods,
    ensureId: input.ensureId,
    fixEnsureId: input.fixEnsureId,
    couponId: input.couponId,
    bargainId: input.bargainId,
    snapshot: snapshotOf(goods),
    explain: '买家提交订单，等待付款',
  });
  const placed = await withUniqueOrderSn((sn) => runPlan(ctx.db, plan, sn));
  // The ordered goods are removed from every list.
  publishChangedGoods(ctx, [goods]);
  return { ...placed, goodsSn: goods.sn };
}

/** The goods data stored with an order. */
export const snapshotOf = (g: OrderGoods) => ({
  title: g.title,
  gameCode: g.gameCode,
  gameName: g.gameName,
  areaName: g.areaName ?? '',
  serverName: g.serverName ?? '',
  attrs: g.attrs,
  picture: g.picture,
  fieldsVersion: g.fieldsVersion,
  version: g.version,
});

/** A party's step by the order's id. Orders of other users are ORDER_NOT_FOUND, like missing ones. */
export async function partyStep(
  call: UserCall,
  orderId: number,
  pick: (o: OrderTerms, role: 'buyer' | 'seller') => TransitionName,
  note?: string,
): Promise<TransitionResult> {
  const { ctx, user, idem } = call;
  return await orEarlier(ctx.db, idem, async () => {
    const order = await termsForParty(ctx.db, { id: orderId }, user.id);
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    const role = order.buyerId === user.id ? 'buyer' : 'seller';
    return await applyTransition(ctx, ctx.db, {
      name: pick(order, role),
      order,
      role,
      actor: `user:${user.id}`,
      idem,
      note,
    });
  });
}

/** A step by staff, in the caller's transaction; staff of a distributor may act only on that distributor's orders. */
export async function staffStep(
  ctx: Context,
  trx: Trx,
  staff: { id: number; distId: number | null },
  orderId: number,
  name: TransitionName,
  note?: string,
): Promise<TransitionResult> {
  const order = await termsForSystem(trx, { id: orderId }, staff.distId);
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  return await applyTransition(ctx, trx, { name, order, role: 'staff', actor: `staff:${staff.id}`, note });
}

/** Assigns orders to members of staff, except those that have one. */
export async function assignStaff(trx: Trx, assigned: readonly { orderId: number; staffId: number }[]): Promise<void> {
  if (assigned.length === 0) return;
  const orderIds = assigned.map(({ orderId }) => orderId);
  const staffIds = assigned.map(({ staffId }) => staffId);
  await sql`
    with free as materialized (select id from orders where id = any(${orderIds}::bigint[]) and staff_id is null order by id for no key update)
    update orders o set staff_id = a.staff_id from free, unnest(${orderIds}::bigint[], ${staffIds}::bigint[]) as a(order_id, staff_id)
    where o.id = free.id and o.id = a.order_id`.execute(trx);
}

/** Assigns an order to another member of customer service. */
export async function reassignStaff(trx: Trx, orderId: number, staffId: number): Promise<void> {
  await sql`update orders set staff_id = ${staffId} where id = ${orderId}`.execute(trx);
}

/** Buyer asks to cancel, seller declines: marks on the order, no step. `agree` is the step cancelAgreed. */
export async function requestOrDeclineCancel(
  call: UserCall,
  orderId: number,
  action: 'ask' | 'decline',
  reason: string | undefined,
): Promise<TransitionResult> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number; sn: string; status: number }>`
      update orders set cancel_asked_at = ${action === 'ask' ? sql`now()` : sql`null`}
      where id = ${orderId} and status = ${sql.lit(OrderStatus.Paid)} and not disputed and snapshot->>'service' is null and ${action === 'ask' ? sql`buyer_id` : sql`seller_id`} = ${user.id}
        and (cancel_asked_at is null) = ${action === 'ask'} returning id, sn, status`.execute(trx);
    const row = rows[0];
    if (!row)
      throw new AppError((await termsForParty(trx, { id: orderId }, user.id)) ? 'ORDER_STATE' : 'ORDER_NOT_FOUND');
    const message = action === 'ask' ? '买家申请取消订单' : '卖家拒绝了取消申请';
    await sql`insert into order_process (order_id, order_status, explain, actor) values (${row.id}, ${row.status}, ${reason ? `${message}：${reason}` : message}, ${`user:${user.id}`})`.execute(
      trx,
    );
    await emit(trx, action === 'ask' ? 'order.cancelAsked' : 'order.cancelDeclined', { orderId: row.id });
    return { orderId: row.id, orderSn: row.sn, status: row.status };
  });
}

/**
 * Pays an order with money received through a channel, plus the balance's part if any: both or neither. In the
 * payment's transaction.
 */
export async function payByChannel(
  ctx: Context,
  trx: Trx,
  payment: { id: number; orderId: number; channelTransfer: Transfer; balanceTransfer: Transfer | null },
): Promise<TransitionResult> {
  const order = await termsForSystem(trx, { id: payment.orderId });
  if (!order || order.status !== OrderStatus.Unpaid) throw new AppError('ORDER_STATE');
  const extra = payment.balanceTransfer
    ? [payment.channelTransfer, payment.balanceTransfer]
    : [payment.channelTransfer];
  return await applyTransition(ctx, trx, {
    name: 'payChannel',
    order,
    role: 'payment',
    actor: `payment:${payment.id}`,
    extra,
  });
}
