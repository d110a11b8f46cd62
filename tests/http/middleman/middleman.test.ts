import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { releaseGoods } from '#subjects/goods/contract/goods.ts';
import * as m from '#subjects/middleman/contract/middleman.ts';
import * as o from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';
import { accountOffer, offerFixture } from '#tests/support/goods/offers.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  // Puts a game with servers into the catalogue.
  await offerFixture(t);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const DEAL = {
  belong: 1,
  title: '一套典藏皮肤礼包',
  description: '当面交付',
  price: '1000.00',
  feeSide: 'half',
} as const;

async function opened(opener: TestUser, overrides: object = {}): Promise<{ dealSn: string; code: string }> {
  const { dealSn, path } = await opener.client.ok(m.openMiddleman, { ...DEAL, ...overrides });
  return { dealSn, code: new URLSearchParams(path.split('?')[1]).get('code') ?? '' };
}

test('two users trade through escrow and share the fee as agreed', async () => {
  const seller = await t.newUser({ nickName: '阿卖' });
  const buyer = await t.newUser({ balanceFen: 200_000 });
  const { dealSn, code } = await opened(seller);
  const seen = await buyer.client.ok(m.middlemanInfo, { dealSn, code });
  expect(seen).toMatchObject({
    fee: '60.00',
    buyerPays: '1030.00',
    sellerGets: '970.00',
    viewer: 'visitor',
    openerName: '阿卖',
    path: null,
  });
  const { orderSn } = await buyer.client.ok(m.respondMiddleman, { dealSn, act: 'accept', code });
  const order = await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
  expect(order).toMatchObject({ orderTypeId: 51, totalPrice: '1030.00', viewer: 'buyer', handover: [] });
  expect((Date.parse(order.payExpireTime ?? '') - Date.now()) / 3_600_000).toBeGreaterThan(23);
  await buyer.client.ok(balancePay, { orderId: order.id });
  await seller.client.ok(o.offlineTranSub, { orderId: order.id });
  await buyer.client.ok(o.confirmRecGoods, { orderId: order.id });
  expect((await loadBalances(t.ctx.db, seller.id)).frozenFen).toBe(97_000);
  expect((await t.client().ok(o.everydayDealOrderList, {})).list).toEqual([]);
});

test('a buyer is warned of a deal with the seller of a purchase that is not completed', async () => {
  const seller = await t.newUser({ nickName: '阿再' });
  const buyer = await t.newUser({ balanceFen: 500_000 });
  const first = await opened(seller, { title: '第一笔要付的交易', price: '100.00', feeSide: 'seller' });
  const second = await opened(seller, { title: '请重新付一次款' });
  const asked = await opened(buyer, { belong: 0 });
  const warning = async (by: TestUser, { dealSn, code }: { dealSn: string; code: string }) =>
    (await by.client.ok(m.middlemanInfo, { dealSn, code })).alreadyPaid;
  const { orderSn } = await buyer.client.ok(m.respondMiddleman, { ...first, act: 'accept' });
  const { id } = await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
  // Nothing is paid yet.
  expect(await warning(buyer, second)).toBeNull();
  await buyer.client.ok(balancePay, { orderId: id });
  const expected = { orderSn, title: '第一笔要付的交易', price: '100.00' };
  expect(await warning(buyer, second)).toEqual(expected);
  await seller.client.ok(o.offlineTranSub, { orderId: id });
  expect(await warning(buyer, second)).toEqual(expected);
  // It belongs only to the buyer, and a deal that he is the seller of, or that is accepted, is not about his money.
  expect(await warning(seller, second)).toBeNull();
  expect(await warning(await t.newUser(), second)).toBeNull();
  expect((await t.client().ok(m.middlemanInfo, second)).alreadyPaid).toBeNull();
  expect(await warning(seller, asked)).toBeNull();
  expect(await warning(buyer, first)).toBeNull();
  await buyer.client.ok(o.confirmRecGoods, { orderId: id });
  expect(await warning(buyer, second)).toBeNull();
});

