import { PaymentStatus } from '#contract/rules/statuses.ts';
import type { FastifyInstance } from 'fastify';
import { openPayment, payCashier } from '#subjects/payments/contract/cashier.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import * as c from '#subjects/payments/contract/pay.ts';
import { DEFAULT_PAY_MODE } from '#contract/rules/amounts.ts';
import { payerChannels } from '../rules/pay-channels.ts';
import { mustLeave, payerBrowser } from '../rules/payer-browser.ts';
import { fen } from '#contract/wire.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import type { PayChannel } from '#server/ports/pay.ts';
import type { Binding } from '#server/binding.ts';
import { schedule } from '#server/jobs/effect-writer.ts';
import { orderIdsOf } from '#server/jobs/topics.ts';
import { recheckWithdrawal } from './payouts/payout-recheck.ts';
import { PAYOUT_CHECK } from './lease.ts';
import { loadBill, loadBillStats, bindBillExport } from './bill.ts';
import { payForDeposit, settleDeposit } from './deposit.ts';
import { hurryPayout, payWithdrawal } from './payouts/payout.ts';
import { describeTerms } from './payouts/payout-wait.ts';
import { chooseRefundTarget, refundEndedOrders, loadRefundInfo } from './refund-default.ts';
import { hurryRefund, refundToSource, sendRefund } from './refunds.ts';
import { loadCashier, openAtCashier, publicPayment, subjectOf } from './cashier/cashier.ts';
import { bindPayer } from './cashier/payer.ts';
import { createPayment, ownPayment, payFromBalance } from './service.ts';
import { goUrlOf } from './start.ts';
import { modesOf, payMethodFor } from './pay-method.ts';
import { decideNotices, recordNotice } from './settle.ts';
import { fetchStatements, matchAgain, RECHECK } from './reconcile.ts';
import { closeOtherPayments, hurryWatch, recheckPayment, WATCH, watchForgotten, watchPayment } from './watch.ts';
import { acceptPayout } from './payouts/accept.ts';
import { arrivalOf, kindNameOf, requestWithdrawal, stateNameOf, loadWithdrawals } from './payouts/withdraw.ts';
import { bindPaymentsStaff } from './staff/routes.ts';

const NOTIFY_BYTES = 64 * 1024;
/** Serves the channels' notifications. The signature over the raw body is checked before any lookup; a forged one is rejected and logged. */
function bindNotify(http: FastifyInstance, ctx: Context): void {
  void http.register((scope, _options, done) => {
    // Each channel reads the raw body, whatever its type and character set.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: NOTIFY_BYTES }, (request, body, parsed) => {
      request.rawBody = body as Buffer;
      parsed(null);
    });
    for (const channel of ctx.pay.values())
      scope.post(`/api/pay/notify/${channel.name}`, { bodyLimit: NOTIFY_BYTES }, async (request, reply) => {
        const headers = request.headers as Record<string, string | undefined>;
        const body = request.rawBody ?? Buffer.alloc(0);
        const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');
        const form = isForm ? Object.fromEntries(new URLSearchParams(body.toString('utf8'))) : {};
        const accepted = await receive(ctx, channel, { headers, body, form });
        const response = accepted ? channel.responses.accepted : channel.responses.rejected;
        return await reply.code(response.status).type(response.contentType).send(response.body);
      });
    done();
  });
}

async function receive(
  ctx: Context,
  channel: PayChannel,
  raw: { headers: Record<string, string | undefined>; body: Buffer; form: Record<string, string> },
): Promise<boolean> {
  const notice = channel.verify(raw);
  if (!notice) {
    ctx.log.warn({ channel: channel.name }, 'notification rejected: the signature is not valid');
    return false;
  }
  if ('refundNo' in notice) return await hurryRefund(ctx.db, channel.name, notice.refundNo);
  if ('payoutNo' in notice) return await hurryPayout(ctx.db, channel.name, notice.payoutNo);
  return await recordNotice(ctx, channel, notice);
}

