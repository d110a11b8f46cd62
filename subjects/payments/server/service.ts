import { payerChannels } from '../rules/pay-channels.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import QRCode from 'qrcode';
import type { Fen } from '#contract/wire.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { earlierResult, idempotent, orEarlier } from '#server/db/idempotent.ts';
import type { UserCall } from '#server/access/call.ts';
import { randomToken } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { orderStateError } from '#server/states/order-states.ts';
import { channelNo } from '#server/kernel/ids.ts';
import type { PayMethod } from '../rules/payer-browser.ts';
import type { PayChannel } from '#server/ports/pay.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import { type TransitionResult, applyTransition, termsForParty } from '#subjects/orders/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { dropAttempts } from './attempts.ts';
import { setTimer } from './lease.ts';
import type { PaymentRow } from './settle.ts';
import { startAtChannel } from './start.ts';
import { FIRST_SECONDS, WATCH } from './watch.ts';
import { payMethodFor } from './pay-method.ts';

export { defaultTargets } from './refund-default.ts';
export { refundTopup } from './refunds.ts';
export { PAYOUT_OVERDUE, REFUND_OVERDUE } from './pending.ts';
export { exportPayouts } from './payouts/list.ts';
export { bookLine, enterResults } from './payouts/results.ts';
export { withdrawStatusNames } from './payouts/withdraw.ts';
export { listTopups } from './staff/topups.ts';
export { listTransfers } from './staff/transfers.ts';
export { listWithdrawals } from './staff/withdrawals.ts';

/** Pays an order from the balance. Idempotent by key; two concurrent requests pay once. Throws ORDER_*, BALANCE_LOW, PAY_PASSWORD_*. */
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

function channelFor(ctx: Context, aliOrWx: number): PayChannel {
  const wanted = payerChannels.find((channel) => channel.aliOrWx === aliOrWx)?.channel;
  const channel = (wanted && ctx.pay.get(wanted)) ?? ctx.pay.get('sandbox');
  if (!channel) throw new AppError('PAY_CHANNEL_CLOSED');
  return channel;
}

interface PaymentRequest {
  amount?: Fen | undefined;
  aliOrWx: number;
  payMode: number;
  orderId?: number | undefined;
  useBalance?: number | undefined;
  payPassword?: string | undefined;
  returnUrl?: string | undefined;
  openId?: string | undefined;
  /** The payment that this one replaces, by its public token; only for a top-up. */
  instead?: string | undefined;
  /** The payment is for a deposit: the role, the target level, and the amount missing in fen. */
  deposit?: { role: string; level: number; fen: number; name: string } | undefined;
}

interface Terms {
  amountFen: number;
  balancePart: number;
  orderId: number | null;
  subject: string;
}

/** Amount and subject of the payment: a deposit, a top-up within its limits, or an order less the part paid from the balance. */
async function loadTerms(call: UserCall, request: PaymentRequest): Promise<Terms> {
  const { ctx, user, dist } = call;
  if (request.deposit) {
    const { fen: amountFen, name } = request.deposit;
    return { amountFen, balancePart: 0, orderId: null, subject: `${dist.name} ${name}保证金` };
  }
  if (request.orderId === undefined) {
    await requireAdult(ctx.db, user.id);
    const setting = ctx.dir.setting('topup');
    if (request.amount === undefined) throw new AppError('BAD_INPUT', { text: '请先输入充值金额', field: 'amount' });
    if (request.amount < setting.minFen || request.amount > setting.maxFen) throw new AppError('PAY_AMOUNT');
    return { amountFen: request.amount, balancePart: 0, orderId: null, subject: `${dist.name} 充值` };
  }
  const order = await termsForParty(ctx.db, { id: request.orderId }, user.id);
  if (!order || order.buyerId !== user.id) throw new AppError('ORDER_NOT_FOUND');
  if (order.status !== OrderStatus.Unpaid) throw orderStateError(order.status);
  let balancePart = 0;
  if (request.useBalance === 1) {
    await requireStepUp(call, 'pay', { payPassword: request.payPassword });
    balancePart = (await loadBalances(ctx.db, user.id)).availableFen;
    if (balancePart >= order.totalFen) throw new AppError('PAY_AMOUNT', { text: '余额足够，请直接用余额支付' });
  }
  const amountFen = order.totalFen - balancePart;
  return { amountFen, balancePart, orderId: order.id, subject: `${dist.name} 订单 ${order.sn}` };
}