test('the warning of a second payment stays until the deal is paid, also when the buyer was asked to open it', async () => {
  const seller = await t.newUser({ nickName: '阿再' });
  const buyer = await t.newUser({ balanceFen: 500_000 });
  const first = await opened(seller, { title: '第一笔要付的交易', price: '100.00', feeSide: 'seller' });
  const warning = async (by: TestUser, dealSn: string) =>
    (await by.client.ok(m.middlemanInfo, { dealSn })).alreadyPaid?.title ?? null;
  const idOf = async (orderSn: string | null) => (await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' })).id;
  const paid = await buyer.client.ok(m.respondMiddleman, { ...first, act: 'accept' });
  await buyer.client.ok(balancePay, { orderId: await idOf(paid.orderSn) });

  const asked = await opened(buyer, { belong: 0, title: '卖家让我再发起一次', price: '100.00' });
  expect(await warning(buyer, asked.dealSn)).toBeNull();
  const again = await seller.client.ok(m.respondMiddleman, { ...asked, act: 'accept' });
  expect(await warning(buyer, asked.dealSn)).toBe('第一笔要付的交易');
  expect(await warning(seller, asked.dealSn)).toBeNull();
  // The payment page of the order asks by the deal's number.
  const order = await buyer.client.ok(o.orderDetail, { orderSn: again.orderSn ?? '' });
  expect(order).toMatchObject({ orderTypeId: 51, goodsSn: asked.dealSn });
  await buyer.client.ok(balancePay, { orderId: order.id });
  expect(await warning(buyer, asked.dealSn)).toBeNull();
});

test('a service of the same seller is no purchase that a private deal could repeat', async () => {
  const seller = await t.newUser({ nickName: '阿再' });
  const buyer = await t.newUser({ balanceFen: 500_000 });
  const first = await opened(seller, { title: '第一笔要付的交易', price: '100.00', feeSide: 'seller' });
  const second = await opened(seller, { title: '请重新付一次款' });
  const { orderSn } = await buyer.client.ok(m.respondMiddleman, { ...first, act: 'accept' });
  const { id } = await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
  await buyer.client.ok(balancePay, { orderId: id });
  const warning = async () => (await buyer.client.ok(m.middlemanInfo, second)).alreadyPaid?.orderSn ?? null;
  expect(await warning()).toBe(orderSn);
  await asSuperuser(
    databaseOf(t.ctx),
    `update orders set snapshot = snapshot || '{"service": true}'::jsonb where id = ${id}`,
  );
  expect(await warning()).toBeNull();
});

test('fees and deadlines are public', async () => {
  expect(await t.client().ok(m.middlemanFee, {})).toEqual({
    sellerBp: 500,
    sellerMaximum: '500.00',
    buyerBp: 100,
    minimum: '1.00',
    answerHours: 72,
    payHours: 24,
  });
});

test('a buyer may open a deal too; the party named for the fee pays it', async () => {
  const buyer = await t.newUser({ balanceFen: 200_000 });
  const seller = await t.newUser();
  const { dealSn, code } = await opened(buyer, { belong: 0, feeSide: 'buyer', price: '10.00' });
  const { orderSn } = await seller.client.ok(m.respondMiddleman, { dealSn, act: 'accept', code });
  const order = await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
  expect(order).toMatchObject({ totalPrice: '11.00', viewer: 'buyer' });
  expect((await buyer.client.ok(m.middlemanList, {})).list[0]).toMatchObject({
    status: 'ordered',
    orderSn,
    viewer: 'opener',
  });
});

test('a deal is visible only with its link, and its opener cannot accept it', async () => {
  const opener = await t.newUser();
  const other = await t.newUser();
  const { dealSn, code } = await opened(opener);
  expect((await other.client.call(m.middlemanInfo, { dealSn })).status).toBe(404);
  expect((await other.client.call(m.middlemanInfo, { dealSn, code: 'x'.repeat(43) })).status).toBe(404);
  expect((await other.client.call(m.respondMiddleman, { dealSn, act: 'accept' })).status).toBe(404);
  expect((await opener.client.call(m.respondMiddleman, { dealSn, act: 'accept', code })).code).toBe(codes.GOODS_OWN[0]);
  expect((await other.client.call(m.respondMiddleman, { dealSn, act: 'withdraw', code })).code).toBe(
    codes.MIDDLEMAN_STATE[0],
  );
  const young = await t.newUser({ verified: false });
  expect((await young.client.call(m.respondMiddleman, { dealSn, act: 'accept', code })).code).toBe(
    codes.REAL_NAME_REQUIRED[0],
  );
});

test('one of two concurrent acceptances makes the order; withdrawn, rejected and expired deals stay closed', async () => {
  const opener = await t.newUser();
  const people = await Promise.all([1, 2, 3, 4, 5].map(async () => await t.newUser()));
  const { dealSn, code } = await opened(opener);
  const responses = await Promise.all(
    people.map(async (p) => await p.client.call(m.respondMiddleman, { dealSn, act: 'accept', code })),
  );
  expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
  expect(responses.filter((a) => a.code === codes.MIDDLEMAN_STATE[0])).toHaveLength(4);
  const [lateComer] = people;
  const accepts = async (deal: { dealSn: string; code: string }) =>
    (await lateComer?.client.call(m.respondMiddleman, { ...deal, act: 'accept' }))?.code;
  const gone = await opened(opener);
  await opener.client.ok(m.respondMiddleman, { dealSn: gone.dealSn, act: 'withdraw' });
  expect(await accepts(gone)).toBe(codes.MIDDLEMAN_STATE[0]);
  const no = await opened(opener);
  await people[1]?.client.ok(m.respondMiddleman, { ...no, act: 'refuse' });
  expect(await accepts(no)).toBe(codes.MIDDLEMAN_STATE[0]);
  const old = await opened(opener);
  await passTime(t.ctx.db, 'middleman_deal', { sn: old.dealSn }, { until: 'expires_at' });
  expect(await accepts(old)).toBe(codes.MIDDLEMAN_STATE[0]);
  await makeDue(t.ctx.db, 'middleman.expire', old.dealSn);
  await t.timers();
  expect((await opener.client.ok(m.middlemanInfo, { dealSn: old.dealSn })).status).toBe('expired');
});

test('invalid amounts and texts are rejected with messages, and one key opens one deal', async () => {
  const opener = await t.newUser();
  const errorText = async (overrides: object) =>
    (await opener.client.call(m.openMiddleman, { ...DEAL, ...overrides } as never)).msg;
  expect(await errorText({ price: '0.5' })).toBe('价格不能低于 1.00 元');
  expect(await errorText({ price: '1e3' })).toBe('价格应为正数，最多两位小数');
  expect(await errorText({ title: '皮肤' })).toBe('交易内容至少 4 个字');
  expect(await errorText({ feeSide: 'me' })).toBe('请选择手续费由谁承担');
  const created = await Promise.all(
    [1, 2, 3].map(() => opener.client.call(m.openMiddleman, DEAL, { idempotencyKey: 'one' })),
  );
  expect(new Set(created.map((a) => a.data?.path)).size).toBe(1);
});

describe('P12: a private deal obeys the rules of a listing', () => {
  const ACCOUNT = {
    ...DEAL,
    title: '满级成品号',
    gameId: '2',
    goodsTypeId: '1',
    serverId: '201001',
    accountNo: 'wz-77881',
  };
  const codeOf = async (who: TestUser, overrides: object): Promise<number> =>
    (await who.client.call(m.openMiddleman, overrides as typeof DEAL)).code;

  test('the account must be named and can be in one active listing or deal at a time', async () => {
    const seller = await t.newUser({ soldCount: 9 });
    const other = await t.newUser({ soldCount: 9 });
    const buyer = await t.newUser({ balanceFen: 300_000 });
    const hidden = await seller.client.call(m.openMiddleman, { ...DEAL, title: '满级成品号一个' });
    expect(hidden.msg).toBe('交易内容是账号时，请选择游戏和「账号」类型，并填写游戏账号');
    const { accountNo: _no, ...unnamed } = ACCOUNT;
    expect((await seller.client.call(m.openMiddleman, unnamed)).msg).toBe('请填写游戏账号（用于防止同一账号重复出售）');
    const { dealSn, code } = await opened(seller, ACCOUNT);
    expect(await codeOf(other, ACCOUNT)).toBe(codes.MIDDLEMAN_ACCOUNT[0]);
    expect((await other.client.call(releaseGoods, accountOffer({ accountNo: ' WZ-77881 ' }))).code).toBe(
      codes.MIDDLEMAN_ACCOUNT[0],
    );
    const { orderSn } = await buyer.client.ok(m.respondMiddleman, { dealSn, act: 'accept', code });
    expect(await codeOf(other, ACCOUNT)).toBe(codes.MIDDLEMAN_ACCOUNT[0]);
    const { id } = await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
    await buyer.client.ok(balancePay, { orderId: id });
    // The steps of the game's own type are taken, by the snapshot that the order keeps.
    const { rows } = await sql<{ type: number; server: string }>`
      select (snapshot->>'handoverType')::int as type, snapshot->>'serverName' as server from orders where id = ${id}`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([{ type: 1, server: '1区' }]);
  });

  test('A6: a deal under a game has one of its types, with the steps, sealing and check of that type', async () => {
    const seller = await t.newUser({ soldCount: 9 });
    const buyer = await t.newUser({ balanceFen: 300_000 });
    const { goodsTypeId: _type, serverId: _server, accountNo: _no, ...untyped } = ACCOUNT;
    for (const title of ['王者荣耀 满级V10 全英雄全皮肤 出', '王者 v10 资料全交接']) {
      const refused = await seller.client.call(m.openMiddleman, { ...untyped, title });
      expect([refused.status, refused.msg]).toEqual([
        422,
        '请选择商品类型：王者荣耀的交易按所选类型的步骤交付；与游戏无关的内容请不要选择游戏',
      ]);
    }
    const boosting = await seller.client.call(m.openMiddleman, { ...untyped, title: '王者代打', goodsTypeId: '60' });
    expect(boosting.msg).toBe('代练和陪玩请在代练、陪玩页面下单，不能作为担保交易');
    const stepsOf = async (overrides: object) => {
      const { dealSn, code } = await opened(seller, { ...untyped, ...overrides });
      const { orderSn } = await buyer.client.ok(m.respondMiddleman, { dealSn, act: 'accept', code });
      const { id } = await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
      await buyer.client.ok(balancePay, { orderId: id });
      const early = await seller.client.call(o.offlineTranSub, { orderId: id });
      expect(early.code).toBe(codes.ORDER_HANDOVER_OPEN[0]);
      const { handover } = await seller.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
      return handover.map(({ title }) => title);
    };
    expect(await stepsOf({ ...ACCOUNT, accountNo: 'wz-steps' })).toEqual(
      expect.arrayContaining(['提交账号资料', '核对登录']),
    );
    expect(await stepsOf({ title: '全套皮肤一次性打包', goodsTypeId: '27' })).toEqual([
      '约定交货',
      '卖家交付道具',
      '核对道具',
    ]);
    const untypedRow = sql`insert into middleman_deal (sn, dist_id, opener_id, opener_belong, game_id, type_id, title, price_fen, fee_side, fee_fen, link_hash, expires_at)
      values ('MMNOTYPE', 1, ${seller.id}, 0, 2, 0, '没有类型', 1000, 'half', 10, '\\x01', now())`;
    await expect(untypedRow.execute(t.ctx.db)).rejects.toThrow('middleman_deal_type_check');
  });

  test('a listed account cannot be in a deal; of a concurrent listing and deal one succeeds', async () => {
    const seller = await t.newUser({ soldCount: 9 });
    await seller.client.ok(releaseGoods, accountOffer({ accountNo: 'wz-listed' }));
    expect(await codeOf(seller, { ...ACCOUNT, accountNo: 'wz-listed' })).toBe(codes.MIDDLEMAN_ACCOUNT[0]);
    for (let round = 0; round < 4; round++) {
      const accountNo = `wz-race-${round}`;
      const both = await Promise.all([
        seller.client.call(releaseGoods, accountOffer({ accountNo })),
        seller.client.call(m.openMiddleman, { ...ACCOUNT, accountNo }),
      ]);
      expect(both.map((a) => a.code).toSorted((a, b) => a - b)).toEqual([0, codes.MIDDLEMAN_ACCOUNT[0]]);
    }
  });

  test('a seller who accepts names the account', async () => {
    const buyer = await t.newUser({ balanceFen: 300_000 });
    const seller = await t.newUser({ soldCount: 9 });
    const { accountNo: _no, ...wanted } = ACCOUNT;
    const { dealSn, code } = await opened(buyer, { ...wanted, belong: 0 });
    expect((await seller.client.ok(m.middlemanInfo, { dealSn, code })).needsAccountNo).toBe(true);
    const without = await seller.client.call(m.respondMiddleman, { dealSn, act: 'accept', code });
    expect(without.msg).toBe('请填写游戏账号（用于防止同一账号重复出售）');
    await seller.client.ok(m.respondMiddleman, { dealSn, act: 'accept', code, accountNo: 'wz-answered' });
    expect(await codeOf(seller, { ...ACCOUNT, accountNo: 'wz-answered' })).toBe(codes.MIDDLEMAN_ACCOUNT[0]);
  });

  test('a new seller may have ten offers including deals, of at most 3,000 yuan each', async () => {
    const seller = await t.newUser();
    expect(await codeOf(seller, { ...DEAL, price: '3000.01' })).toBe(codes.GOODS_NEW_SELLER_PRICE[0]);
    const ten = await Promise.all(
      Array.from({ length: 12 }, async () => await seller.client.call(m.openMiddleman, DEAL)),
    );
    expect(ten.filter((a) => a.code === 0)).toHaveLength(10);
    expect(ten.filter((a) => a.code === codes.GOODS_NEW_SELLER_COUNT[0])).toHaveLength(2);
    const lateComer = await t.newUser();
    const buyer = await t.newUser({ balanceFen: 2_000_000 });
    const { dealSn, code } = await opened(buyer, { belong: 0, price: '5000.00' });
    expect((await lateComer.client.call(m.respondMiddleman, { dealSn, act: 'accept', code })).code).toBe(
      codes.GOODS_NEW_SELLER_PRICE[0],
    );
  });

  test("deals between two accounts of one browser do not lift the new seller's limit; sales to strangers do", async () => {
    const [seller, twin] = [await t.newUser(), await t.newUser({ balanceFen: 100_000 })];
    const sell = async (buyer: TestUser): Promise<void> => {
      const { dealSn, code } = await opened(seller, { price: '1.00', feeSide: 'buyer' });
      const { orderSn } = await buyer.client.ok(m.respondMiddleman, { dealSn, act: 'accept', code });
      const { id } = await buyer.client.ok(o.orderDetail, { orderSn: orderSn ?? '' });
      await buyer.client.ok(balancePay, { orderId: id });
      await seller.client.ok(o.offlineTranSub, { orderId: id });
      await buyer.client.ok(o.confirmRecGoods, { orderId: id });
    };
    const browser = Buffer.from(`browser-${seller.id}`);
    for (const { id } of [seller, twin])
      await sql`insert into user_browser (user_id, browser_hash) values (${id}, ${browser})`.execute(t.ctx.db);
    for (let i = 0; i < 5; i++) await sell(twin);
    const { rows } = await sql<{ n: number }>`select sold_count as n from app_user where id = ${seller.id}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.n).toBe(5);
    expect(await codeOf(seller, { ...DEAL, price: '3000.01' })).toBe(codes.GOODS_NEW_SELLER_PRICE[0]);
    const stranger = await t.newUser({ balanceFen: 100_000 });
    for (let i = 0; i < 5; i++) await sell(stranger);
    expect(await codeOf(seller, { ...DEAL, price: '3000.01' })).toBe(0);
  });
});
