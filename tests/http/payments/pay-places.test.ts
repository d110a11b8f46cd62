/** Payment on a computer, in a phone's browser and inside WeChat: each flow to its end, and no double payment. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPayment, payCashier } from '#subjects/payments/contract/cashier.ts';
import { codes } from '#contract/codes.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import { orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import { payMethodShow, queryPayStatus, recPay } from '#subjects/payments/contract/pay.ts';
import { officialAccountLogin } from '#server/adapters/wechat-login/official-account.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { outside, startChannels } from '#tests/support/fakes/channels.ts';
import { FakeWeixin } from '#tests/support/fakes/weixin.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import {
  accepted,
  type Channel,
  CHANNELS,
  methodOf,
  minutesPass,
  notifyPayment,
} from '#tests/support/fakes/channel-notices.ts';
import type { TestClient } from '#tests/support/servers/client.ts';

const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36';
const WECHAT = `${PHONE} MicroMessenger/8.0.54.2760(0x2800363D)`;
const ALIPAY = `${PHONE} AlipayClient/10.6.80`;
const from = (agent: string) => ({ headers: { 'user-agent': agent } });

let t: TestApp;
let w: Awaited<ReturnType<typeof startChannels>>;
let weixin: FakeWeixin;
let seller: TestUser;

beforeAll(async () => {
  w = await startChannels();
  weixin = new FakeWeixin();
  const apiBase = await weixin.listen();
  const wechatLogin = officialAccountLogin({ appId: weixin.appId, secret: weixin.secret, apiBase }, outside);
  t = await testApp({ overrides: { pay: w.channels, wechatLogin } });
  await addGame(t.ctx);
  seller = await t.newUser();
});
beforeEach(() => {
  w.alipay.mend();
  w.wechat.mend();
  weixin.mend();
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
  await Promise.all([w.close(), weixin.close()]);
});

const vendor = (name: Channel) => (name === 'alipay' ? w.alipay : w.wechat);
const notify = (name: Channel, interSn: string) => notifyPayment(t, w, name, interSn);
const balances = async (user: TestUser) => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return [availableFen, frozenFen];
};
const statusOf = async (user: TestUser, payRand: string) => (await user.client.ok(queryPayStatus, { payRand })).status;
const order = async (buyer: TestUser) =>
  await buyer.client.ok(placeOrder, { goodsSn: (await addGoods(t.ctx, { sellerId: seller.id })).sn });

/** Opens a channel's page by the cashier page's link, as a phone does; returns our payment number. */
function openLink(name: Channel, link: string, agent = PHONE): string {
  const opened =
    name === 'alipay' ? w.alipay.openPage(link, agent) : w.wechat.openH5(link, { referer: 'http://localhost/', agent });
  if (typeof opened === 'string') throw new Error(opened);
  expect(opened.back).toMatch(/^http:\/\/localhost\/pay\/go\/[\w-]+$/);
  return opened.no;
}

/** Sends a browser inside WeChat through WeChat's authorisation and back, as the user with this openid. */
/** Long enough not to occur in a random token. */
const OPENID = 'oWx-payer-known-by-this';

async function recognise(client: TestClient, payerUrl: string, openid: string): Promise<string> {
  const there = await client.raw({ method: 'GET', url: payerUrl });
  expect(there.statusCode).toBe(302);
  const back = new URL(weixin.authorise(String(there.headers.location), openid));
  const home = await client.raw({ method: 'GET', url: `${back.pathname}${back.search}` });
  expect(home.statusCode).toBe(302);
  return String(home.headers.location);
}

test('the browser decides the payment method: a QR code on a computer, the app on a phone, WeChat’s dialog inside WeChat', async () => {
  const offer = async (agent?: string) =>
    (await t.client().ok(payMethodShow, {}, agent === undefined ? {} : from(agent))).list.map(
      ({ channel, way, mustLeave }) => `${channel} ${way}${mustLeave ? ' elsewhere' : ''}`,
    );
  expect(await offer()).toEqual(['alipay qr', 'wechat qr']);
  expect(await offer(PHONE)).toEqual(['alipay h5', 'wechat h5']);
  expect(await offer(WECHAT)).toEqual(['wechat jsapi', 'alipay h5 elsewhere']);
  expect(await offer(ALIPAY)).toEqual(['alipay h5', 'wechat h5 elsewhere']);
});

