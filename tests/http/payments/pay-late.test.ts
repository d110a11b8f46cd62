/** A channel that notifies late, twice, in the wrong order or not at all, and one that is forged: at both channels, to the end. */
import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { listOrderProcess, orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, bill, queryPayStatus, recPay } from '#subjects/payments/contract/pay.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import {
  accepted,
  type Channel,
  CHANNELS,
  FORM,
  methodOf,
  minutesPass,
  post,
  notifyPayment,
} from '#tests/support/fakes/channel-notices.ts';

let t: TestApp;
let w: Awaited<ReturnType<typeof startChannels>>;
let seller: TestUser;

beforeAll(async () => {
  w = await startChannels();
  t = await testApp({ overrides: { pay: w.channels }, env: { LIMIT_FACTOR: '1000' } });
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

const vendor = (name: Channel) => (name === 'alipay' ? w.alipay : w.wechat);

async function order(buyer: TestUser) {
  const goods = await addGoods(t.ctx, { sellerId: seller.id });
  return await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
}

const noticeBodies = async ({ client }: TestUser) =>
  (await client.ok(noticeList, { group: 'money' })).list.map(({ title, body }) => `${title} ${body}`);

/** The lines of one of a buyer's accounts, oldest first. */
const lines = async ({ client }: TestUser, account: 'available' | 'frozen') =>
  (await client.ok(bill, { account })).list.map(({ code, amount }) => `${code} ${amount}`).toReversed();

const refundsAt = (name: Channel, interSn: string): number =>
  name === 'alipay'
    ? (w.alipay.trades.get(interSn)?.refunds.size ?? 0)
    : [...w.wechat.refunds.values()].filter((r) => r.trade === interSn).length;

describe.each(CHANNELS)('%s', (name) => {
  test('the timer closes the order of a silent channel; money an hour late is refunded automatically with a message', async () => {
    const buyer = await t.newUser();
    const { orderId, orderSn } = await order(buyer);
    const p = await buyer.client.ok(recPay, { orderId, aliOrWx: methodOf(name) });
    vendor(name).pay(p.payInterSn);
    vendor(name).fail(/./, 'refuse', 100_000);
    for (let minute = 0; minute < 60; minute += 20) await minutesPass(t, 20);
    expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(6);
    const story = await buyer.client.ok(listOrderProcess, { orderSn });
    expect(JSON.stringify(story)).toContain('超过付款时限，订单自动关闭');
    // Closed, then paid, then closed once more, each of them several times concurrently.
    const closed = name === 'alipay' ? { trade_status: 'TRADE_CLOSED' } : { trade_state: 'CLOSED' };
    await notifyPayment(t, w, name, p.payInterSn, closed);
    const responses = await Promise.all(Array.from({ length: 12 }, () => notifyPayment(t, w, name, p.payInterSn)));
    expect(new Set(responses)).toEqual(new Set([accepted[name]]));
    await notifyPayment(t, w, name, p.payInterSn, closed);
    await t.relay();
    expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 0, frozenFen: 10_100 });
    expect(await noticeBodies(buyer)).toEqual([
      `付款正在退回 订单 ${orderSn} 的 101.00 元到账时订单已不再等待付款，正在自动退回您的付款账户。`,
    ]);
    // The vendor is away when the refund is sent, and for a while after.
    await minutesPass(t, 5);
    expect(refundsAt(name, p.payInterSn)).toBe(0);
    vendor(name).mend();
    for (let minute = 0; minute < 3; minute += 1) await minutesPass(t, 2);
    expect(refundsAt(name, p.payInterSn)).toBe(1);
    expect(await loadBalances(t.ctx.db, buyer.id)).toMatchObject({ availableFen: 0, frozenFen: 0 });
    expect(await lines(buyer, 'frozen')).toEqual(['late_refund 101.00', 'refund_paid -101.00']);
    expect(await lines(buyer, 'available')).toEqual([]);
    expect((await noticeBodies(buyer))[0]).toBe(`退款进度 订单 ${orderSn} 的 101.00 元已退回原付款账户。`);
    expect((await buyer.client.ok(queryPayStatus, { payRand: p.payRand })).status).toBe(3);
  });

  test('an order paid by the balance meanwhile stays paid; the channel’s money is refunded', async () => {
    const buyer = await t.newUser({ balanceFen: 10_100, stepUp: true });
    const { orderId, orderSn } = await order(buyer);
    const p = await buyer.client.ok(recPay, { orderId, aliOrWx: methodOf(name) });
    vendor(name).pay(p.payInterSn);
    await Promise.all([buyer.client.call(balancePay, { orderId }), notifyPayment(t, w, name, p.payInterSn)]);
    await t.relay();
    expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(1);
    for (let minute = 0; minute < 3; minute += 1) await minutesPass(t, 2);
    const { availableFen, frozenFen } = await loadBalances(t.ctx.db, buyer.id);
    // Whoever came first paid; the other's money is where it was.
    expect([availableFen, refundsAt(name, p.payInterSn), frozenFen]).toEqual(
      availableFen === 0 ? [0, 1, 0] : [10_100, 0, 0],
    );
  });

  test('a refund made manually at the channel is notified to the same URL and pays nothing', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '30.00', aliOrWx: methodOf(name) });
    vendor(name).pay(p.payInterSn);
    await notifyPayment(t, w, name, p.payInterSn);
    const more =
      name === 'alipay'
        ? [
            { refund_fee: '30.00', gmt_refund: '2026-11-22 10:00:00' },
            { trade_status: 'TRADE_CLOSED', refund_fee: '30.00' },
          ]
        : [{ trade_state: 'REFUND' }, { trade_state: 'REVOKED' }];
    for (const fields of more) await notifyPayment(t, w, name, p.payInterSn, fields);
    expect((await loadBalances(t.ctx.db, user.id)).availableFen).toBe(3_000);
  });
});

