import { sql } from 'kysely';
import QRCode from 'qrcode';
import { fen, type Fen, yuanText } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { UserCall } from '#server/call.ts';
import { randomToken } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { channelNo } from '#server/kernel/ids.ts';
import type { ChannelNotice, PayChannel } from '#server/ports/pay.ts';
import { checkPayPassword } from '#server/slices/accounts/service.ts';
import { account, balancesOf, post, type Transfer } from '#server/slices/ledger/service.ts';
import { payByChannel, type Stepped, takeStep, termsForParty } from '#server/slices/orders/service.ts';

export { approveWithdrawal, refuseWithdrawal, withdrawStatusNames } from './withdraw.ts';

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
  expires_at: Date;
}

/** Pays an order from the balance. Asking twice answers the same; two devices at once pay once. Throws ORDER_*, BALANCE_LOW, PAY_PASSWORD_*. */
export async function payFromBalance(
  call: UserCall,
  orderId: number,
  payPassword: string | undefined,
): Promise<Stepped> {
  const { ctx, user, idem } = call;
  const order = await termsForParty(ctx.db, { id: orderId }, user.id);
  if (!order || order.buyerId !== user.id) throw new AppError('ORDER_NOT_FOUND');
  if (user.hasPayPassword) await checkPayPassword(ctx, user, payPassword);
  return await takeStep(ctx, ctx.db, { name: 'payBalance', order, role: 'buyer', actor: `user:${user.id}`, idem });
}

interface TopupSetting {
  minFen: number;
  maxFen: number;
  expireSeconds: number;
}

function channelFor(ctx: Context, aliOrWx: number): PayChannel {
  const wanted = aliOrWx === 2 ? 'wechat' : 'alipay';
  const channel = ctx.pay.get(wanted) ?? ctx.pay.get('sandbox');
  if (!channel) throw new AppError('PAY_CHANNEL_CLOSED');
  return channel;
}

interface PaymentWish {
  amount?: Fen | undefined;
  aliOrWx: number;
  payMode: number;
  orderId?: number | undefined;
  useBalance?: number | undefined;
  payPassword?: string | undefined;
  returnUrl?: string | undefined;
}

/**
 * Creates a payment before its channel is asked, so that whatever the channel says later finds its row. With an order the amount
 * is the order's, less the balance's part when it is used. Throws ORDER_*, PAY_AMOUNT, PAY_CHANNEL_CLOSED.
 */