describe.each(CHANNELS)('%s in a phone’s browser', (name) => {
  test('a top-up shows no QR code, opens the app by a link on the cashier page, and is credited once', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '100.00', aliOrWx: methodOf(name) }, from(PHONE));
    expect(p).toMatchObject({ way: 'h5', qrSvg: '', goUrl: `http://localhost/pay/go/${p.payRand}` });
    // The URL is enough: another browser on the phone, which is not logged in, can pay.
    const browser = t.client();
    const cashier = await browser.ok(payCashier, { payRand: p.payRand }, from(PHONE));
    expect(cashier).toMatchObject({ amount: '100.00', status: 0, way: 'h5', place: 'phone', mustLeave: false });
    expect(cashier).not.toHaveProperty('payInterSn');
    const { jumpUrl } = await browser.ok(openPayment, { payRand: p.payRand }, from(PHONE));
    expect(openLink(name, jumpUrl ?? '')).toBe(p.payInterSn);
    vendor(name).pay(p.payInterSn);
    expect(await notify(name, p.payInterSn)).toBe(accepted[name]);
    expect(await balances(user)).toEqual([10_000, 0]);
    expect((await browser.ok(payCashier, { payRand: p.payRand }, from(PHONE))).status).toBe(1);
    expect((await browser.call(openPayment, { payRand: p.payRand }, from(PHONE))).code).toBe(codes.PAY_ALREADY[0]);
  });

  test('an order and a deposit are paid the same way, and the payer of an order returns to its page', async () => {
    const buyer = await t.newUser();
    const { orderId, orderSn } = await order(buyer);
    const returnUrl = `/wares/1/pay?orderSn=${orderSn}`;
    const p = await buyer.client.ok(recPay, { orderId, aliOrWx: methodOf(name), returnUrl }, from(PHONE));
    expect((await buyer.client.ok(payCashier, { payRand: p.payRand }, from(PHONE))).backUrl).toBe(returnUrl);
    const { jumpUrl } = await buyer.client.ok(openPayment, { payRand: p.payRand }, from(PHONE));
    vendor(name).pay(openLink(name, jumpUrl ?? ''));
    await notify(name, p.payInterSn);
    expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(1);
    const { payment } = await buyer.client.ok(
      depositPay,
      { role: 'seller', level: 1, payWay: 'channel', aliOrWx: methodOf(name) },
      from(PHONE),
    );
    expect(payment).toMatchObject({ way: 'h5', qrSvg: '' });
    const link = (await buyer.client.ok(openPayment, { payRand: payment?.payRand ?? '' }, from(PHONE))).jumpUrl;
    vendor(name).pay(openLink(name, link ?? ''));
    await notify(name, payment?.payInterSn ?? '');
    await t.relay();
    expect((await loadBalances(t.ctx.db, buyer.id)).depositFen).toBeGreaterThan(0);
  });

  test('an expired payment is closed at the channel by the same job as a QR code, and the cashier page no longer opens it', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '70.00', aliOrWx: methodOf(name) }, from(PHONE));
    const { jumpUrl } = await user.client.ok(openPayment, { payRand: p.payRand }, from(PHONE));
    openLink(name, jumpUrl ?? '');
    await minutesPass(t, 20);
    expect(await statusOf(user, p.payRand)).toBe(2);
    expect(() => vendor(name).pay(p.payInterSn)).toThrow('cannot be paid');
    expect((await user.client.call(openPayment, { payRand: p.payRand }, from(PHONE))).code).toBe(codes.PAY_CLOSED[0]);
  });

  test('when the channel does not respond, reopening an expired link gives at most an error, and the next attempt works', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '70.00', aliOrWx: methodOf(name) }, from(PHONE));
    // Six minutes later the link has expired.
    await sql`update payment set lead = lead || '{"at": 0}' where pay_rand = ${p.payRand}`.execute(t.ctx.db);
    const trade = w.wechat.trades.get(p.payInterSn);
    if (trade) trade.linkAt = 0;
    vendor(name).fail(/h5/, 'hang');
    const first = await user.client.call(openPayment, { payRand: p.payRand }, from(PHONE));
    expect(first.code).toBe(name === 'wechat' ? codes.PAY_CHANNEL_BUSY[0] : 0);
    const { jumpUrl } = await user.client.ok(openPayment, { payRand: p.payRand }, from(PHONE));
    expect(openLink(name, jumpUrl ?? '')).toBe(p.payInterSn);
  });
});

