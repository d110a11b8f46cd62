import { sql } from 'kysely';
import { fen, yuanText } from '#contract/wire.ts';
import type { UserCall } from '#server/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { AppError, UnknownResult } from '#server/kernel/errors.ts';
import { channelNo } from '#server/kernel/ids.ts';
import type { ChannelOutcome, PayChannel } from '#server/ports/pay.ts';
import { account, requireNoDebt, post, refundCodes, refundSum } from '#server/slices/ledger/service.ts';
import { releaseLease, setTimer, takeLease } from './lease.ts';

const UNDER_WAY = 0;
const AGAIN_SECONDS = 60;
/** Once it was sent, a channel is asked where it stands no sooner than this. */
const ASK_SECONDS = 15;

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
  cause: 'late' | 'asked' | 'staff';
  status: number;
  created_at: Date;
  done_at: Date | null;
}

interface Source {
  id: number;
  user_id: number;
  dist_id: number;
  order_id: number | null;
  channel: string;
  amount_fen: number;
}

/** Writes down a refund whose money is in the user's frozen account already: row, hold and job. Returns its id. */
async function openRefund(
  trx: Trx,
  source: Source,
  wish: { amountFen: number; cause: RefundRow['cause']; reason: string },
): Promise<RefundRow> {
  const refundNo = channelNo('R', new Date());
  const { rows } = await sql<RefundRow>`
    insert into refund (refund_no, payment_id, order_id, dist_id, user_id, channel, amount_fen, reason, cause)
    values (${refundNo}, ${source.id}, ${source.order_id}, ${source.dist_id}, ${source.user_id}, ${source.channel}, ${wish.amountFen}, ${wish.reason}, ${wish.cause})
    returning *`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('refund was not stored');
  await sql`insert into hold (user_id, amount_fen, code, reason, ref)
    values (${source.user_id}, ${wish.amountFen}, 'refund', ${`${wish.reason}，正在原路退回，渠道确认后结束`}, ${refundNo})`.execute(
    trx,
  );
  await setTimer(trx, 'refund.send', row.id, 0);
  return row;
}

/** The refund of a payment that came too late; its money has just been booked to the frozen account. */
export async function openLateRefund(trx: Trx, source: Source): Promise<void> {
  await openRefund(trx, source, { amountFen: source.amount_fen, cause: 'late', reason: '订单已关闭，付款退回' });
}

/**
 * What of a paid order may still go back to the source: what has come back to the buyer's balance (cancelled, ruled), at most what
 * the channel brought, less what went back already. Locks the payment when `lock`.
 */
async function refundable(
  trx: Trx,
  orderId: number,
  days: number,
  lock: boolean,
): Promise<{ source: Source; fen: number } | undefined> {
  const { rows } = await sql<Source>`
    select id, user_id, dist_id, order_id, channel, amount_fen from payment
    where order_id = ${orderId} and status = 1 and paid_at > now() - make_interval(days => ${days}) ${lock ? sql`for update` : sql``}`.execute(
    trx,
  );
  const source = rows[0];
  if (!source) return undefined;
  const { rows: sums } = await sql<{ back: number; gone: number }>`
    select (select ${sql.raw(refundSum)} from ledger_transfer where order_id = ${orderId} and code = any(${[...refundCodes]})) as back,
      coalesce((select sum(amount_fen) from refund where payment_id = ${source.id} and status <> 2), 0)::bigint as gone`.execute(
    trx,
  );
  const { back = 0, gone = 0 } = sums[0] ?? {};
  return { source, fen: Math.max(0, Math.min(back, source.amount_fen) - gone) };
}

const daysOf = (ctx: Context): number => ctx.dir.setting<{ days: number }>('refund').days;

/** The caller's own order as buyer. Foreign and missing ones are the same. */
async function ownOrder(ctx: Context, userId: number, orderSn: string): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`select id from orders where sn = ${orderSn} and buyer_id = ${userId}`.execute(ctx.db);
  if (!rows[0]) throw new AppError('ORDER_NOT_FOUND');
  return rows[0].id;
}

