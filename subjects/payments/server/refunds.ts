import { sql } from 'kysely';
import { RefundStatus, PaymentStatus } from '#contract/rules/statuses.ts';
import { fen, yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError, UnknownResult } from '#server/kernel/errors.ts';
import { channelNo } from '#server/kernel/ids.ts';
import type { ChannelOutcome, PayChannel } from '#server/ports/pay.ts';
import {
  account,
  endHold,
  openHold,
  requireNoDebt,
  post,
  refundCodes,
  refundSum,
} from '#subjects/ledger/server/service.ts';
import { releaseLease, setTimer, takeLease } from './lease.ts';

const PENDING = RefundStatus.Pending;
const RETRY_SECONDS = 60;
/** Delay between sending a refund and the first query of its state. */
const FIRST_CHECK_SECONDS = 15;

export const refundStatusNames = ['退回中', '已原路退回', '退回失败，已退到余额'] as const;

export interface RefundRow {
  id: number;
  refund_no: string;
  payment_id: number;
  order_id: number | null;
  user_id: number;
  dist_id: number;
  channel: string;
  amount_fen: number;
  reason: string;
  cause: 'late' | 'asked' | 'staff' | 'default';
  status: number;
  created_at: Date;
  done_at: Date | null;
  sent_at: Date | null;
  leased_until: Date | null;
  channel_reason: string | null;
}

export interface Source {
  id: number;
  user_id: number;
  dist_id: number;
  order_id: number | null;
  channel: string;
  amount_fen: number;
}

/** Creates the row, the hold and the job of a refund whose money is already in the user's frozen account. Returns the row. */
export async function openRefund(
  trx: Trx,
  source: Source,
  request: { amountFen: number; cause: RefundRow['cause']; reason: string },
): Promise<RefundRow> {
  const refundNo = channelNo('R', new Date());
  const { rows } = await sql<RefundRow>`
    insert into refund (refund_no, payment_id, order_id, dist_id, user_id, channel, amount_fen, reason, cause)
    values (${refundNo}, ${source.id}, ${source.order_id}, ${source.dist_id}, ${source.user_id}, ${source.channel}, ${request.amountFen}, ${request.reason}, ${request.cause})
    returning *`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('insert into refund returned no row');
  const reason = `${request.reason}，正在原路退回，到账后结束`;
  await openHold(trx, { userId: source.user_id, amountFen: request.amountFen, code: 'refund', reason, ref: refundNo });
  await setTimer(trx, 'refund.send', row.id, 0);
  return row;
}

/** Opens the refund of a late payment, whose money has just been booked to the frozen account. */
export async function openLateRefund(trx: Trx, source: Source): Promise<void> {
  await openRefund(trx, source, {
    amountFen: source.amount_fen,
    cause: 'late',
    reason: source.order_id === null ? '重复付款，退回' : '订单已关闭，付款退回',
  });
}

/**
 * How much of a paid order may still be refunded to its source, in fen: what was returned to the buyer's balance (cancellation, ruling),
 * at most the channel payment, less earlier refunds. Locks the payment row when `lock` is true.
 */
export async function refundable(
  trx: Trx,
  orderId: number,
  days: number,
  lock: boolean,
): Promise<{ source: Source; fen: number } | undefined> {
  const { rows } = await sql<Source>`
    select id, user_id, dist_id, order_id, channel, amount_fen from payment
    where order_id = ${orderId} and status = ${sql.lit(PaymentStatus.Paid)} and paid_at > now() - make_interval(days => ${days}) ${lock ? sql`for update` : sql``}`.execute(
    trx,
  );
  const source = rows[0];
  if (!source) return undefined;
  const { rows: sums } = await sql<{ back: number; refunded: number }>`
    select (select ${sql.raw(refundSum)} from ledger_transfer where order_id = ${orderId} and code = any(${[...refundCodes]})) as back,
      coalesce((select sum(amount_fen) from refund where payment_id = ${source.id} and status <> ${sql.lit(RefundStatus.Failed)}), 0)::bigint as refunded`.execute(
    trx,
  );
  const { back = 0, refunded = 0 } = sums[0] ?? {};
  return { source, fen: Math.max(0, Math.min(back, source.amount_fen) - refunded) };
}

