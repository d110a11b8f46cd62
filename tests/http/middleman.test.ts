import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import * as m from '#contract/middleman.ts';
import * as o from '#contract/order.ts';
import { balancePay } from '#contract/pay.ts';
import { balancesOf, brokenInvariants } from '#server/slices/ledger/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/build.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const DEAL = {
  belong: 1,
  title: '一套典藏皮肤账号',
  description: '验号后换绑手机',
  price: '1000.00',
  feeSide: 'half',
} as const;

async function opened(opener: TestUser, given: object = {}): Promise<{ dealSn: string; code: string }> {
  const { dealSn, path } = await opener.client.ok(m.openMiddleman, { ...DEAL, ...given });
  return { dealSn, code: new URLSearchParams(path.split('?')[1]).get('code') ?? '' };
}

test('two people who agreed trade through escrow, and share the fee as they said', async () => {
  const seller = await t.newUser({ nickName: '阿卖' });
  const buyer = await t.newUser({ balanceFen: 200_000 });
  const { dealSn, code } = await opened(seller);
  const seen = await buyer.client.ok(m.middlemanInfo, { dealSn, code });
  expect(seen).toMatchObject({
    fee: '30.00',
    buyerPays: '1015.00',
    sellerGets: '985.00',
    viewer: 'visitor',
    openerName: '阿卖',
    path: null,
  });
  const { orderSn } = await buyer.client.ok(m.answerMiddleman, { dealSn, act: 'accept', code });
  const order = await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
  expect(order).toMatchObject({ orderTypeId: 51, totalPrice: '1015.00', viewer: 'buyer', handover: [] });
  expect((Date.parse(order.payExpireTime ?? '') - Date.now()) / 3_600_000).toBeGreaterThan(23);
  await buyer.client.ok(balancePay, { orderId: order.id });
  await seller.client.ok(o.offlineTranSub, { orderId: order.id });
  await buyer.client.ok(o.confirmRecGoods, { orderId: order.id });
  expect((await balancesOf(t.ctx.db, seller.id)).frozenFen).toBe(98_500);
  expect((await t.client().ok(o.everydayDealOrderList, {})).list).toEqual([]);
});

test('what it costs and how long each side has is public', async () => {
  expect(await t.client().ok(m.middlemanFee, {})).toEqual({
    bp: 300,
    minimum: '1.00',
    maximum: '500.00',
    answerHours: 72,
    payHours: 24,
  });
});

test('a buyer may open as well; who pays the fee alone pays it', async () => {
  const buyer = await t.newUser({ balanceFen: 200_000 });
  const seller = await t.newUser();
  const { dealSn, code } = await opened(buyer, { belong: 0, feeSide: 'buyer', price: '10.00' });
  const { orderSn } = await seller.client.ok(m.answerMiddleman, { dealSn, act: 'accept', code });
  const order = await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
  expect(order).toMatchObject({ totalPrice: '11.00', viewer: 'buyer' });
  expect((await buyer.client.ok(m.middlemanList, {})).list[0]).toMatchObject({
    status: 'ordered',
    orderSn,
    viewer: 'opener',
  });
});

test('nobody without the link sees or answers a deal, and its opener cannot accept it', async () => {
  const opener = await t.newUser();
  const other = await t.newUser();
  const { dealSn, code } = await opened(opener);
  expect((await other.client.call(m.middlemanInfo, { dealSn })).status).toBe(404);
  expect((await other.client.call(m.middlemanInfo, { dealSn, code: 'x'.repeat(43) })).status).toBe(404);
  expect((await other.client.call(m.answerMiddleman, { dealSn, act: 'accept' })).status).toBe(404);
  expect((await opener.client.call(m.answerMiddleman, { dealSn, act: 'accept', code })).code).toBe(codes.GOODS_OWN[0]);
  expect((await other.client.call(m.answerMiddleman, { dealSn, act: 'withdraw', code })).code).toBe(
    codes.MIDDLEMAN_STATE[0],
  );
  const young = await t.newUser({ verified: false });
  expect((await young.client.call(m.answerMiddleman, { dealSn, act: 'accept', code })).code).toBe(
    codes.REAL_NAME_REQUIRED[0],
  );
});

test('of two who accept at once one has the order; withdrawn, refused and expired deals stay closed', async () => {
  const opener = await t.newUser();
  const people = await Promise.all([1, 2, 3, 4, 5].map(async () => await t.newUser()));
  const { dealSn, code } = await opened(opener);
  const answers = await Promise.all(
    people.map(async (p) => await p.client.call(m.answerMiddleman, { dealSn, act: 'accept', code })),
  );
  expect(answers.filter((a) => a.code === 0)).toHaveLength(1);
  expect(answers.filter((a) => a.code === codes.MIDDLEMAN_STATE[0])).toHaveLength(4);
  const [late] = people;
  const accepts = async (deal: { dealSn: string; code: string }) =>
    (await late?.client.call(m.answerMiddleman, { ...deal, act: 'accept' }))?.code;
  const gone = await opened(opener);
  await opener.client.ok(m.answerMiddleman, { dealSn: gone.dealSn, act: 'withdraw' });
  expect(await accepts(gone)).toBe(codes.MIDDLEMAN_STATE[0]);
  const no = await opened(opener);
  await people[1]?.client.ok(m.answerMiddleman, { ...no, act: 'refuse' });
  expect(await accepts(no)).toBe(codes.MIDDLEMAN_STATE[0]);
  const old = await opened(opener);
  await sql`update middleman_deal set expires_at = now() where sn = ${old.dealSn}`.execute(t.ctx.db);
  expect(await accepts(old)).toBe(codes.MIDDLEMAN_STATE[0]);
  await sql`update timer set due_at = now() where kind = 'middleman.expire' and ref = ${old.dealSn}`.execute(t.ctx.db);
  await t.timers();
  expect((await opener.client.ok(m.middlemanInfo, { dealSn: old.dealSn })).status).toBe('expired');
});

test('odd amounts and texts are refused in words, and one key opens one deal', async () => {
  const opener = await t.newUser();
  const words = async (given: object) =>
    (await opener.client.call(m.openMiddleman, { ...DEAL, ...given } as never)).msg;
  expect(await words({ price: '0.5' })).toBe('价格不能低于 1.00 元');
  expect(await words({ price: '1e3' })).toBe('价格应为正数，最多两位小数');
  expect(await words({ title: '皮肤' })).toBe('交易内容至少 4 个字');
  expect(await words({ feeSide: 'me' })).toBe('请选择手续费由谁承担');
  const made = await Promise.all(
    [1, 2, 3].map(() => opener.client.call(m.openMiddleman, DEAL, { idempotencyKey: 'one' })),
  );
  expect(new Set(made.map((a) => a.data?.path)).size).toBe(1);
});
