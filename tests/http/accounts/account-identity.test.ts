/** One account has one identity: in listings, private deals, recycling and inspections, and in what is sealed for it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as b from '#subjects/orders/contract/staff-orders.ts';
import { codes } from '#contract/codes.ts';
import { releaseGoods } from '#subjects/goods/contract/goods.ts';
import { inspectionAsk } from '#subjects/inspections/contract/inspection.ts';
import { openMiddleman } from '#subjects/middleman/contract/middleman.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { accountFingerprint } from '#server/kernel/account-identity.ts';
import { reviewItem } from '#subjects/goods/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { accountOffer, type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';
import { assign, staffPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;
let staff: TestStaff;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '16' } });
  offers = await offerFixture(t);
  seller = await offers.sellerWith(9);
  staff = await t.newStaff({ role: 'service' });
});
afterAll(async () => await t.close());

const PASSWORD = 'Tiger-77-river';
const OTHER = codes.SEAL_OTHER_ACCOUNT[0];
const DEAL = {
  belong: 1,
  title: '满级成品号',
  gameId: '2',
  goodsTypeId: '1',
  price: '100.00',
  feeSide: 'half',
} as const;

async function bought(accountNo: string) {
  const goodsSn = await offers.onSale(seller, { accountNo });
  const buyer = await t.newUser({ balanceFen: 500_000 });
  const { orderId, orderSn } = await buyer.client.ok(c.placeOrder, { goodsSn });
  await buyer.client.ok(balancePay, { orderId });
  await assign(t, orderId, staff);
  const seal = (account: string) =>
    seller.client.call(c.handoverDone, { orderId, step: 1, fields: JSON.stringify({ account, password: PASSWORD }) });
  return { goodsSn, buyer, orderId, orderSn, seal };
}
const processOf = async ({ orderSn }: { orderSn: string }): Promise<string[]> =>
  (await seller.client.ok(c.orderDetail, { orderSn })).process.map(({ explain }) => explain);

test('A1: an account that is offered cannot be offered under another writing, area or server', async () => {
  await offers.onSale(seller, { accountNo: '770001' });
  await offers.onSale(seller, { accountNo: 'heroOne' });
  const others = [
    '77\u200B0001',
    '77\u00AD0001',
    '７７０００１',
    '770001.',
    '770-001',
    '770001@qq.com',
    'hеrоone',
    'HERO one',
  ];
  for (const accountNo of others) {
    expect((await seller.client.call(releaseGoods, accountOffer({ accountNo }))).code, accountNo).toBe(
      codes.GOODS_DUPLICATE[0],
    );
    const deal = await seller.client.call(openMiddleman, { ...DEAL, serverId: '201002', accountNo });
    expect(deal.code, accountNo).toBe(codes.MIDDLEMAN_ACCOUNT[0]);
  }
  const elsewhere = accountOffer({ accountNo: '770001', areaId: 2002, serverId: 202_001 });
  expect((await seller.client.call(releaseGoods, elsewhere)).code).toBe(codes.GOODS_DUPLICATE[0]);
});

test('A1: the same name at another mail domain is another account, which staff are shown', async () => {
  await offers.published(seller, { accountNo: 'zhang2@163.com' });
  const goodsSn = await offers.published(seller, { accountNo: 'zhang2@126.com' });
  expect(await reviewItem(t.ctx, goodsSn, null)).toMatchObject({ sameAccount: 0, nearAccount: 1 });
});

test('A1: a log-in of another account cannot be sealed; the seller and staff see both names', async () => {
  const d = await bought('journey77');
  const refused = await d.seal('stolen-55');
  expect([refused.code, refused.field, refused.msg]).toEqual([
    OTHER,
    'fields.account',
    '账号资料里的账号（st***55）与登记的游戏账号（jo***77）不一致。请填写登记的那个账号；登记有误请联系客服关闭订单，更正后重新交易',
  ]);
  await d.seal('stolen-55');
  const explain = '卖家填写的账号（st***55）与登记的游戏账号（jo***77）不一致，没有封存';
  expect((await processOf(d)).filter((text) => text === explain)).toHaveLength(1);
  const seen = await staff.client.ok(b.staffOrderDetail, { orderSn: d.orderSn });
  expect(seen.listedAccount).toEqual({ hint: 'jo***77', near: 0 });
  expect(seen.process.map((p) => p.explain)).toContain(explain);
  expect(seen.handover[0]).toMatchObject({ state: 'current', sealed: { sent: false } });
  expect((await d.seal('JOURNEY-77')).code).toBe(0);
});

test('A1: the account is compared again when staff complete the check of the log-in', async () => {
  const d = await bought('journey88');
  expect((await d.seal('journey88')).code).toBe(0);
  await staff.client.ok(b.staffReveal, { orderId: d.orderId, step: 1 });
  const check = async () =>
    await staff.client.call(b.staffHandoverDone, {
      orderId: d.orderId,
      step: 2,
      pictures: [await staffPicture(staff)],
    });
  const listed = (accountNo: string) =>
    sql`update goods set fingerprint = ${accountFingerprint(t.ctx.keys, 2, accountNo)}, account_hint = 'an***er' where sn = ${d.goodsSn}`.execute(
      t.ctx.db,
    );
  await listed('another');
  const refused = await check();
  expect([refused.code, refused.msg]).toEqual([
    OTHER,
    expect.stringContaining('（jo***88）与登记的游戏账号（an***er）'),
  ]);
  await listed('journey88');
  expect((await check()).code).toBe(0);
});

test('A1: an inspection takes the log-in of the listing only', async () => {
  const goodsSn = await offers.onSale(seller, { accountNo: 'journey99' });
  const ask = (account: string) =>
    seller.client.call(inspectionAsk, { goodsSn, fields: { account, password: PASSWORD } });
  const refused = await ask('stolen-55');
  expect([refused.code, refused.field]).toEqual([OTHER, 'fields.account']);
  expect((await ask('Journey99')).code).toBe(0);
});
