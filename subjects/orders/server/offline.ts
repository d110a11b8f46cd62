/** Orders that were handed over outside the site: the seller's mark and the buyer's answer (decision 303). */
import { sql } from 'kysely';
import { OrderStatus } from '../rules/order-status.ts';
import { offlineMethodName } from '../rules/offline.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { addProcess } from './process.ts';
import { termsForParty } from './queries.ts';
import type { OrderTerms } from './rules.ts';
import { type TransitionResult, applyTransition } from './apply-transition.ts';

/** Records a mark or its answer, posts it in the trade's group and notifies the other party. */
async function publishOffline(
  trx: Trx,
  order: OrderTerms,
  change: { by: 'buyer' | 'seller'; title: string; text: string },
): Promise<void> {
  const { by, title, text } = change;
  const actor = by === 'buyer' ? order.buyerId : order.sellerId;
  const to = by === 'buyer' ? order.sellerId : order.buyerId;
  await addProcess(trx, { id: order.id, status: OrderStatus.Shipped }, title, `user:${actor}`);
  await emit(trx, 'order.offline', { orderId: order.id, userId: to, what: title, text });
  await emit(trx, 'chat.card', {
    orderId: order.id,
    key: `offline-${by}`,
    card: 'order.offline',
    title,
    content: text,
  });
}

/**
 * Ships an order like any other, by the same steps and clocks, and marks it as handed over outside the site. A shipped
 * order is only marked. The mark has no effect on the money, and none on ratings until the buyer agrees. Throws
 * ORDER_NOT_FOUND, ORDER_FORBIDDEN, ORDER_STATE (also for a second mark), ORDER_HANDOVER_OPEN.
 */
export async function shipOffline(call: UserCall, orderId: number, method: number): Promise<TransitionResult> {
  const { ctx, user, idem } = call;
  const mark = async (trx: Trx): Promise<TransitionResult> => {
    const order = await termsForParty(trx, { id: orderId }, user.id);
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    const role = order.buyerId === user.id ? 'buyer' : 'seller';
    // A service is delivered by its own steps, which are the trade itself.
    if (order.isService) throw new AppError('ORDER_STATE');
    const actor = `user:${user.id}`;
    const shipped = await applyTransition(ctx, trx, { name: 'ship', order, role, actor });
    const { rows } = await sql<{ id: number }>`
        update orders set offline_mark = ${method}
        where id = ${orderId} and status = ${OrderStatus.Shipped} and not disputed and offline_mark is null returning id`.execute(
      trx,
    );
    if (rows.length === 0) throw new AppError('ORDER_STATE');
    await publishOffline(trx, order, {
      by: 'seller',
      title: `卖家标明：${offlineMethodName(method)}`,
      text: '请买家核对是否属实。货款仍由平台托管，没有收到请不要确认收货，可以申诉。',
    });
    return shipped;
  };
  return await orEarlier(ctx.db, idem, () => inTransaction(ctx.db, (trx) => idempotent(trx, idem, () => mark(trx))));
}

/**
 * The buyer's answer to the seller's mark: if agreed, the sale is an offline one and does not count for ratings and
 * levels; if denied, it stays an ordinary sale. Throws ORDER_NOT_FOUND, ORDER_FORBIDDEN for the seller, ORDER_STATE
 * when there is nothing to answer.
 */
export async function answerOffline(call: UserCall, orderId: number, agree: boolean): Promise<TransitionResult> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) => {
    const order = await termsForParty(trx, { id: orderId }, user.id);
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    if (order.buyerId !== user.id) throw new AppError('ORDER_FORBIDDEN');
    const { rows } = await sql<TransitionResult>`
      update orders set offline_agreed = ${agree}, is_recovery = case when ${agree} then offline_mark else 0 end
      where id = ${orderId} and status = ${OrderStatus.Shipped} and not disputed and offline_mark is not null and offline_agreed is null
      returning id as "orderId", sn as "orderSn", status`.execute(trx);
    const row = rows[0];
    if (!row) throw new AppError('ORDER_STATE');
    await publishOffline(trx, order, {
      by: 'buyer',
      title: agree ? '买家确认是线下交付' : '买家表示不是线下交付',
      text: agree ? '货款仍由平台托管，等买家确认收货。' : '按平台内的交付处理，评价照常计入。',
    });
    return row;
  });
}
