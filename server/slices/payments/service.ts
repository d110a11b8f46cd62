import { OrderStatus } from '#contract/rules/order-status.ts';
import { sql } from 'kysely';
import QRCode from 'qrcode';
import { fen, type Fen } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { earlierResponse, idempotent, orEarlier } from '#server/db/idempotent.ts';
import type { UserCall } from '#server/call.ts';
import { randomToken } from '#server/kernel/crypto.ts';
import { AppError, UnknownResult } from '#server/kernel/errors.ts';
import { channelNo } from '#server/kernel/ids.ts';
import type { PayChannel, PayMethod } from '#server/ports/pay.ts';
import { requireStepUp } from '#server/slices/accounts/service.ts';
import { balancesOf } from '#server/slices/ledger/service.ts';
import { type TransitionResult, applyTransition, termsForParty } from '#server/slices/orders/service.ts';
import { requireAdult } from '#server/slices/verification/service.ts';
import { setTimer } from './lease.ts';
import type { PaymentRow } from './settle.ts';
import { FIRST_SECONDS, WATCH } from './watch.ts';

export { fetchStatement, importStatement, recheck } from './reconcile.ts';
export { channelNames, refundTopup } from './refunds.ts';
export { approveWithdrawal, rejectWithdrawal, withdrawStatusNames, withinDayFen } from './withdraw.ts';