export async function createPayment(call: UserCall, wish: PaymentWish): Promise<PaymentRow & { qrSvg: string }> {
  const { ctx, user, dist } = call;
  const channel = channelFor(ctx, wish.aliOrWx);
  const setting = ctx.dir.setting<TopupSetting>('topup');
  const now = new Date();
  let amountFen: number;
  let balancePart = 0;
  let orderId: number | null = null;
  let subject = `${dist.name} 充值`;
  if (wish.orderId !== undefined) {
    const order = await termsForParty(ctx.db, { id: wish.orderId }, user.id);
    if (!order || order.buyerId !== user.id) throw new AppError('ORDER_NOT_FOUND');
    if (order.status !== 0) throw new AppError('ORDER_STATE');
    if (wish.useBalance === 1) {
      if (user.hasPayPassword) await checkPayPassword(ctx, user, wish.payPassword);
      const { availableFen } = await balancesOf(ctx.db, user.id);
      if (availableFen >= order.totalFen) throw new AppError('PAY_AMOUNT', { text: '余额足够，请直接用余额支付' });
      balancePart = availableFen;
    }
    amountFen = order.totalFen - balancePart;
    orderId = order.id;
    subject = `${dist.name} 订单 ${order.sn}`;
  } else {
    if (wish.amount === undefined) throw new AppError('BAD_INPUT', { text: '请先输入充值金额' });
    if (wish.amount < setting.minFen || wish.amount > setting.maxFen) throw new AppError('PAY_AMOUNT');
    amountFen = wish.amount;
  }
  const interSn = channelNo('P', now);
  const payRand = randomToken(18);
  const { rows } = await sql<PaymentRow>`
    insert into payment (pay_rand, inter_sn, dist_id, user_id, purpose, order_id, channel, pay_mode, amount_fen, balance_part_fen, return_url, expires_at)
    values (${payRand}, ${interSn}, ${dist.id}, ${user.id}, ${orderId === null ? 'topup' : 'order'}, ${orderId}, ${channel.name}, ${wish.payMode}, ${amountFen}, ${balancePart},
      ${wish.returnUrl ?? null}, now() + make_interval(secs => ${setting.expireSeconds})) returning *`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw new Error('payment was not stored');
  const { qrText } = await channel.create({
    interSn,
    payRand,
    amountFen: fen(amountFen),
    subject,
    expiresAt: row.expires_at,
    origin: call.origin,
  });
  await sql`update payment set qr_text = ${qrText} where id = ${row.id}`.execute(ctx.db);
  const qrSvg = await QRCode.toString(qrText, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
  return { ...row, qr_text: qrText, qrSvg };
}

/** A user's own payment by its public number or by ours. Foreign and missing ones are the same. */
export async function ownPayment(ctx: Context, userId: number, by: { payRand: string } | { interSn: string }) {
  const which = 'payRand' in by ? sql`p.pay_rand = ${by.payRand}` : sql`p.inter_sn = ${by.interSn}`;
  const { rows } = await sql<PaymentRow & { order_sn: string | null }>`
    select p.*, o.sn as order_sn from payment p left join orders o on o.id = p.order_id where ${which} and p.user_id = ${userId}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new AppError('PAY_NOT_FOUND');
  return rows[0];
}

/**
 * Records a genuine notification and decides it at once; a job decides it later if this process dies between the two. Returns
 * whether the channel may stop repeating it: a notification that does not fit anything of ours is not acknowledged.
 */
export async function takeNotice(ctx: Context, channel: PayChannel, notice: ChannelNotice): Promise<boolean> {
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
  const taken =
    await sql`select 1 from payment where channel = ${channel.name} and channel_trade_no = ${notice.tradeNo} and inter_sn <> ${notice.interSn}`.execute(
      ctx.db,
    );
  if (taken.rows.length > 0) return false;
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

/** Decides what was recorded and not decided yet; for one payment, or (by the timer) for all. False = one was not acceptable. */
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
  const verdict =
    state === 'closed' ? await closePayment(ctx, channel, interSn) : await settle(ctx, channel, interSn, tradeNo);
  await sql`update payment_notify set verdict = ${verdict}, decided_at = coalesce(decided_at, now()) where id = ${row.id}`.execute(
    ctx.db,
  );
  return verdict !== 'other trade';
}

async function closePayment(ctx: Context, channel: string, interSn: string): Promise<string> {
  const { rows } =
    await sql`update payment set status = 2 where channel = ${channel} and inter_sn = ${interSn} and status = 0 returning id`.execute(
      ctx.db,
    );
  return rows.length > 0 ? 'closed' : 'nothing to close';
}

/**
 * Books a channel's money once. A top-up goes to the balance. An order's payment goes to its escrow together with the balance's
 * part, or, when the order has moved on or the balance no longer suffices, whole to the balance: money that came is never dropped.
 */
async function settle(ctx: Context, channel: string, interSn: string, tradeNo: string): Promise<string> {
  try {
    return await inTransaction(ctx.db, (trx) => settleIn(ctx, trx, channel, interSn, tradeNo, true));
  } catch (error) {
    if (!(error instanceof AppError) && !isRefusal(error)) throw error;
    return await inTransaction(ctx.db, (trx) => settleIn(ctx, trx, channel, interSn, tradeNo, false));
  }
}

/** The order's step or its balance part was refused by the database; the transaction is gone, and money goes to the balance instead. */
const isRefusal = (error: unknown): boolean => {
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
  if (p.status === 1 || p.status === 3) return p.channel_trade_no === tradeNo ? 'repeat' : 'other trade';
  const clearing = account.clearing(channel, p.id);
  const credit: Transfer = {
    code: 'topup',
    ref: `payment:${p.id}`,
    debit: clearing,
    credit: account.available(p.user_id),
    fen: p.amount_fen,
    dist: p.dist_id,
  };
  const late = p.order_id !== null && !toOrder;
  if (p.order_id !== null && toOrder) {
    const escrow = account.escrow(p.order_id);
    const channelTransfer: Transfer = {
      code: 'order_pay_channel',
      ref: `payment:${p.id}`,
      debit: clearing,
      credit: escrow,
      fen: p.amount_fen,
      dist: p.dist_id,
      order: p.order_id,
    };
    const balanceTransfer: Transfer | null =
      p.balance_part_fen > 0
        ? {
            code: 'order_pay',
            ref: `order:${p.order_id}`,
            debit: account.available(p.user_id),
            credit: escrow,
            fen: p.balance_part_fen,
            dist: p.dist_id,
            order: p.order_id,
          }
        : null;
    await payByChannel(ctx, trx, { id: p.id, orderId: p.order_id, channelTransfer, balanceTransfer });
  } else {
    await post(trx, [
      late ? { ...credit, code: 'late_payment', ...(p.order_id === null ? {} : { order: p.order_id }) } : credit,
    ]);
  }
  await sql`update payment set status = ${late ? 3 : 1}, channel_trade_no = ${tradeNo}, paid_at = now() where id = ${p.id}`.execute(
    trx,
  );
  await sql`insert into outbox (topic, payload) values ('payment.paid', ${JSON.stringify({ paymentId: p.id, userId: p.user_id, late, text: yuanText(p.amount_fen) })}::jsonb)`.execute(
    trx,
  );
  return late ? 'late' : 'paid';
}