function bindPay({ ctx, server }: Binding): void {
  server.serve(
    c.balancePay,
    async (call, { orderId, payPassword }) => await payFromBalance(call, orderId, payPassword),
  );
  server.serve(c.recPay, async (call, input) => {
    return paymentView(call, await createPayment(call, input));
  });
  server.serve(depositPay, async (call, input) => {
    const { payment, ...rest } = await payForDeposit(call, input);
    return { ...rest, payment: payment && paymentView(call, payment) };
  });
  const paymentState = async (userId: number, by: Parameters<typeof ownPayment>[2]) => {
    const payment = await ownPayment(ctx, userId, by);
    if (payment.status === PaymentStatus.Pending) await hurryWatch(ctx.db, payment.id);
    return stateOf(payment);
  };
  server.serve(c.queryPayStatus, ({ user }, { payRand }) => paymentState(user.id, { payRand }));
  server.serve(c.findPayState, async ({ user }, { payInterSn }) => {
    const state = await paymentState(user.id, { interSn: payInterSn });
    if (state.status === PaymentStatus.Pending) throw new AppError('PAY_WAITING');
    if (state.status === PaymentStatus.Closed) throw new AppError('PAY_CLOSED');
    return state;
  });
  server.serve(c.showPayUrl, async (_call, { payRand }) => {
    const p = await publicPayment(ctx, payRand);
    return {
      payRand,
      amount: p.amount_fen,
      subject: subjectOf(p),
      status: p.status,
      channel: p.channel,
      expireTime: p.expires_at,
      sandbox: p.channel === 'sandbox',
    };
  });
  server.serve(c.sandboxPress, async (_call, { payRand, act: action }) => {
    const channel = sandboxOf(ctx);
    if (!channel.simulate) throw new AppError('PAY_CHANNEL_CLOSED');
    const p = await publicPayment(ctx, payRand);
    if (p.channel !== 'sandbox') throw new AppError('PAY_NOT_FOUND');
    if (p.status !== PaymentStatus.Pending && action === 'pay') return { status: p.status, acknowledged: true };
    const form = channel.simulate({ interSn: p.inter_sn, amountFen: fen(p.amount_fen), paid: action === 'pay' });
    const acknowledged = await receive(ctx, channel, {
      headers: {},
      body: Buffer.from(new URLSearchParams(form).toString()),
      form,
    });
    return { status: (await publicPayment(ctx, payRand)).status, acknowledged };
  });
  server.serve(payCashier, async (call, { payRand }) => loadCashier(call, await publicPayment(ctx, payRand)));
  server.serve(openPayment, async (call, { payRand }) => openAtCashier(call, await publicPayment(ctx, payRand)));
  server.serve(c.payMethodShow, (call) => Promise.resolve(methodsOf(call)));
}

const paymentView = ({ ctx, origin }: UserCall, p: Awaited<ReturnType<typeof createPayment>>) => ({
  payRand: p.pay_rand,
  payInterSn: p.inter_sn,
  payUrl: `/api/pay/showPayUrl/${p.pay_rand}`,
  qrText: p.qr_text ?? '',
  qrSvg: p.qrSvg,
  amount: p.amount_fen,
  channel: p.channel,
  way: p.way,
  goUrl: goUrlOf(ctx, p, origin),
  jumpUrl: p.lead?.jumpUrl ?? null,
  jsapi: p.lead?.jsapi ?? null,
  expireTime: p.expires_at,
});

function sandboxOf(ctx: Context): PayChannel {
  const channel = ctx.pay.get('sandbox');
  if (!channel) throw new AppError('PAY_CHANNEL_CLOSED');
  return channel;
}

/** The available payment methods and the limits of a top-up. */
function methodsOf({ ctx, agent }: Call) {
  const setting = ctx.dir.setting('topup');
  const sandbox = ctx.pay.has('sandbox');
  const environment = payerBrowser(agent);
  const list = payerChannels
    .filter(({ channel }) => sandbox || ctx.pay.has(channel))
    .map(({ aliOrWx, name, channel }) => {
      const payChannel = ctx.pay.get(channel) ?? sandboxOf(ctx);
      const method = payMethodFor(ctx, payChannel, { agent });
      return {
        aliOrWx,
        name,
        channel: payChannel.name,
        note: payChannel.name === 'sandbox' ? '沙箱支付，不产生真实扣款' : '',
        way: method,
        mustLeave: mustLeave(payChannel.name, method, environment),
        payModes: modesOf(payChannel),
      };
    })
    // Inside an app, the channel that can be paid in it comes first.
    .toSorted((a, b) => Number(a.mustLeave) - Number(b.mustLeave));
  return {
    list,
    quickAmounts: setting.quickYuan.map((y) => y * 100),
    defaultPayMode: DEFAULT_PAY_MODE,
    minimum: setting.minFen,
    maximum: setting.maxFen,
  };
}