/** The number of days after a payment during which its channel refunds it. */
export const daysOf = (ctx: Context): number => ctx.dir.setting('refund').days;

/** The id of an order that the user bought. Throws ORDER_NOT_FOUND, also for another user's order. */
export async function ownOrder(ctx: Context, userId: number, orderSn: string): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`select id from orders where sn = ${orderSn} and buyer_id = ${userId}`.execute(ctx.db);
  if (!rows[0]) throw new AppError('ORDER_NOT_FOUND');
  return rows[0].id;
}

/**
 * Refunds an order's returned money, in full or in part, from the balance to its source. The money is frozen in the same transaction;
 * a job calls the channel. Throws ORDER_NOT_FOUND, DEBT_OPEN, REFUND_NONE, PAY_AMOUNT, BALANCE_LOW.
 */
export async function refundToSource(call: UserCall, request: { orderSn: string; amountFen: number | undefined }) {
  const { ctx, user } = call;
  const orderId = await ownOrder(ctx, user.id, request.orderSn);
  return await inTransaction(ctx.db, (trx) =>
    idempotent<{ refundNo: string; status: number; amountFen: number }>(trx, call.idem, async () => {
      await requireNoDebt(trx, user.id);
      const open = await refundable(trx, orderId, daysOf(ctx), true);
      if (!open || open.fen === 0) throw new AppError('REFUND_NONE');
      const amountFen = request.amountFen ?? open.fen;
      if (amountFen > open.fen) throw new AppError('PAY_AMOUNT', { text: '超出可原路退回的金额', field: 'amount' });
      const row = await openRefund(trx, open.source, {
        amountFen,
        cause: 'asked',
        reason: `订单 ${request.orderSn} 退款`,
      });
      await post(trx, [
        {
          code: 'refund_ask',
          ref: `refund:${row.id}`,
          debit: account.available(user.id),
          credit: account.frozen(user.id),
          fen: amountFen,
          dist: open.source.dist_id,
          order: orderId,
        },
      ]);
      return { refundNo: row.refund_no, status: PENDING, amountFen };
    }),
  );
}

/**
 * Refunds a paid top-up, in full or in part, to its source on behalf of staff, in the caller's transaction: from the user's balance, at
 * most the amount of the top-up. The user is notified. Throws NOT_FOUND, TOPUP_REFUND, PAY_AMOUNT, BALANCE_LOW.
 */
export async function refundTopup(
  ctx: Context,
  trx: Trx,
  request: { paymentId: number; amountFen: number; reason: string },
): Promise<{ refundNo: string; userId: number }> {
  const { rows } = await sql<Source & { isOpen: boolean }>`
    select id, user_id, dist_id, order_id, channel, amount_fen, coalesce(paid_at > now() - make_interval(days => ${daysOf(ctx)}), false) as "isOpen"
    from payment where id = ${request.paymentId} and status = ${sql.lit(PaymentStatus.Paid)} and purpose in ('topup', 'deposit') for update`.execute(
    trx,
  );
  const source = rows[0];
  if (!source) throw errorOf('NOT_FOUND', 'topup');
  if (!source.isOpen) throw new AppError('TOPUP_REFUND', { text: '超过支付平台的退款期限，不能原路退回' });
  const { rows: sums } = await sql<{ refunded: number }>`
    select coalesce(sum(amount_fen), 0)::bigint as refunded from refund where payment_id = ${source.id} and status <> ${sql.lit(RefundStatus.Failed)}`.execute(
    trx,
  );
  const left = source.amount_fen - (sums[0]?.refunded ?? 0);
  if (left <= 0) throw new AppError('TOPUP_REFUND', { text: '这笔充值已全部退回' });
  if (request.amountFen > left)
    throw new AppError('PAY_AMOUNT', { text: '超出这笔充值还能退回的金额', field: 'amount' });
  const row = await openRefund(trx, source, {
    amountFen: request.amountFen,
    cause: 'staff',
    reason: `充值退回：${request.reason}`,
  });
  await post(trx, [
    {
      code: 'refund_ask',
      ref: `refund:${row.id}`,
      debit: account.available(source.user_id),
      credit: account.frozen(source.user_id),
      fen: request.amountFen,
      dist: source.dist_id,
    },
  ]);
  const notice = {
    kind: 'money.hold',
    userId: source.user_id,
    ref: `refund:${row.id}`,
    values: {
      text: `您的充值有 ${yuanLabel(request.amountFen)} 元正在退回原付款账户，原因：${request.reason}。到账后完成，未成功会转回余额。`,
    },
  };
  await emit(trx, 'notice', notice);
  return { refundNo: row.refund_no, userId: source.user_id };
}

