import { PaymentStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { payChannelName } from '../rules/pay-channels.ts';
import { refundArrival } from '../rules/refund-arrival.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { account, lockedBalance, openDebtFen, post, refundSum } from '#subjects/ledger/server/service.ts';
import { daysOf, openRefund, ownOrder, type RefundRow, refundable, refundStatusNames, type Source } from './refunds.ts';

/** The channel payment of an order, and whether its refunds go to the channel automatically. */
export interface DefaultTarget {
  orderId: number;
  channel: string;
  /** The channel's part of the payment, in fen. */
  paidFen: number;
  /** The amount refunded to the buyer's balance, and the part of it sent on to the channel, failed attempts included, in fen. */
  backFen: number;
  sentFen: number;
  /** Why it stays on the balance: the buyer chose that, has an open debt, or the channel no longer refunds it; null = it goes to the channel. */
  stays: 'chosen' | 'debt' | 'window' | null;
}

/** Where refunds of these orders go by default; orders that no channel paid are absent. */
export async function defaultTargets(ctx: Context, db: Trx, orderIds: readonly number[]): Promise<DefaultTarget[]> {
  const { rows } = await sql<DefaultTarget>`
    select p.order_id as "orderId", p.channel, p.amount_fen as "paidFen", (select ${sql.raw(refundSum)} from ledger_transfer where order_id = p.order_id) as "backFen",
      coalesce((select sum(r.amount_fen) from refund r where r.payment_id = p.id), 0)::bigint as "sentFen",
      case when p.refund_to_balance then 'chosen'
        when p.paid_at <= now() - make_interval(days => ${daysOf(ctx)}) then 'window'
        when exists (select from debt d where d.debtor = 'user:' || p.user_id || ':available' and d.settled_at is null) then 'debt'
      end as stays
    from payment p where p.order_id = any(${[...orderIds]}::bigint[]) and p.status = ${sql.lit(PaymentStatus.Paid)}`.execute(
    db,
  );
  return rows;
}

/** The amount that a refund of this order sends to its channel now, in fen; 0 when it stays on the balance. */
export const dueToChannel = (t: DefaultTarget): number =>
  t.stays === null ? Math.max(0, Math.min(t.backFen, t.paidFen) - t.sentFen) : 0;

/**
 * Sends an order's refund, as far as it is still on the balance, to the channel that paid the order. Does nothing when the buyer chose the
 * balance or has an open debt, when the channel no longer refunds the payment, or when called again: an earlier refund counts even if the
 * channel rejected it.
 */
async function refundByDefault(ctx: Context, trx: Trx, orderId: number): Promise<void> {
  const { rows } = await sql<Source & { sn: string }>`
    select p.id, p.user_id, p.dist_id, p.order_id, p.channel, p.amount_fen, o.sn from payment p join orders o on o.id = p.order_id
    where p.order_id = ${orderId} and p.status = ${sql.lit(PaymentStatus.Paid)} for update of p`.execute(trx);
  const source = rows[0];
  const [target] = await defaultTargets(ctx, trx, [orderId]);
  const dueFen = target ? dueToChannel(target) : 0;
  if (!source || dueFen === 0) return;
  // The buyer may have spent it, or a debt may have taken it.
  const amountFen = Math.min(dueFen, await lockedBalance(trx, account.available(source.user_id)));
  if (amountFen <= 0 || (await openDebtFen(trx, source.user_id)) > 0) return;
  const row = await openRefund(trx, source, { amountFen, cause: 'default', reason: `订单 ${source.sn} 退款` });
  await post(trx, [
    {
      code: 'refund_ask',
      ref: `refund:${row.id}`,
      debit: account.available(source.user_id),
      credit: account.frozen(source.user_id),
      fen: amountFen,
      dist: source.dist_id,
      order: orderId,
    },
  ]);
  await emit(trx, 'notice', {
    kind: 'money.refund',
    userId: source.user_id,
    ref: `refund:${row.id}`,
    values: {
      what: '退款原路退回中',
      orderSn: source.sn,
      amount: yuanLabel(amountFen),
      text: `退回${payChannelName(source.channel)}，${refundArrival(source.channel)}`,
    },
  });
}

/** Refunds ended or divided orders to their channels: after a cancellation, a ruling, or a partly done service. Idempotent. */
export async function refundEndedOrders(ctx: Context, orderIds: readonly number[]): Promise<void> {
  const targets = await defaultTargets(ctx, ctx.db, orderIds);
  for (const target of targets)
    if (dueToChannel(target) > 0) await inTransaction(ctx.db, (trx) => refundByDefault(ctx, trx, target.orderId));
}

/**
 * Stores the buyer's choice of the destination of an order's refund. Throws ORDER_NOT_FOUND, and REFUND_CHOICE when no channel paid the order
 * or money was already refunded.
 */
export async function chooseRefundTarget(
  { ctx, user }: UserCall,
  request: { orderSn: string; toBalance: boolean },
): Promise<void> {
  const orderId = await ownOrder(ctx, user.id, request.orderSn);
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select id from payment where order_id = ${orderId} and user_id = ${user.id} and status = ${sql.lit(PaymentStatus.Paid)} for update`.execute(
      trx,
    );
    const payment = rows[0];
    if (!payment) throw new AppError('REFUND_CHOICE', { text: '这笔订单没有在线付款，退款退到余额' });
    const { rows: changed } = await sql`
      update payment set refund_to_balance = ${request.toBalance} where id = ${payment.id} and (select ${sql.raw(refundSum)} from ledger_transfer where order_id = payment.order_id) = 0
      returning id`.execute(trx);
    if (changed.length === 0) throw new AppError('REFUND_CHOICE');
  });
}

/**
 * Where the refund of an order goes, how much of it the buyer may still send to its source, and the refunds so far. Throws
 * ORDER_NOT_FOUND.
 */
export async function loadRefundInfo({ ctx, user }: UserCall, orderSn: string) {
  const orderId = await ownOrder(ctx, user.id, orderSn);
  const [[target], open, { rows }] = await Promise.all([
    defaultTargets(ctx, ctx.db, [orderId]),
    refundable(ctx.db, orderId, daysOf(ctx), false),
    sql<RefundRow>`select * from refund where order_id = ${orderId} order by id desc limit 50`.execute(ctx.db),
  ]);
  const channel = target?.channel ?? rows[0]?.channel ?? '';
  return {
    refundable: open?.fen ?? 0,
    channelName: payChannelName(channel),
    arrival: refundArrival(channel),
    channelPart: target?.paidFen ?? 0,
    stays: target ? target.stays : null,
    canChoose: target?.backFen === 0 && (target.stays === null || target.stays === 'chosen'),
    list: rows.map((r) => ({
      refundNo: r.refund_no,
      amount: r.amount_fen,
      status: r.status,
      statusName: refundStatusNames[r.status as 0] ?? '',
      reason: r.reason,
      createTime: r.created_at,
      doneTime: r.done_at,
    })),
  };
}
