/** A brand's mark-up and commission: what a buyer sees is what the buyer pays, and a placed order keeps what it was placed with. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as c from '#subjects/distributors/contract/staff-brands.ts';
import { codes } from '#contract/codes.ts';
import { getGoodsList, goodsInfo } from '#subjects/goods/contract/goods.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { createBrand } from '#subjects/distributors/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let finance: TestStaff;
let admin: TestStaff;
let seller: TestUser;
let distId: number;

beforeAll(async () => {
  t = await testApp();
  const input = { code: 'moon', name: '月光游戏', host: 'moon.localhost', reason: '新开品牌' };
  ({ distId } = await createBrand(t.ctx, { id: null }, input));
  finance = await t.newStaff({ role: 'finance' });
  admin = await t.newStaff({ role: 'admin' });
  seller = await t.newUser();
  await addGame(t.ctx);
});
afterAll(async () => await t.close());

async function setTerms(base: number, markUpBp: number, commissionBp: number): Promise<void> {
  const rates = { distId, base, markUpBp, commissionBp, reason: '新合同' };
  const { state } = await finance.client.ok(c.setBrandTerms, rates);
  if (state === 'set') return;
  const { draft } = await admin.client.ok(c.brandTermsDraft, { distId });
  await admin.client.ok(c.decideBrandTerms, { distId, draftId: draft?.draftId ?? 0, act: 'approve', reason: '核对' });
}

async function moneyOf(orderSn: string): Promise<unknown> {
  const { rows } =
    await sql`select goods_fen, service_fee_fen, commission_fen, dist_share_fen, total_fen from orders where sn = ${orderSn}`.execute(
      t.ctx.db,
    );
  return rows[0];
}

test('the mark-up is included in every price of the site and paid to the brand in full', async () => {
  // 99.01 yuan: 1 % is 0.99, 4 % is 3.96.
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 9901 });
  await sql`insert into outbox (topic, payload) values ('goods.reindex', ${JSON.stringify({ goodsId: goods.id })}::jsonb)`.execute(
    t.ctx.db,
  );
  await t.relay();
  const buyer = await t.newUser({ host: 'moon.localhost' });
  const priceAt = async (host: string) => {
    const client = t.client({ host });
    const { allInPrice } = await client.ok(goodsInfo, { goodsSn: goods.sn });
    const card = (await client.ok(getGoodsList, {})).list.find((g) => g.goodsSn === goods.sn);
    return [allInPrice, card?.allInPrice];
  };
  expect(await priceAt('moon.localhost')).toEqual(['100.00', '100.00']);
  await setTerms(0, 300, 2000);
  expect(await priceAt('moon.localhost')).toEqual(['102.97', '102.97']);
  expect(await priceAt('localhost')).toEqual(['100.00', '100.00']);

  // The filter's bounds are this site's prices.
  const found = async (band: { minPrice?: string; maxPrice?: string }) =>
    (await t.client({ host: 'moon.localhost' }).ok(getGoodsList, band)).list.map((g) => g.goodsSn);
  expect(await found({ minPrice: '102.97', maxPrice: '102.97' })).toContain(goods.sn);
  expect(await found({ minPrice: '102.98' })).not.toContain(goods.sn);
  expect(await found({ maxPrice: '102.96' })).not.toContain(goods.sn);

  const { orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  // Fees 4.95 + 0.99 = 5.94, of which 20 % are 1.18; the mark-up is 3.96 - 0.99 = 2.97.
  const money = {
    goods_fen: 9901,
    service_fee_fen: 396,
    commission_fen: 495,
    dist_share_fen: 118 + 297,
    total_fen: 10297,
  };
  expect(await moneyOf(orderSn)).toEqual(money);

  await setTerms(1, 0, 5000);
  expect(await moneyOf(orderSn)).toEqual(money);
  expect(await priceAt('moon.localhost')).toEqual(['100.00', undefined]);
});

test('the platform’s own brand has no mark-up and no commission', async () => {
  const result = await finance.client.call(c.setBrandTerms, {
    distId: 1,
    base: 0,
    markUpBp: 100,
    commissionBp: 0,
    reason: '平台加价',
  });
  expect([result.status, result.field]).toEqual([422, 'commissionBp']);
});

test('fee changes need two people: rates of a brand wait for a colleague once there are orders', async () => {
  const rates = { distId, base: 2, markUpBp: 3000, commissionBp: 9000, reason: '新合同' };
  const ratesNow = () => {
    const brand = t.ctx.dir.byId(distId);
    return [brand?.markUpBp, brand?.commissionBp];
  };
  expect(await finance.client.ok(c.setBrandTerms, rates)).toEqual({ state: 'waiting' });
  expect(ratesNow()).toEqual([0, 5000]);
  expect((await admin.client.call(c.setBrandTerms, rates)).code).toBe(codes.SETTING_DRAFT[0]);
  const { draft } = await finance.client.ok(c.brandTermsDraft, { distId });
  expect(draft).toMatchObject({ markUpBp: 3000, commissionBp: 9000, isMine: true, startTime: null });
  const decision = { distId, draftId: draft?.draftId ?? 0, act: 'approve', reason: '核对' } as const;
  expect((await finance.client.call(c.decideBrandTerms, decision)).code).toBe(codes.SECOND_PERSON[0]);
  const service = await t.newStaff({ role: 'content' });
  expect((await service.client.call(c.decideBrandTerms, decision)).code).toBe(codes.FORBIDDEN[0]);
  await admin.client.ok(c.decideBrandTerms, { ...decision, act: 'reject' });
  expect(ratesNow()).toEqual([0, 5000]);
  expect((await admin.client.call(c.decideBrandTerms, decision)).code).toBe(codes.SECOND_PERSON[0]);

  await finance.client.ok(c.setBrandTerms, rates);
  const again = (await admin.client.ok(c.brandTermsDraft, { distId })).draft;
  const accept = { ...decision, draftId: again?.draftId ?? 0 };
  const results = await Promise.all([1, 2, 3].map(() => admin.client.call(c.decideBrandTerms, accept)));
  expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(ratesNow()).toEqual([3000, 9000]);
});

test('the author of pending rates withdraws them, a colleague cannot', async () => {
  const before = t.ctx.dir.byId(distId);
  const rates = { distId, base: 3, markUpBp: 100, commissionBp: 100, reason: '写错了' };
  expect(await finance.client.ok(c.setBrandTerms, rates)).toEqual({ state: 'waiting' });
  const draftId = (await finance.client.ok(c.brandTermsDraft, { distId })).draft?.draftId ?? 0;
  const withdrawal = { distId, draftId, act: 'withdraw', reason: '数字写错了' } as const;
  expect((await admin.client.call(c.decideBrandTerms, withdrawal)).code).toBe(codes.SECOND_PERSON[0]);
  await finance.client.ok(c.decideBrandTerms, withdrawal);
  expect((await admin.client.ok(c.brandTermsDraft, { distId })).draft).toBeNull();
  expect((await admin.client.call(c.decideBrandTerms, { ...withdrawal, act: 'approve' })).code).toBe(
    codes.SECOND_PERSON[0],
  );
  expect(t.ctx.dir.byId(distId)).toEqual(before);
});

test('fee changes need two people: a brand begins with the usual commission once there are orders', async () => {
  const input = { code: 'sun', name: '阳光游戏', host: '', commissionBp: 9000, reason: '新开品牌' };
  const refused = await admin.client.call(c.staffCreateBrand, input);
  expect([refused.status, refused.field]).toEqual([422, 'commissionBp']);
  expect((await admin.client.call(c.staffCreateBrand, { ...input, commissionBp: 2000 })).code).toBe(0);
});