/**
 * Sends a refund to the channel. When it was sent before (`again`), the state is queried first, and it is sent only if it is unknown to the
 * channel.
 */
async function queryOrSend(
  channel: PayChannel,
  row: RefundRow & { inter_sn: string; total_fen: number },
  again: boolean,
): Promise<ChannelOutcome> {
  const which = { interSn: row.inter_sn, refundNo: row.refund_no };
  const current = again ? await channel.refundState(which) : undefined;
  return (
    current ??
    (await channel.refund({
      ...which,
      amountFen: fen(row.amount_fen),
      totalFen: fen(row.total_fen),
      reason: row.reason,
    }))
  );
}

/** The job of a refund: repeats the request under the same number until the channel reports success or final failure. */
export async function sendRefund(ctx: Context, id: number): Promise<void> {
  const lease = await takeLease(ctx.db, 'refund', id, PENDING);
  if (!lease) {
    const { rows } = await sql`select 1 from refund where id = ${id} and status = ${PENDING}`.execute(ctx.db);
    if (rows.length > 0) await setTimer(ctx.db, 'refund.send', id, RETRY_SECONDS);
    return;
  }
  const { rows } = await sql<RefundRow & { inter_sn: string; total_fen: number }>`
    select r.*, p.inter_sn, p.amount_fen as total_fen from refund r join payment p on p.id = r.payment_id where r.id = ${id}`.execute(
    ctx.db,
  );
  const row = rows[0];
  if (!row) return;
  const channel = ctx.pay.get(row.channel);
  let outcome: ChannelOutcome = { state: 'pending', reason: '渠道未开通' };
  try {
    if (channel) outcome = await queryOrSend(channel, row, lease.again);
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
    ctx.log.warn(
      { refund: row.refund_no, error: error.message },
      'the outcome of a refund is unknown; it is queried again',
    );
    outcome = { state: 'pending', reason: '渠道没有响应' };
  }
  await releaseLease(ctx.db, 'refund', id, outcome.reason);
  if (outcome.state === 'pending')
    await setTimer(ctx.db, 'refund.send', id, lease.again ? RETRY_SECONDS : FIRST_CHECK_SECONDS);
  else await inTransaction(ctx.db, (trx) => endRefund(trx, id, outcome.state === 'done'));
}

/** Ends a pending refund, once: the money goes to the channel, or back to the user's balance. */
export async function endRefund(trx: Trx, id: number, done: boolean): Promise<void> {
  const { rows } = await sql<RefundRow>`
    update refund set status = ${done ? 1 : 2}, done_at = now(), leased_until = null where id = ${id} and status = ${PENDING} returning *`.execute(
    trx,
  );
  const r = rows[0];
  if (!r) return;
  await post(trx, [
    {
      code: done ? 'refund_paid' : 'refund_back',
      ref: `refund:${r.id}`,
      debit: account.frozen(r.user_id),
      credit: done ? account.clearing(r.channel, r.id) : account.available(r.user_id),
      fen: r.amount_fen,
      dist: r.dist_id,
      ...(r.order_id === null ? {} : { order: r.order_id }),
    },
  ]);
  await endHold(trx, { code: 'refund', ref: r.refund_no }, refundStatusNames[done ? 1 : 2]);
  await emit(trx, done ? 'refund.paid' : 'refund.back', {
    refundId: r.id,
    userId: r.user_id,
    orderId: r.order_id,
    amountFen: r.amount_fen,
  });
}

/** Runs a refund's job now, after a verified notification about it. Returns whether the refund exists. */
export async function hurryRefund(db: Trx, channel: string, refundNo: string): Promise<boolean> {
  const { rows } = await sql<{ id: number; status: number }>`
    select id, status from refund where channel = ${channel} and refund_no = ${refundNo}`.execute(db);
  const row = rows[0];
  if (row?.status === PENDING) await setTimer(db, 'refund.send', row.id, 0);
  return row !== undefined;
}
