import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cancelOrder, orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import {
  chooseRefundTarget,
  payMethodShow,
  queryPayStatus,
  recPay,
  refundInfo,
  refundToSource,
} from '#subjects/payments/contract/pay.ts';
import { codes } from '#contract/codes.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { sendRefund } from '#subjects/payments/server/refunds.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { sizeOf } from '#tests/sizes.ts';
import { accepted, type Channel, CHANNELS, methodOf, notifyPayment } from '#tests/support/fakes/channel-notices.ts';

let t: TestApp;
let w: Awaited<ReturnType<typeof startChannels>>;
let seller: TestUser;

beforeAll(async () => {
  w = await startChannels();
  t = await testApp({ overrides: { pay: w.channels } });
  await addGame(t.ctx);
  seller = await t.newUser();
});
beforeEach(() => {
  w.alipay.mend();
  w.wechat.mend();
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
  await w.close();
});

const availableOf = async (u: TestUser): Promise<number> => (await loadBalances(t.ctx.db, u.id)).availableFen;
const stateOf = async (u: TestUser, payRand: string): Promise<number> =>
  (await u.client.ok(queryPayStatus, { payRand })).status;

const notify = async (name: Channel, interSn: string, other: Record<string, unknown> = {}): Promise<string> =>
  await notifyPayment(t, w, name, interSn, other);
const vendor = (name: Channel) => (name === 'alipay' ? w.alipay : w.wechat);

/** Minutes pass: what is due by then runs, until nothing is. */
async function later(minutes: number): Promise<void> {
  await passTime(
    t.ctx.db,
    'timer',
    { kind: ['pay.watch', 'refund.send', 'withdraw.pay', 'payment.decide'] },
    { minutes },
  );
  await passTime(t.ctx.db, 'payment', { status: 0 }, { minutes });
  await t.relay();
  await t.timers();
}

async function order(buyer: TestUser) {
  const goods = await addGoods(t.ctx, { sellerId: seller.id });
  return await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
}

/** An order paid by a channel, reported by its notification. */
async function paidOrder(
  name: Channel,
): Promise<{ buyer: TestUser; orderId: number; orderSn: string; interSn: string }> {
  const buyer = await t.newUser();
  const { orderId, orderSn } = await order(buyer);
  const p = await buyer.client.ok(recPay, { orderId, aliOrWx: methodOf(name) });
  vendor(name).pay(p.payInterSn);
  expect(await notify(name, p.payInterSn)).toBe(accepted[name]);
  expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(1);
  return { buyer, orderId, orderSn, interSn: p.payInterSn };
}

test('the market offers both channels with the methods that each has', async () => {
  const { list } = await t.client().ok(payMethodShow, {});
  expect(list).toMatchObject([
    { aliOrWx: 1, channel: 'alipay', note: '', payModes: [15, 16, 17] },
    { aliOrWx: 2, channel: 'wechat', note: '', payModes: [15, 17, 18] },
  ]);
});