describe('inside WeChat', () => {
  test('the payer is identified without a prompt, then WeChat’s own dialog opens with signed fields', async () => {
    w.wechat.openids.add(OPENID);
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '88.00', aliOrWx: 2 }, from(WECHAT));
    expect(p).toMatchObject({ way: 'jsapi', qrSvg: '', jsapi: null });
    expect(w.wechat.trades.has(p.payInterSn)).toBe(false);
    const open = () => user.client.ok(openPayment, { payRand: p.payRand }, from(WECHAT));
    const { payerUrl } = await open();
    expect(payerUrl).toBe(`/api/pay/payer?payRand=${p.payRand}`);
    expect(await recognise(user.client, payerUrl ?? '', OPENID)).toBe(`/pay/go/${p.payRand}`);
    expect([...user.client.jar.values()].join()).not.toContain(OPENID);
    const { jsapi } = await open();
    expect(w.wechat.dialog({ ...jsapi, paySign: 'AAAA' }, { openid: OPENID, pays: true })).toMatch(/:fail$/);
    expect(w.wechat.dialog({ ...jsapi }, { openid: OPENID, pays: false })).toMatch(/:cancel$/);
    const again = await open();
    expect(w.wechat.dialog({ ...again.jsapi }, { openid: OPENID, pays: true })).toMatch(/:ok$/);
    await notify('wechat', p.payInterSn);
    await notify('wechat', p.payInterSn);
    expect(await balances(user)).toEqual([8_800, 0]);
    // The payer is known from now on: the next payment needs no authorisation.
    const next = await user.client.ok(recPay, { amount: '1.00', aliOrWx: 2 }, from(WECHAT));
    expect((await user.client.ok(openPayment, { payRand: next.payRand }, from(WECHAT))).jsapi).not.toBeNull();
  });

  test('a payment belongs to the first WeChat account that opens it, even when two open it at the same time', async () => {
    w.wechat.openids.add('o2');
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '10.00', aliOrWx: 2 }, from(WECHAT));
    const people = await Promise.all(
      ['o1', 'o2'].map(async (openid) => {
        const client = t.client();
        const { payerUrl } = await client.ok(openPayment, { payRand: p.payRand }, from(WECHAT));
        await recognise(client, payerUrl ?? '', openid);
        return client;
      }),
    );
    const results = await Promise.all(
      [...people, ...people].map((client) => client.call(openPayment, { payRand: p.payRand }, from(WECHAT))),
    );
    const got = results.map(({ code }) => code);
    expect(got.toSorted((a, b) => a - b)).toEqual([0, 0, codes.PAY_ELSEWHERE[0], codes.PAY_ELSEWHERE[0]]);
    expect(got[0]).toBe(got[2]);
  });

  test('no payer is identified by another browser’s state, without a state, by a used code, or while WeChat is down', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '10.00', aliOrWx: 2 }, from(WECHAT));
    const departure = async (client: TestClient) => {
      const there = await client.raw({ method: 'GET', url: `/api/pay/payer?payRand=${p.payRand}` });
      return new URL(weixin.authorise(String(there.headers.location), 'o1'));
    };
    const arrive = async (client: TestClient, url: URL) =>
      String((await client.raw({ method: 'GET', url: `${url.pathname}${url.search}` })).headers.location);
    const [one, two] = [t.client(), t.client()];
    const [back] = [await departure(one), await departure(two)];
    // The victim's browser is sent to the other browser's return URL.
    expect(await arrive(two, back)).toBe(`/pay/go/${p.payRand}?payer=unknown`);
    expect(await arrive(t.client(), back)).toBe('/');
    expect(await arrive(one, back)).toBe(`/pay/go/${p.payRand}`);
    expect(await arrive(one, back)).toBe('/');
    const used = await departure(one);
    used.searchParams.set('code', back.searchParams.get('code') ?? '');
    expect(await arrive(one, used)).toContain('payer=unknown');
    const down = await departure(two);
    weixin.fail(/access_token/, 'malformed');
    expect(await arrive(two, down)).toContain('payer=unknown');
    expect((await two.ok(openPayment, { payRand: p.payRand }, from(WECHAT))).payerUrl).not.toBeNull();
  });

  test('a payment by Alipay must leave WeChat, and the same URL opens it in the phone’s browser', async () => {
    const user = await t.newUser();
    const p = await user.client.ok(recPay, { amount: '10.00', aliOrWx: 1 }, from(WECHAT));
    const inside = await user.client.ok(payCashier, { payRand: p.payRand }, from(WECHAT));
    expect(inside).toMatchObject({ way: 'h5', place: 'wechat', mustLeave: true });
    const browser = t.client();
    expect(await browser.ok(payCashier, { payRand: p.payRand }, from(PHONE))).toMatchObject({ mustLeave: false });
    const { jumpUrl } = await browser.ok(openPayment, { payRand: p.payRand }, from(PHONE));
    expect(w.alipay.openPage(jumpUrl ?? '', WECHAT)).toBe('请在浏览器中打开');
    expect(openLink('alipay', jumpUrl ?? '')).toBe(p.payInterSn);
  });

  test('a payment for WeChat’s dialog can move to the phone’s browser only before the dialog was opened', async () => {
    const user = await t.newUser();
    const make = () => user.client.ok(recPay, { amount: '10.00', aliOrWx: 2 }, from(WECHAT));
    const [left, opened] = [await make(), await make()];
    const { jumpUrl } = await t.client().ok(openPayment, { payRand: left.payRand }, from(PHONE));
    expect(openLink('wechat', jumpUrl ?? '')).toBe(left.payInterSn);
    const { payerUrl } = await user.client.ok(openPayment, { payRand: opened.payRand }, from(WECHAT));
    await recognise(user.client, payerUrl ?? '', 'o1');
    await user.client.ok(openPayment, { payRand: opened.payRand }, from(WECHAT));
    expect((await t.client().ok(payCashier, { payRand: opened.payRand }, from(PHONE))).way).toBe('jsapi');
    const trades = w.wechat.trades.get(opened.payInterSn);
    expect(trades?.kind).toBe('jsapi');
  });
});