/** Pays an order from the balance. Asking twice answers the same; two devices at once pay once. Throws ORDER_*, BALANCE_LOW, PAY_PASSWORD_*. */
export async function payFromBalance(
  call: UserCall,
  orderId: number,
  payPassword: string | undefined,
): Promise<TransitionResult> {
  const { ctx, user, idem } = call;
  return await orEarlier(ctx.db, idem, async () => {
    const order = await termsForParty(ctx.db, { id: orderId }, user.id);
    if (!order || order.buyerId !== user.id) throw new AppError('ORDER_NOT_FOUND');
    await requireStepUp(call, 'pay', { payPassword });
    return await applyTransition(ctx, ctx.db, {
      name: 'payBalance',
      order,
      role: 'buyer',
      actor: `user:${user.id}`,
      idem,
    });
  });
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

/** The specification's payMode: 15 is its default, a QR; the others lead to the channel's page, its app, or WeChat's own call. */
const waysByMode: Readonly<Record<number, PayMethod>> = { 15: 'qr', 16: 'page', 17: 'h5', 18: 'jsapi' };

/** The payModes that a channel offers, the default first. */
export const modesOf = (channel: PayChannel): number[] =>
  Object.entries(waysByMode)
    .filter(([, way]) => channel.methods.includes(way))
    .map(([mode]) => Number(mode));

interface PaymentWish {
  amount?: Fen | undefined;
  aliOrWx: number;
  payMode: number;
  orderId?: number | undefined;
  useBalance?: number | undefined;
  payPassword?: string | undefined;
  returnUrl?: string | undefined;
  openId?: string | undefined;
  /** The payment is for a deposit: the role, the level it is to reach, and what is missing to it in fen. */
  deposit?: { role: string; level: number; fen: number; name: string } | undefined;
}

interface Terms {
  amountFen: number;
  balancePart: number;
  orderId: number | null;
  subject: string;
}

/** What is to be paid: a deposit, a top-up within its limits, or an order less the balance's part when it is used. */
async function termsOf(call: UserCall, wish: PaymentWish): Promise<Terms> {
  const { ctx, user, dist } = call;
  if (wish.deposit) {
    const { fen: amountFen, name } = wish.deposit;
    return { amountFen, balancePart: 0, orderId: null, subject: `${dist.name} ${name}保证金` };
  }
  if (wish.orderId === undefined) {
    await requireAdult(ctx.db, user.id);
    const setting = ctx.dir.setting<TopupSetting>('topup');
    if (wish.amount === undefined) throw new AppError('BAD_INPUT', { text: '请先输入充值金额' });
    if (wish.amount < setting.minFen || wish.amount > setting.maxFen) throw new AppError('PAY_AMOUNT');
    return { amountFen: wish.amount, balancePart: 0, orderId: null, subject: `${dist.name} 充值` };
  }
  const order = await termsForParty(ctx.db, { id: wish.orderId }, user.id);
  if (!order || order.buyerId !== user.id) throw new AppError('ORDER_NOT_FOUND');
  if (order.status !== OrderStatus.Unpaid) throw new AppError('ORDER_STATE');
  let balancePart = 0;
  if (wish.useBalance === 1) {
    await requireStepUp(call, 'pay', { payPassword: wish.payPassword });
    balancePart = (await balancesOf(ctx.db, user.id)).availableFen;
    if (balancePart >= order.totalFen) throw new AppError('PAY_AMOUNT', { text: '余额足够，请直接用余额支付' });
  }
  const amountFen = order.totalFen - balancePart;
  return { amountFen, balancePart, orderId: order.id, subject: `${dist.name} 订单 ${order.sn}` };
}

/**
 * Creates a payment before its channel is asked, so that whatever the channel says later finds its row; asking twice under one key
 * answers the same payment. With an order the amount is the order's, less the balance's part when it is used.
 * A top-up is for verified adults: a minor's money could not leave
 * again. Throws REAL_NAME_*, ORDER_*, PAY_AMOUNT, PAY_CHANNEL_CLOSED, PAY_CHANNEL_BUSY.
 */
export async function createPayment(call: UserCall, wish: PaymentWish): Promise<Drawn> {
  const { ctx } = call;
  const earlier = await earlierPayment(call);
  if (earlier) return earlier;
  const channel = channelFor(ctx, wish.aliOrWx);
  const wanted = waysByMode[wish.payMode] ?? 'qr';
  const way = channel.methods.includes(wanted) && (wanted !== 'jsapi' || wish.openId) ? wanted : 'qr';
  const terms = await termsOf(call, wish);
  const { id } = await inTransaction(ctx.db, (trx) =>
    idempotent<{ id: number }>(trx, call.idem, async () => {
      const row = await storePayment(trx, call, { ...terms, channel: channel.name, way, wish });
      await setTimer(trx, WATCH, row.id, FIRST_SECONDS);
      return row;
    }),
  );
  const row = await paymentById(ctx, id);
  return await drawn(
    row.qr_text === null ? await leadOn(call, channel, row, { way, subject: terms.subject, wish }) : row,
  );
}

type Drawn = PaymentRow & { qrSvg: string };

/**
 * The payment that was made under the call's key before and that the channel knows: whatever became of it and of its order since, asking
 * again answers the same.
 */
export async function earlierPayment(call: UserCall): Promise<Drawn | undefined> {
  const earlier = await earlierResponse<{ id: number }>(call.ctx.db, call.idem);
  const row = earlier && (await paymentById(call.ctx, earlier.id));
  return row && row.qr_text !== null ? await drawn(row) : undefined;
}

async function paymentById(ctx: Context, id: number): Promise<PaymentRow> {
  const { rows } = await sql<PaymentRow>`select * from payment where id = ${id}`.execute(ctx.db);
  if (!rows[0]) throw new Error('payment was not stored');
  return rows[0];
}

/** A payment with its QR drawn. */
async function drawn(row: PaymentRow): Promise<Drawn> {
  const text = row.qr_text ?? '';
  const qrSvg = text === '' ? '' : await QRCode.toString(text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
  return { ...row, qrSvg };
}

const purposeOf = (p: { orderId: number | null; wish: PaymentWish }): PaymentRow['purpose'] =>
  p.wish.deposit ? 'deposit' : p.orderId === null ? 'topup' : 'order';

async function storePayment(
  trx: Parameters<typeof setTimer>[0],
  { ctx, dist, user }: UserCall,
  p: Terms & { channel: string; way: PayMethod; wish: PaymentWish },
): Promise<{ id: number }> {
  const { expireSeconds } = ctx.dir.setting<TopupSetting>('topup');
  const { rows } = await sql<{ id: number }>`
    insert into payment (pay_rand, inter_sn, dist_id, user_id, purpose, order_id, channel, pay_mode, way, amount_fen, balance_part_fen, return_url,
      deposit_role, deposit_level, expires_at)
    values (${randomToken(18)}, ${channelNo('P', new Date())}, ${dist.id}, ${user.id}, ${purposeOf(p)}, ${p.orderId}, ${p.channel},
      ${p.wish.payMode}, ${p.way}, ${p.amountFen}, ${p.balancePart}, ${p.wish.returnUrl ?? null},
      ${p.wish.deposit?.role ?? null}, ${p.wish.deposit?.level ?? null}, now() + make_interval(secs => ${expireSeconds}))
    returning id`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('payment was not stored');
  return row;
}

/** Asks the channel for what leads the payer on, under the payment's own number, and keeps it for whoever asks again. */
async function leadOn(
  call: UserCall,
  channel: PayChannel,
  row: PaymentRow,
  how: { way: PayMethod; subject: string; wish: PaymentWish },
): Promise<PaymentRow> {
  const { ctx, origin, ip } = call;
  try {
    const { qrText, jumpUrl, jsapi } = await channel.create({
      interSn: row.inter_sn,
      payRand: row.pay_rand,
      amountFen: fen(row.amount_fen),
      subject: how.subject,
      expiresAt: row.expires_at,
      origin,
      method: how.way,
      returnUrl: how.wish.returnUrl,
      payerIp: ip,
      openid: how.wish.openId,
    });
    const lead = { ...(jumpUrl === undefined ? {} : { jumpUrl }), ...(jsapi === undefined ? {} : { jsapi }) };
    const kept = await sql<PaymentRow>`
      update payment set qr_text = ${qrText}, lead = ${JSON.stringify(lead)}::jsonb where id = ${row.id} returning *`.execute(
      ctx.db,
    );
    return kept.rows[0] ?? row;
  } catch (error) {
    if (!(error instanceof UnknownResult)) throw error;
    ctx.log.warn({ interSn: row.inter_sn, error: error.message }, 'the channel did not make a payment');
    throw new AppError('PAY_CHANNEL_BUSY', { retryAfterSeconds: 5, cause: error });
  }
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