describe('a forged notification of', () => {
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const BIG = 'a'.repeat(70_000);

  /** A payment that the vendor knows as paid and has not notified of. */
  async function untold(name: Channel): Promise<{ user: TestUser; interSn: string }> {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '100.00', aliOrWx: methodOf(name) });
    vendor(name).pay(p.payInterSn);
    return { user, interSn: p.payInterSn };
  }

  async function movedFen(userId: number): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from payment_notify where payload->>'interSn' in (select inter_sn from payment where user_id = ${userId})`.execute(
      t.ctx.db,
    );
    return (rows[0]?.n ?? 0) + (await loadBalances(t.ctx.db, userId)).availableFen;
  }

  test('Alipay is rejected without a record, and never with an internal error', async () => {
    const { user, interSn } = await untold('alipay');
    const good = w.alipay.notice(interSn);
    const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
    const { sign: _sign, ...unsigned } = good;
    const bodies: Record<string, string> = {
      'no signature': form(unsigned),
      'an empty signature': form({ ...good, sign: '' }),
      'a signature of nothing': form({ ...good, sign: 'AAAA' }),
      'no Base64': form({ ...good, sign: '不是签名' }),
      'another key': form(w.alipay.notice(interSn, {}, stranger)),
      'SHA-1': form({ ...good, sign_type: 'RSA' }),
      'a type that there is none of': form({ ...good, sign_type: '__proto__' }),
      'a field that was changed': form({ ...good, total_amount: '10000.00' }),
      'a field that was added': form({ ...good, refund_fee: '1.00' }),
      'the amount twice': `${form(good)}&total_amount=10000.00`,
      'the number as a list': form(good).replace('out_trade_no=', 'out_trade_no[]='),
      'broken escapes': `${form(good)}&subject=%zz%`,
      nothing: '',
      'a large body': `${form(good)}&memo=${BIG}`,
    };
    for (const [what, body] of Object.entries(bodies))
      expect(await post(t, 'alipay', body, { 'content-type': FORM }), what).toMatch(/^4\d\d /);
    for (const json of [{ ...good, sign: ['x'] }, { ...good, sign: { a: 1 } }, [], null, good.sign])
      expect(await post(t, 'alipay', JSON.stringify(json), { 'content-type': 'application/json' })).toMatch(/^4\d\d /);
    expect(await movedFen(user.id)).toBe(0);
    // The genuine one, with a plus and a per cent sign in its texts, is believed after all that.
    expect(await post(t, 'alipay', form(good), { 'content-type': FORM })).toBe(accepted.alipay);
    expect(await movedFen(user.id)).toBe(10_001);
  });

  test('WeChat Pay is rejected without a record, and never with an internal error', async () => {
    const { user, interSn } = await untold('wechat');
    const trade = w.wechat.trades.get(interSn);
    const resource = { ...(trade && w.wechat.transaction(trade)) };
    const now = Math.floor(Date.now() / 1000);
    const good = w.wechat.notice(resource);
    const lines: Record<string, { body: string; headers: Record<string, string> }> = {
      'another key': w.wechat.notice(resource, { key: stranger }),
      'an unknown serial': { ...good, headers: { ...good.headers, 'wechatpay-serial': 'PUB_KEY_ID_0' } },
      'ten minutes old': w.wechat.notice(resource, { at: now - 600 }),
      'ten minutes early': w.wechat.notice(resource, { at: now + 600 }),
      'sealed with another key': w.wechat.notice(resource, { v3: 'f'.repeat(32) }),
      'another event': w.wechat.notice(resource, { event: 'MCHTRANSFER.BILL.FINISHED' }),
      'a body that was changed': { ...good, body: good.body.replace('transaction', 'transactioN') },
      'a space more': { ...good, body: `${good.body} ` },
      'no headers': { body: good.body, headers: { 'content-type': 'application/json' } },
      nothing: { body: '', headers: good.headers },
      'a large body': { body: good.body.replace('{', `{"a":"${BIG}",`), headers: good.headers },
    };
    for (const probe of [`WECHATPAY/SIGNTEST/${good.headers['wechatpay-signature']}`, '', 'AAAA', '%E4%B8%8D'])
      lines[`a signature like ${probe.slice(0, 20)}`] = {
        body: good.body,
        headers: { ...good.headers, 'wechatpay-signature': probe },
      };
    for (const [what, { body, headers }] of Object.entries(lines))
      expect(await post(t, 'wechat', body, headers), what).toMatch(/^4\d\d /);
    expect(await movedFen(user.id)).toBe(0);
    expect(await post(t, 'wechat', good.body, good.headers)).toBe(accepted.wechat);
    expect(await movedFen(user.id)).toBe(10_001);
  });
});
