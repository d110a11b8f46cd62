import { PaymentStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { yuanLabel } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { PayMethod } from '../rules/payer-browser.ts';
import type { ChannelNotice, PayChannel } from '#server/ports/pay.ts';
import { account, post, type Transfer } from '#subjects/ledger/server/service.ts';
import { payByChannel } from '#subjects/orders/server/service.ts';
import { isSecondPayment } from './second-payment.ts';
import { openLateRefund } from './refunds.ts';

/** Details that the payer needs to reach the channel, in addition to the text of a QR code. */
interface PaymentLead {
  /** Scheme and host of the site where the payment was made. */
  origin?: string;
  jumpUrl?: string;
  jsapi?: Record<string, string>;
  /** When the link was made, in ms since 1970. */
  at?: number;
  /** The payer inside WeChat, the owner of the payment. */
  openId?: string;
}

export interface PaymentRow {
  id: number;
  pay_rand: string;
  inter_sn: string;
  dist_id: number;
  user_id: number;
  purpose: 'topup' | 'order' | 'deposit';
  order_id: number | null;
  channel: string;
  amount_fen: number;
  balance_part_fen: number;
  status: number;
  qr_text: string | null;
  lead: PaymentLead | null;
  expires_at: Date;
  pay_mode: number;
  channel_trade_no: string | null;
  return_url: string | null;
  paid_at: Date | null;
  created_at: Date;
  way: PayMethod;
  asked_at: Date | null;
  deposit_role: string | null;
  deposit_level: number | null;
  attempt_of: number | null;
  dropped_at: Date | null;
  /** The buyer wants refunds of the order on the balance. */
  refund_to_balance: boolean;
}

/**
 * Stores a verified notification and settles it; if the process dies in between, a job settles it later. Returns whether the channel
 * may stop repeating it: a notification that matches no payment of ours is not acknowledged.
 */
export async function recordNotice(ctx: Context, channel: PayChannel, notice: ChannelNotice): Promise<boolean> {
  const { rows } = await sql<{
    amount_fen: number;
  }>`select amount_fen from payment where channel = ${channel.name} and inter_sn = ${notice.interSn}`.execute(ctx.db);
  const payment = rows[0];
  if (!payment || payment.amount_fen !== notice.amountFen) {
    ctx.log.warn(
      { channel: channel.name, interSn: notice.interSn, amountFen: notice.amountFen },
      'notification fits no payment',
    );
    return false;
  }
  const duplicate =
    await sql`select 1 from payment where channel = ${channel.name} and channel_trade_no = ${notice.tradeNo} and inter_sn <> ${notice.interSn}`.execute(
      ctx.db,
    );
  if (duplicate.rows.length > 0) return false;
  if (notice.state === 'waiting') return true;
  await sql`insert into payment_notify (channel, notify_key, payload)
    values (${channel.name}, ${`${notice.tradeNo}:${notice.state}`}, ${JSON.stringify({ ...notice.raw, interSn: notice.interSn, tradeNo: notice.tradeNo, state: notice.state, amountFen: notice.amountFen })}::jsonb)
    on conflict do nothing`.execute(ctx.db);
  return await decideNotices(ctx, channel.name, notice.interSn);
}

interface NotifyRow {
  id: number;
  payload: { interSn: string; tradeNo: string; state: string; amountFen: number };
}

/** Settles the stored notifications of one payment, or (from the timer) all unsettled ones. Returns false when one must not be acknowledged. */
export async function decideNotices(ctx: Context, channel: string, interSn?: string): Promise<boolean> {
  const { rows } = await sql<NotifyRow>`
    select id, payload from payment_notify where channel = ${channel} ${interSn === undefined ? sql`and verdict is null` : sql`and payload->>'interSn' = ${interSn}`}
    order by id limit 100`.execute(ctx.db);
  let fine = true;
  for (const row of rows) fine = (await decide(ctx, channel, row)) && fine;
  return fine;
}

async function decide(ctx: Context, channel: string, row: NotifyRow): Promise<boolean> {
  const { interSn, tradeNo, state } = row.payload;
  const outcome =
    state === 'closed'
      ? (await closePayment(ctx.db, channel, interSn))
        ? 'closed'
        : 'nothing to close'
      : await settle(ctx, channel, interSn, tradeNo);
  await sql`update payment_notify set verdict = ${outcome}, decided_at = coalesce(decided_at, now()) where id = ${row.id}`.execute(
    ctx.db,
  );
  return outcome !== 'other trade';
}

/** Closes a pending payment. Returns whether it was pending; money that arrives afterwards is handled as a late payment. */
export async function closePayment(db: Trx, channel: string, interSn: string): Promise<boolean> {
  const { rows } =
    await sql`update payment set status = ${sql.lit(PaymentStatus.Closed)} where channel = ${channel} and inter_sn = ${interSn} and status = ${sql.lit(PaymentStatus.Pending)} returning id`.execute(
      db,
    );
  return rows.length > 0;
}

/**
 * Books a channel's money once. A top-up goes to the balance, unless another payment for the same purpose was already paid: then it is late.
 * An order's payment goes to escrow together with the part paid from the balance; when the order is no longer unpaid or the balance is too
 * low, it goes back to its source or to the balance. Money received is always booked.
 */
async function settle(ctx: Context, channel: string, interSn: string, tradeNo: string): Promise<string> {
  try {
    return await inTransaction(ctx.db, (trx) => settleIn(ctx, trx, channel, interSn, tradeNo, true));
  } catch (error) {
    if (!(error instanceof AppError) && !isRejectedByDatabase(error)) throw error;
    return await inTransaction(ctx.db, (trx) => settleIn(ctx, trx, channel, interSn, tradeNo, false));
  }
}

/** Whether the database rejected the order's transition or the balance posting. The transaction is then rolled back and the payment is late. */
const isRejectedByDatabase = (error: unknown): boolean => {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === 'YS208' || constraint === 'balance_not_negative';
};

async function settleIn(
  ctx: Context,
  trx: Trx,
  channel: string,
  interSn: string,
  tradeNo: string,
  toOrder: boolean,
): Promise<string> {
  const { rows } = await sql<
    PaymentRow & { channel_trade_no: string | null }
  >`select * from payment where channel = ${channel} and inter_sn = ${interSn} for update`.execute(trx);
  const p = rows[0];
  if (!p) return 'unknown';
  if (p.status === PaymentStatus.Paid || p.status === PaymentStatus.PaidLate)
    return p.channel_trade_no === tradeNo ? 'repeat' : 'other trade';
  const late = (p.order_id !== null && !toOrder) || (await isSecondPayment(trx, p));
  if (late) await returnLateMoney(ctx, trx, p);
  else if (p.order_id !== null) await payOrder(ctx, trx, p, p.order_id);
  else await post(trx, [incoming(p, 'topup', account.available(p.user_id))]);
  await sql`update payment set status = ${late ? 3 : 1}, channel_trade_no = ${tradeNo}, paid_at = now() where id = ${p.id}`.execute(
    trx,
  );
  await emit(trx, 'payment.paid', { paymentId: p.id, userId: p.user_id, late, text: yuanLabel(p.amount_fen) });
  return late ? 'late' : 'paid';
}

/** The transfer from the channel's clearing account to `credit`. */
function incoming(p: PaymentRow, code: Transfer['code'], credit: string): Transfer {
  return {
    code,
    ref: `payment:${p.id}`,
    debit: account.clearing(p.channel, p.id),
    credit,
    fen: p.amount_fen,
    dist: p.dist_id,
    ...(p.order_id === null ? {} : { order: p.order_id }),
  };
}

async function payOrder(ctx: Context, trx: Trx, p: PaymentRow, orderId: number): Promise<void> {
  const escrow = account.escrow(orderId);
  const balanceTransfer: Transfer | null =
    p.balance_part_fen > 0
      ? {
          code: 'order_pay',
          ref: `order:${orderId}`,
          debit: account.available(p.user_id),
          credit: escrow,
          fen: p.balance_part_fen,
          dist: p.dist_id,
          order: orderId,
        }
      : null;
  const channelTransfer = incoming(p, 'order_pay_channel', escrow);
  await payByChannel(ctx, trx, { id: p.id, orderId, channelTransfer, balanceTransfer });
}

/** Returns money for an order that is no longer unpaid: to its source or to the balance, as setting 'refund' says for the channel. */
async function returnLateMoney(ctx: Context, trx: Trx, p: PaymentRow): Promise<void> {
  const rule = ctx.dir.setting('refund').late[p.channel];
  if (rule !== 'source') {
    await post(trx, [incoming(p, 'late_payment', account.available(p.user_id))]);
    return;
  }
  await post(trx, [incoming(p, 'late_refund', account.frozen(p.user_id))]);
  await openLateRefund(trx, p);
}