describe.each(CHANNELS)('%s', (name) => {
  test('a top-up with fifty concurrent notifications is credited once', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '100.00', aliOrWx: methodOf(name) });
    expect(p).toMatchObject({ channel: name, jumpUrl: null });
    expect(p.qrText).toContain(p.payInterSn);
    vendor(name).pay(p.payInterSn);
    const responses = await Promise.all(Array.from({ length: 50 }, () => notify(name, p.payInterSn)));
    expect(new Set(responses)).toEqual(new Set([accepted[name]]));
    expect(await availableOf(user)).toBe(10_000);
    expect(await stateOf(user, p.payRand)).toBe(1);
  });

  test('two requests under one key create one payment', async () => {
    const user = await t.newUser();
    const send = () =>
      user.client.ok(recPay, { amount: '20.00', aliOrWx: methodOf(name) }, { idempotencyKey: `k-${name}-${user.id}` });
    const created = [await send(), await send(), await send()];
    expect(created[0]?.payInterSn).not.toBe('');
    expect(new Set(created.map((p) => p.payInterSn)).size).toBe(1);
  });

  test('another amount, another merchant, no success, or a second time: no money moves', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '100.00', aliOrWx: methodOf(name) });
    vendor(name).pay(p.payInterSn);
    const amounts = ['0.01', '1000.00', '1e2', 'NaN', '-100.00'];
    const wrong: Record<string, unknown>[] =
      name === 'alipay'
        ? [...amounts.map((total_amount) => ({ total_amount })), { app_id: '1' }, { seller_id: '2' }]
        : [
            ...[1, '10000', 10_000.5, -1].map((total) => ({ amount: { total, currency: 'CNY' } })),
            { mchid: '1' },
            { appid: 'x' },
          ];
    if (name === 'wechat') wrong.push({ amount: { total: 10_000, currency: 'USD' } });
    for (const fields of wrong) expect(await notify(name, p.payInterSn, fields)).toMatch(/^400 /);
    const pending = name === 'alipay' ? { trade_status: 'WAIT_BUYER_PAY' } : { trade_state: 'NOTPAY' };
    expect(await notify(name, p.payInterSn, pending)).toBe(accepted[name]);
    expect(await availableOf(user)).toBe(0);
    await notify(name, p.payInterSn);
    await notify(name, p.payInterSn, pending);
    await notify(name, p.payInterSn, name === 'alipay' ? { trade_status: 'TRADE_FINISHED' } : {});
    expect(await availableOf(user)).toBe(10_000);
  });

  test('a missing notification is replaced by a query', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '50.00', aliOrWx: methodOf(name) });
    vendor(name).pay(p.payInterSn);
    await later(1);
    expect(await stateOf(user, p.payRand)).toBe(1);
    expect(await availableOf(user)).toBe(5_000);
  });

  test('a channel that is down for an hour loses nothing and recovers automatically', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '60.00', aliOrWx: methodOf(name) });
    vendor(name).pay(p.payInterSn);
    vendor(name).fail(/./, 'refuse', 10_000);
    expect((await user.client.call(recPay, { amount: '60.00', aliOrWx: methodOf(name) })).code).toBe(
      codes.PAY_CHANNEL_BUSY[0],
    );
    for (let minute = 0; minute < 60; minute += 5) await later(5);
    expect(await availableOf(user)).toBe(0);
    vendor(name).mend();
    await later(2);
    expect(await stateOf(user, p.payRand)).toBe(1);
    expect(await availableOf(user)).toBe(6_000);
  });

  test('an expired payment is closed at the channel first, and then here', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '70.00', aliOrWx: methodOf(name) });
    if (name === 'alipay') w.alipay.scan(p.payInterSn);
    vendor(name).fail(/close/, 'error500', 1);
    await later(20);
    expect(await stateOf(user, p.payRand)).toBe(0);
    await later(2);
    expect(await stateOf(user, p.payRand)).toBe(2);
    expect(() => vendor(name).pay(p.payInterSn)).toThrow('cannot be paid');
  });

  test('a payment concurrent with the closing counts as paid', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '80.00', aliOrWx: methodOf(name) });
    await passTime(t.ctx.db, 'payment', { pay_rand: p.payRand }, { until: 'expires_at' });
    vendor(name).fail(/query|GET/, 'malformed', 1);
    await later(1);
    vendor(name).pay(p.payInterSn);
    await later(2);
    expect(await availableOf(user)).toBe(8_000);
  });

  test('a cancelled order’s open payment is closed, and money that still arrives is refunded to its source', async () => {
    const buyer = await t.newUser();
    const { orderId, orderSn } = await order(buyer);
    const refundState = async () => (await buyer.client.ok(orderDetail, { orderSn })).money;
    const [p, q] = [
      await buyer.client.ok(recPay, { orderId, aliOrWx: methodOf(name) }),
      await buyer.client.ok(recPay, { orderId, aliOrWx: methodOf(name) }),
    ];
    vendor(name).pay(q.payInterSn);
    if (name === 'alipay') w.alipay.scan(p.payInterSn);
    await buyer.client.ok(cancelOrder, { orderId });
    expect(await notify(name, q.payInterSn)).toBe(accepted[name]);
    expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 0, frozenFen: 10_100 });
    expect(await refundState()).toMatchObject({
      where: '付款正在原路退回',
      late: '101.00',
      points: [{ amount: '101.00' }, { state: 'current' }],
    });
    await later(1);
    expect(await stateOf(buyer, p.payRand)).toBe(2);
    expect(() => vendor(name).pay(p.payInterSn)).toThrow('cannot be paid');
    await later(1);
    expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 0, frozenFen: 0 });
    const refunds =
      name === 'alipay'
        ? w.alipay.trades.get(q.payInterSn)?.refunds.size
        : [...w.wechat.refunds.values()].filter((r) => r.trade === q.payInterSn).length;
    expect(refunds).toBe(1);
    const { where, reason } = await refundState();
    expect([where, reason]).toEqual([
      '付款已原路退回',
      '订单关闭后才收到付款 101.00 元，没有进入交易，已退回付款账户。',
    ]);
    expect((await buyer.client.ok(refundInfo, { orderSn })).list).toMatchObject([{ amount: '101.00', status: 1 }]);
  });

  test('a refund to the source in two parts, by a hundred concurrent jobs, one response lost: each is made once', async () => {
    const { buyer, orderId, orderSn, interSn } = await paidOrder(name);
    await buyer.client.ok(chooseRefundTarget, { orderSn, toBalance: '1' });
    expect(await buyer.client.ok(refundInfo, { orderSn })).toMatchObject({ refundable: '0.00' });
    expect((await buyer.client.call(refundToSource, { orderSn })).code).toBe(codes.REFUND_NONE[0]);
    await buyer.client.ok(cancelOrder, { orderId });
    expect(await availableOf(buyer)).toBe(10_100);
    expect((await buyer.client.ok(refundInfo, { orderSn })).refundable).toBe('101.00');
    expect((await buyer.client.call(refundToSource, { orderSn, amount: '101.01' })).code).toBe(codes.PAY_AMOUNT[0]);
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => buyer.client.call(refundToSource, { orderSn, amount: '60.00' })),
    );
    expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
    const stranger = await t.newUser();
    expect((await stranger.client.call(refundToSource, { orderSn })).code).toBe(codes.ORDER_NOT_FOUND[0]);
    const { rows } = await sql<{ id: number }>`select id from refund where order_id = ${orderId}`.execute(t.ctx.db);
    vendor(name).fail(/refund/, 'lost', 1);
    await Promise.all(Array.from({ length: sizeOf('raceCallers') }, () => sendRefund(t.ctx, rows[0]?.id ?? 0)));
    expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 4_100, frozenFen: 6_000 });
    await Promise.all(Array.from({ length: sizeOf('raceCallers') }, () => sendRefund(t.ctx, rows[0]?.id ?? 0)));
    expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 4_100, frozenFen: 0 });
    await buyer.client.ok(refundToSource, { orderSn });
    await later(1);
    expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 0, frozenFen: 0 });
    const info = await buyer.client.ok(refundInfo, { orderSn });
    expect([info.refundable, info.list.map((r) => [r.amount, r.status])]).toEqual([
      '0.00',
      [
        ['41.00', 1],
        ['60.00', 1],
      ],
    ]);
    const out =
      name === 'alipay'
        ? [...(w.alipay.trades.get(interSn)?.refunds.values() ?? [])]
        : [...w.wechat.refunds.values()].filter((r) => r.trade === interSn).map((r) => (r.fen / 100).toFixed(2));
    expect(out).toEqual(['60.00', '41.00']);
  });
});