/** Channels as people read them. */
export const channelNames: Readonly<Record<string, string>> = {
  alipay: '支付宝',
  wechat: '微信支付',
  sandbox: '沙箱渠道',
};

/** What a buyer may send back to the source of an order, and what has been. Throws ORDER_NOT_FOUND. */
export async function refundInfoOf({ ctx, user }: UserCall, orderSn: string) {
  const orderId = await ownOrder(ctx, user.id, orderSn);
  const open = await refundable(ctx.db, orderId, daysOf(ctx), false);
  const { rows } =
    await sql<RefundRow>`select * from refund where order_id = ${orderId} order by id desc limit 50`.execute(ctx.db);
  return {
    refundable: open?.fen ?? 0,
    channelName: channelNames[open?.source.channel ?? rows[0]?.channel ?? ''] ?? '',
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

/**
 * Sends an order's refunded money, whole or in part, from the balance back to where it came from. The money is frozen in the same
 * transaction; a job asks the channel. Throws ORDER_NOT_FOUND, DEBT_OPEN, REFUND_NONE, PAY_AMOUNT, BALANCE_LOW.
 */
export async function refundToSource(call: UserCall, wish: { orderSn: string; amountFen: number | undefined }) {
  const { ctx, user } = call;
  const orderId = await ownOrder(ctx, user.id, wish.orderSn);
  return await inTransaction(ctx.db, (trx) =>
    idempotent<{ refundNo: string; status: number; amountFen: number }>(trx, call.idem, async () => {
      await requireNoDebt(trx, user.id);
      const open = await refundable(trx, orderId, daysOf(ctx), true);
      if (!open || open.fen === 0) throw new AppError('REFUND_NONE');
      const amountFen = wish.amountFen ?? open.fen;
      if (amountFen > open.fen) throw new AppError('PAY_AMOUNT', { text: '超出可原路退回的金额' });
      const row = await openRefund(trx, open.source, {
        amountFen,
        cause: 'asked',
        reason: `订单 ${wish.orderSn} 退款`,
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
      return { refundNo: row.refund_no, status: UNDER_WAY, amountFen };
    }),
  );
}

/**
 * Sends an arrived top-up, whole or in part, back to its source by staff, in the caller's transaction: out of the user's balance, never
 * more than came with it. The user is told at once. Throws NOT_FOUND, TOPUP_REFUND, PAY_AMOUNT, BALANCE_LOW.
 */
export async function refundTopup(
  ctx: Context,
  trx: Trx,
  wish: { paymentId: number; amountFen: number; reason: string },
): Promise<{ refundNo: string; userId: number }> {
  const { rows } = await sql<Source & { isOpen: boolean }>`
    select id, user_id, dist_id, order_id, channel, amount_fen, paid_at > now() - make_interval(days => ${daysOf(ctx)}) as "isOpen"
    from payment where id = ${wish.paymentId} and status = 1 and purpose in ('topup', 'deposit') for update`.execute(
    trx,
  );
  const source = rows[0];
  if (!source) throw new AppError('NOT_FOUND', { text: '没有这笔到账的充值' });
  if (!source.isOpen) throw new AppError('TOPUP_REFUND', { text: '超过渠道的退款期限，不能原路退回' });
  const { rows: sums } = await sql<{ gone: number }>`
    select coalesce(sum(amount_fen), 0)::bigint as gone from refund where payment_id = ${source.id} and status <> 2`.execute(
    trx,
  );
  const left = source.amount_fen - (sums[0]?.gone ?? 0);
  if (left <= 0) throw new AppError('TOPUP_REFUND', { text: '这笔充值已全部退回' });
  if (wish.amountFen > left) throw new AppError('PAY_AMOUNT', { text: '超出这笔充值还能退回的金额' });
  const row = await openRefund(trx, source, {
    amountFen: wish.amountFen,
    cause: 'staff',
    reason: `充值退回：${wish.reason}`,
  });
  await post(trx, [
    {
      code: 'refund_ask',
      ref: `refund:${row.id}`,
      debit: account.available(source.user_id),
      credit: account.frozen(source.user_id),
      fen: wish.amountFen,
      dist: source.dist_id,
    },
  ]);
  const told = {
    kind: 'money.hold',
    userId: source.user_id,
    ref: `refund:${row.id}`,
    values: {
      text: `您的充值有 ${yuanText(wish.amountFen)} 元正在退回原付款账户，原因：${wish.reason}。渠道确认后完成，未成功会转回余额。`,
    },
  };
  await sql`insert into outbox (topic, payload) values ('notice', ${JSON.stringify(told)}::jsonb)`.execute(trx);
  return { refundNo: row.refund_no, userId: source.user_id };
}

/** Asks the channel: where it stands when it was asked before, and sends it when the channel has not heard of it. */
async function askChannel(
  channel: PayChannel,
  row: RefundRow & { inter_sn: string; total_fen: number },
  again: boolean,
): Promise<ChannelOutcome> {
  const which = { interSn: row.inter_sn, refundNo: row.refund_no };
  const stands = again ? await channel.refundState(which) : undefined;
  return (
    stands ??
    (await channel.refund({
      ...which,
      amountFen: fen(row.amount_fen),
      totalFen: fen(row.total_fen),
      reason: row.reason,
    }))
  );
}

/** The job of a refund: asked under the row's own number until the channel says that it is done or never will be. */
export async function sendRefund(ctx: Context, id: number): Promise<void> {
  const lease = await takeLease(ctx.db, 'refund', id, UNDER_WAY);
  if (!lease) {
    const { rows } = await sql`select 1 from refund where id = ${id} and status = ${UNDER_WAY}`.execute(ctx.db);
    if (rows.length > 0) await setTimer(ctx.db, 'refund.send', id, AGAIN_SECONDS);
    return;
  }
  const { rows } = await sql<RefundRow & { inter_sn: string; total_fen: number }>`
    select r.*, p.inter_sn, p.amount_fen as total_fen from refund r join payment p on p.id = r.payment_id where r.id = ${id}`.execute(
    ctx.db,
  );
  const row = rows[0];
  if (!row) return;
  const channel = ctx.pay.get(row.channel);
  let verdict: ChannelOutcome = { state: 'pending', reason: '渠道未开通' };
  try {
    if (channel) verdict = await askChannel(channel, row, lease.again);
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
    ctx.log.warn({ refund: row.refund_no, error: error.message }, 'what became of a refund is not known; asked again');
    verdict = { state: 'pending', reason: '渠道没有响应' };
  }
  await releaseLease(ctx.db, 'refund', id, verdict.reason);
  if (verdict.state === 'pending') await setTimer(ctx.db, 'refund.send', id, lease.again ? AGAIN_SECONDS : ASK_SECONDS);
  else await inTransaction(ctx.db, (trx) => endRefund(trx, id, verdict.state === 'done'));
}

/** Ends a refund once: out to the channel, or back to the user's balance. */
async function endRefund(trx: Trx, id: number, done: boolean): Promise<void> {
  const { rows } = await sql<RefundRow>`
    update refund set status = ${done ? 1 : 2}, done_at = now(), leased_until = null where id = ${id} and status = ${UNDER_WAY} returning *`.execute(
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
  await sql`update hold set released_at = now(), release_note = ${refundStatusNames[done ? 1 : 2]} where code = 'refund' and ref = ${r.refund_no} and released_at is null`.execute(
    trx,
  );
  await sql`insert into outbox (topic, payload) values (${done ? 'refund.paid' : 'refund.back'}, ${JSON.stringify({ refundId: r.id, userId: r.user_id, orderId: r.order_id, amountFen: r.amount_fen })}::jsonb)`.execute(
    trx,
  );
}

/** A genuine notification about a refund: its job asks at once. Returns whether the refund is known. */
export async function hurryRefund(db: Trx, channel: string, refundNo: string): Promise<boolean> {
  const { rows } = await sql<{ id: number; status: number }>`
    select id, status from refund where channel = ${channel} and refund_no = ${refundNo}`.execute(db);
  const row = rows[0];
  if (row?.status === UNDER_WAY) await setTimer(db, 'refund.send', row.id, 0);
  return row !== undefined;
}