/**
 * Creates a payment. The row is stored before the channel is called, so that a later notification always finds it; a repeated
 * idempotency key returns the same payment. For an order the amount is the order's total less the part paid from the balance.
 * Top-ups are limited to verified adults, because a minor could not withdraw the money again. Throws REAL_NAME_*, ORDER_*, PAY_AMOUNT,
 * PAY_ALREADY, PAY_CHANNEL_CLOSED, PAY_CHANNEL_BUSY.
 */
export async function createPayment(call: UserCall, request: PaymentRequest): Promise<PaymentWithQr> {
  const { ctx } = call;
  const earlier = await earlierPayment(call);
  if (earlier) return earlier;
  const channel = channelFor(ctx, request.aliOrWx);
  const method = payMethodFor(ctx, channel, { ...request, agent: call.agent });
  const terms = await loadTerms(call, request);
  const attemptOf = await dropAttempts(call, request);
  const { id } = await inTransaction(ctx.db, (trx) =>
    idempotent<{ id: number }>(trx, call.idem, async () => {
      const row = await storePayment(trx, call, { ...terms, channel: channel.name, method, request, attemptOf });
      await setTimer(trx, WATCH, row.id, FIRST_SECONDS);
      return row;
    }),
  );
  const row = await paymentById(ctx, id);
  return await withQr(row.qr_text === null ? await startAtChannel(call, channel, row, { ...terms, ...request }) : row);
}

type PaymentWithQr = PaymentRow & { qrSvg: string };

/**
 * The payment created earlier under the call's idempotency key, if the channel accepted it. It is returned regardless of its state and the
 * state of its order.
 */
export async function earlierPayment(call: UserCall): Promise<PaymentWithQr | undefined> {
  const earlier = await earlierResult<{ id: number }>(call.ctx.db, call.idem);
  const row = earlier && (await paymentById(call.ctx, earlier.id));
  return row && row.qr_text !== null ? await withQr(row) : undefined;
}

async function paymentById(ctx: Context, id: number): Promise<PaymentRow> {
  const { rows } = await sql<PaymentRow>`select * from payment where id = ${id}`.execute(ctx.db);
  if (!rows[0]) throw new Error(`payment ${id} does not exist`);
  return rows[0];
}

/** Adds the QR code as SVG to a payment that is shown as one. */
async function withQr(row: PaymentRow): Promise<PaymentWithQr> {
  const text = row.qr_text ?? '';
  const isShown = row.way === 'qr' || row.way === 'page';
  const qrSvg =
    text === '' || !isShown ? '' : await QRCode.toString(text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
  return { ...row, qrSvg };
}

const purposeOf = (p: { orderId: number | null; request: PaymentRequest }): PaymentRow['purpose'] =>
  p.request.deposit ? 'deposit' : p.orderId === null ? 'topup' : 'order';

async function storePayment(
  trx: Parameters<typeof setTimer>[0],
  { ctx, dist, user, origin }: UserCall,
  p: Terms & { channel: string; method: PayMethod; request: PaymentRequest; attemptOf: number | null },
): Promise<{ id: number }> {
  const { expireSeconds } = ctx.dir.setting('topup');
  const { rows } = await sql<{ id: number }>`
    insert into payment (pay_rand, inter_sn, dist_id, user_id, purpose, order_id, channel, pay_mode, way, amount_fen, balance_part_fen, return_url,
      deposit_role, deposit_level, attempt_of, lead, expires_at)
    values (${randomToken(18)}, ${channelNo('P', new Date())}, ${dist.id}, ${user.id}, ${purposeOf(p)}, ${p.orderId}, ${p.channel},
      ${p.request.payMode}, ${p.method}, ${p.amountFen}, ${p.balancePart}, ${p.request.returnUrl ?? null},
      ${p.request.deposit?.role ?? null}, ${p.request.deposit?.level ?? null}, ${p.attemptOf}, ${JSON.stringify({ origin })}::jsonb, now() + make_interval(secs => ${expireSeconds}))
    returning id`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('insert into payment returned no row');
  return row;
}

/** The user's own payment by its public token or by our number. Throws PAY_NOT_FOUND, also for another user's payment. */
export async function ownPayment(ctx: Context, userId: number, by: { payRand: string } | { interSn: string }) {
  const which = 'payRand' in by ? sql`p.pay_rand = ${by.payRand}` : sql`p.inter_sn = ${by.interSn}`;
  const { rows } = await sql<PaymentRow & { order_sn: string | null }>`
    select p.*, o.sn as order_sn from payment p left join orders o on o.id = p.order_id where ${which} and p.user_id = ${userId}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw new AppError('PAY_NOT_FOUND');
  return rows[0];
}
