import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { cancel, schedule } from '#server/jobs/effect-writer.ts';
import { account, post, resumeHold, type Transfer } from '#subjects/ledger/server/service.ts';
import { addProcess } from './process.ts';
import { termsForSystem } from './queries.ts';
import { lockedOrder } from './ruling.ts';
import { sellerNetFen } from './rules.ts';
import { applyTransition } from './apply-transition.ts';

/** Pays an order of a recycled account with the money of its bid, in the transaction that placed it. */
export async function payByBid(ctx: Context, trx: Trx, orderId: number, quoteId: number): Promise<void> {
  const order = await termsForSystem(trx, { id: orderId });
  if (!order) throw new AppError('ORDER_NOT_FOUND');
  const paid: Transfer = {
    code: 'recycle_pay',
    ref: `order:${orderId}`,
    debit: account.bid(quoteId),
    credit: account.escrow(orderId),
    fen: order.totalFen,
    dist: order.distId,
    order: orderId,
  };
  await applyTransition(ctx, trx, {
    name: 'payChannel',
    order,
    role: 'payment',
    actor: `bid:${quoteId}`,
    extra: [paid],
  });
}

/**
 * Ends the order of an account that was inspected: shipped, completed and paid in one transaction. `cutFen` of the price goes back to the
 * recycler; the rest is held for the seller for `takeOverSeconds`, while the recycler takes the account over (decision
 * 274). For accounts bought by the platform the hold does not end automatically (decision 523). Returns the amount for
 * the seller, in fen. Throws ORDER_STATE, ORDER_HANDOVER_OPEN.
 */
export async function settleRecycled(
  ctx: Context,
  trx: Trx,
  input: {
    orderId: number;
    cutFen: number;
    takeOverSeconds: number;
    isPlatforms: boolean;
    staffId: number | null;
    note: string;
  },
): Promise<number> {
  const { orderId, cutFen, takeOverSeconds, isPlatforms, staffId, note } = input;
  const actor = staffId === null ? 'timer' : `staff:${staffId}`;
  const paid = await lockedOrder(trx, orderId);
  await applyTransition(ctx, trx, { name: 'ship', order: paid, role: 'staff', actor });
  const order = await lockedOrder(trx, orderId);
  const fen = sellerNetFen(order) - cutFen;
  await applyTransition(ctx, trx, { name: 'recycleSettle', order, role: 'timer', actor, note, holdFen: fen });
  if (cutFen > 0) {
    await sql`update orders set cut_fen = ${cutFen} where id = ${orderId}`.execute(trx);
    const [debit, credit] = [account.frozen(order.sellerId), account.available(order.buyerId)];
    const same = { ref: `order:${orderId}`, dist: order.distId, order: orderId };
    await post(trx, [{ ...same, code: 'recycle_cut', debit, credit, fen: cutFen }]);
  }
  const hours = Math.round(takeOverSeconds / 3600);
  const until = isPlatforms
    ? `平台接管账号后解冻，满 ${hours} 小时没有接管转客服处理`
    : `回收商接管账号或满 ${hours} 小时后解冻`;
  await resumeHold(trx, orderId, takeOverSeconds, `订单 ${order.sn} 已验号，${until}`);
  if (isPlatforms) await cancel(trx, 'hold.release', orderId);
  else await schedule(trx, 'hold.release', orderId, { seconds: takeOverSeconds });
  return fen;
}

/**
 * Ends the order without a sale: everything goes back to the recycler, the account stays with the seller, free of
 * charge. Throws ORDER_STATE, ORDER_DISPUTED.
 */
export async function returnRecycled(
  ctx: Context,
  trx: Trx,
  input: { orderId: number; actor: string; note: string },
): Promise<void> {
  const order = await lockedOrder(trx, input.orderId);
  await applyTransition(ctx, trx, {
    name: 'recycleReturn',
    order,
    role: 'timer',
    actor: input.actor,
    note: input.note,
  });
  await addProcess(
    trx,
    { ...order, status: OrderStatus.ClosedByPlatform },
    '密封信息不再打开，请卖家及时修改密码',
    'timer',
  );
}