const stateOf = (p: Awaited<ReturnType<typeof ownPayment>>) => ({
  status: p.status,
  amount: p.amount_fen,
  payRand: p.pay_rand,
  payInterSn: p.inter_sn,
  orderSn: p.order_sn,
});

function bindWallet({ ctx, server }: Binding): void {
  server.serve(c.cashAdvance, async (call, input) => {
    const withdrawal = await requestWithdrawal(call, { ...input, amountFen: input.amount });
    return { withdrawSn: withdrawal.withdrawSn, status: withdrawal.status, amount: withdrawal.amountFen };
  });
  server.serve(c.withdrawTerms, describeTerms);
  server.serve(c.acceptWithdrawal, acceptPayout);
  server.serve(c.chooseRefundTarget, async (call, { orderSn, toBalance }) => {
    await chooseRefundTarget(call, { orderSn, toBalance: toBalance === 1 });
    return {};
  });
  server.serve(c.refundInfo, (call, { orderSn }) => loadRefundInfo(call, orderSn));
  server.serve(c.refundToSource, async (call, { orderSn, amount }) => {
    const refund = await refundToSource(call, { orderSn, amountFen: amount });
    return { refundNo: refund.refundNo, status: refund.status, amount: refund.amountFen };
  });
  server.serve(c.withdrawList, async ({ user }, { pageSize, cursor }) => {
    const limit = pageSize ?? 20;
    const from = decodeId(cursor);
    const rows = await loadWithdrawals(ctx.db, user.id, limit + 1, from);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      list: page.map((w) => ({
        withdrawSn: w.sn,
        amount: w.amountFen,
        fee: w.feeFen,
        accountName: kindNameOf(w.kind),
        accountMask: w.accountMask,
        status: w.status,
        statusName: stateNameOf(w),
        arrival: arrivalOf(ctx, w),
        isAccepting: w.isAccepting,
        note: w.note,
        createTime: w.createdAt,
        paidTime: w.paidAt,
      })),
      total: page.length,
      totalCapped: rows.length > limit,
      next: rows.length > limit && last ? encodeCursor([last.id]) : null,
    };
  });
  server.serve(c.bill, loadBill);
  server.serve(c.billStats, loadBillStats);
}

/** Calls, notifications and jobs of payments. */
export function bindPayments(binding: Binding): void {
  const { ctx, effects, http } = binding;
  bindPaymentsStaff(binding);
  bindPay(binding);
  bindWallet(binding);
  bindNotify(http, ctx);
  bindPayer(binding);
  bindBillExport(http, ctx);
  effects.on('payment.paid', async (_ctx, { paymentId }) => await settleDeposit(ctx, paymentId));
  effects.timer(PAYOUT_CHECK, async (_ctx, ref) => await recheckWithdrawal(ctx, ref));
  effects.timer('withdraw.pay', async (_ctx, ref) => await payWithdrawal(ctx, ref));
  effects.timer('refund.send', async (_ctx, ref) => await sendRefund(ctx, ref));
  effects.timer(WATCH, async (_ctx, ref) => await watchPayment(ctx, ref));
  effects.every('reconcile.fetch', async () => await fetchStatements(ctx));
  effects.timer(RECHECK, async (_ctx, ref) => {
    const channel = await recheckPayment(ctx, ref);
    if (channel !== undefined) await matchAgain(ctx, channel);
  });
  for (const topic of ['order.cancelled', 'order.paid'] as const)
    effects.onMany(topic, async (_ctx, events) => await closeOtherPayments(ctx.db, orderIdsOf(events)));
  for (const topic of ['order.cancelled', 'order.ruled', 'dispute.closed'] as const)
    effects.onMany(topic, async (_ctx, events) => await refundEndedOrders(ctx, orderIdsOf(events)));
  // Settles notifications that were stored by a process that died before settling them.
  effects.every('payment.decide', async () => {
    for (const name of ctx.pay.keys()) await decideNotices(ctx, name);
    await watchForgotten(ctx.db);
    await schedule(ctx.db, 'payment.decide', 'all', { seconds: 20 });
  });
}