describe('an order, a top-up or a deposit is not paid twice', () => {
  test.each(CHANNELS)('choosing another channel for an order closes the previous payment at %s', async (name) => {
    const other: Channel = name === 'alipay' ? 'wechat' : 'alipay';
    const buyer = await t.newUser();
    const { orderId, orderSn } = await order(buyer);
    const first = await buyer.client.ok(recPay, { orderId, aliOrWx: methodOf(name) });
    if (name === 'alipay') w.alipay.scan(first.payInterSn);
    const second = await buyer.client.ok(recPay, { orderId, aliOrWx: methodOf(other) });
    expect(await statusOf(buyer, first.payRand)).toBe(2);
    expect(() => vendor(name).pay(first.payInterSn)).toThrow('cannot be paid');
    vendor(other).pay(second.payInterSn);
    await notify(other, second.payInterSn);
    expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(1);
  });

  test('choosing another channel for an order that was just paid is rejected, and no payment is created', async () => {
    const buyer = await t.newUser();
    const { orderId, orderSn } = await order(buyer);
    const first = await buyer.client.ok(recPay, { orderId, aliOrWx: 2 });
    w.wechat.pay(first.payInterSn);
    const before = w.alipay.trades.size;
    expect((await buyer.client.call(recPay, { orderId, aliOrWx: 1 })).code).toBe(codes.PAY_ALREADY[0]);
    expect([(await buyer.client.ok(orderDetail, { orderSn })).status, w.alipay.trades.size]).toEqual([1, before]);
  });

  test('when the first channel is down and cannot close its payment, both are paid, and one is refunded to its source', async () => {
    const buyer = await t.newUser();
    const { orderId, orderSn } = await order(buyer);
    const first = await buyer.client.ok(recPay, { orderId, aliOrWx: 2 });
    w.wechat.fail(/./, 'refuse', 100);
    const second = await buyer.client.ok(recPay, { orderId, aliOrWx: 1 });
    w.wechat.mend();
    w.wechat.pay(first.payInterSn);
    w.alipay.pay(second.payInterSn);
    await Promise.all([notify('wechat', first.payInterSn), notify('alipay', second.payInterSn)]);
    const states = [await statusOf(buyer, first.payRand), await statusOf(buyer, second.payRand)];
    expect(states.toSorted((a, b) => a - b)).toEqual([1, 3]);
    expect(await balances(buyer)).toEqual([0, 10_100]);
    await minutesPass(t, 1);
    await minutesPass(t, 1);
    expect(await balances(buyer)).toEqual([0, 0]);
    expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(1);
  });

  test('when a replaced top-up and its replacement are both paid, one counts and the other is refunded', async () => {
    const user = await t.newUser();
    const first = await user.client.ok(recPay, { amount: '50.00', aliOrWx: 1 });
    // Alipay cannot close a QR code before it is scanned.
    const second = await user.client.ok(recPay, { amount: '50.00', aliOrWx: 2, instead: first.payRand });
    const third = await user.client.ok(recPay, { amount: '50.00', aliOrWx: 2, instead: second.payRand });
    expect(() => w.wechat.pay(second.payInterSn)).toThrow('cannot be paid');
    w.alipay.pay(first.payInterSn);
    w.wechat.pay(third.payInterSn);
    await Promise.all([notify('alipay', first.payInterSn), notify('wechat', third.payInterSn)]);
    expect(await balances(user)).toEqual([5_000, 5_000]);
    await minutesPass(t, 1);
    await minutesPass(t, 1);
    expect(await balances(user)).toEqual([5_000, 0]);
    const notAgain = await user.client.call(recPay, { amount: '50.00', aliOrWx: 2, instead: third.payRand });
    expect(notAgain.code).toBe(codes.PAY_ALREADY[0]);
  });

  test('two separate top-ups both count, and a user cannot replace another user’s payment', async () => {
    const [user, stranger] = [await t.newUser(), await t.newUser()];
    const mine = await user.client.ok(recPay, { amount: '20.00', aliOrWx: 2 });
    const theirs = await stranger.client.ok(recPay, { amount: '20.00', aliOrWx: 2, instead: mine.payRand });
    for (const p of [mine, theirs]) {
      w.wechat.pay(p.payInterSn);
      await notify('wechat', p.payInterSn);
    }
    expect([await balances(user), await balances(stranger)]).toEqual([
      [2_000, 0],
      [2_000, 0],
    ]);
  });

  test('choosing another channel for a deposit closes the previous payment', async () => {
    const user = await t.newUser();
    const pay = async (aliOrWx: number) =>
      (await user.client.ok(depositPay, { role: 'seller', level: 1, payWay: 'channel', aliOrWx })).payment;
    const [first, second] = [await pay(2), await pay(1)];
    expect(() => w.wechat.pay(first?.payInterSn ?? '')).toThrow('cannot be paid');
    w.alipay.pay(second?.payInterSn ?? '');
    await notify('alipay', second?.payInterSn ?? '');
    await t.relay();
    expect((await loadBalances(t.ctx.db, user.id)).depositFen).toBeGreaterThan(0);
  });
});