test('a refund that the channel rejects for ever is credited to the balance', async () => {
  const { buyer, orderId, orderSn, interSn } = await paidOrder('alipay');
  await buyer.client.ok(cancelOrder, { orderId });
  const trade = w.alipay.trades.get(interSn);
  if (trade) trade.status = 'TRADE_FINISHED';
  await later(1);
  expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 10_100, frozenFen: 0 });
  expect((await buyer.client.ok(refundInfo, { orderSn })).list).toMatchObject([
    { status: 2, statusName: '退回失败，已退到余额' },
  ]);
});

test('WeChat Pay: a pending refund ends by its notification, which only triggers a query', async () => {
  const { buyer, orderId, orderSn } = await paidOrder('wechat');
  w.wechat.refundBegins = 'PROCESSING';
  await buyer.client.ok(cancelOrder, { orderId });
  await later(1);
  const { refundNo = '' } = (await buyer.client.ok(refundInfo, { orderSn })).list[0] ?? {};
  w.wechat.refundBegins = 'SUCCESS';
  expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ frozenFen: 10_100 });
  const notify = async (no: string) => {
    const { body, headers } = w.wechat.notice(
      { mchid: w.wechat.mchid, out_refund_no: no },
      { event: 'REFUND.SUCCESS' },
    );
    const r = await t.app.http.inject({
      method: 'POST',
      url: '/api/pay/notify/wechat',
      headers: { host: 'm', ...headers },
      payload: body,
    });
    return r.statusCode;
  };
  expect(await notify('Runknown')).toBe(400);
  expect(await notify(refundNo)).toBe(204);
  await t.timers();
  expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ frozenFen: 10_100 });
  const refund = w.wechat.refunds.get(refundNo);
  if (refund) refund.status = 'SUCCESS';
  expect(await notify(refundNo)).toBe(204);
  await t.timers();
  expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 0, frozenFen: 0 });
});
