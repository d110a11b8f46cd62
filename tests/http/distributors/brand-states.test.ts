/** A brand that stops taking orders, versions that go live at a time, and the brand's rates wherever a price with fees is shown. */
import { chinaClock } from '#contract/rules/time/china-time.ts';
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as c from '#subjects/distributors/contract/staff-brands.ts';
import { codes } from '#contract/codes.ts';
import { getScaleConf } from '#subjects/orders/contract/site-figures.ts';
import { homeConf } from '#subjects/distributors/contract/dist.ts';
import { bargaining, lookBargaGoodsList } from '#subjects/offers/contract/offers.ts';
import { placeOrder, quoteOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { placeTimePurchase, timeSaleInfo } from '#subjects/time-sale/contract/time-sale.ts';
import { createBrand } from '#subjects/distributors/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { countRows } from '#tests/support/orders/races.ts';

let t: TestApp;
let admin: TestStaff;
let own: TestStaff;
let seller: TestUser;
let distId: number;
const HOST = 'moon.localhost';

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  const brand = { code: 'moon', name: '月光游戏', host: HOST, reason: '新开品牌' };
  ({ distId } = await createBrand(t.ctx, { id: null }, brand));
  admin = await t.newStaff();
  own = await t.newStaff({ role: 'operator', distId });
  seller = await t.newUser();
});
afterAll(async () => await t.close());

const infoOf = () => own.client.ok(c.staffBrandInfo, { distId });
const china = (ms: number) => chinaClock(new Date(Date.now() + ms)).slice(0, 16);
const suspend = (act: 'suspend' | 'resume', change: object = {}) =>
  admin.client.call(c.suspendBrand, { distId, act, reason: '合同到期', ...change });
const confAt = () => t.client({ host: HOST }).ok(homeConf, {});

describe('a suspended brand', () => {
  test('shows it, rejects orders, and completes existing ones', async () => {
    const [first, second] = [
      await addGoods(t.ctx, { sellerId: seller.id }),
      await addGoods(t.ctx, { sellerId: seller.id }),
    ];
    const buyer = await t.newUser({ host: HOST });
    await t.fund(buyer.id, 1_000_000);
    const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: first.sn });
    expect((await suspend('suspend', { notice: '周年维护，周一见' })).code).toBe(0);
    expect((await confAt()).suspendNotice).toBe('周年维护，周一见');
    expect((await t.client().ok(homeConf, {})).suspendNotice).toBeUndefined();
    const rejected = [
      await buyer.client.call(quoteOrder, { goodsSn: second.sn }),
      await buyer.client.call(placeOrder, { goodsSn: second.sn }),
    ];
    expect(rejected.map((r) => r.code)).toEqual(rejected.map(() => codes.SITE_SUSPENDED[0]));
    expect((await buyer.client.call(balancePay, { orderId })).code).toBe(0);
    const elsewhere = await t.newUser();
    await t.fund(elsewhere.id, 1_000_000);
    expect((await elsewhere.client.call(placeOrder, { goodsSn: second.sn })).code).toBe(0);
    expect((await suspend('resume')).code).toBe(0);
    expect((await confAt()).suspendNotice).toBeUndefined();
  });

  test('is rejected by the database itself, also from a node that has not heard of it', async () => {
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    const buyer = await t.newUser({ host: HOST });
    await sql`update distributor set suspended_at = now() where id = ${distId}`.execute(t.ctx.db);
    expect((await buyer.client.call(placeOrder, { goodsSn: goods.sn })).code).toBe(codes.SITE_SUSPENDED[0]);
    await sql`update distributor set suspended_at = null where id = ${distId}`.execute(t.ctx.db);
    await t.ctx.dir.reload();
  });

  test('rejects orders placed after the suspension, also concurrent ones', async () => {
    const buyers = await Promise.all(Array.from({ length: 6 }, () => t.newUser({ host: HOST })));
    const goods = await Promise.all(buyers.map(() => addGoods(t.ctx, { sellerId: seller.id })));
    const [stopped, ...orders] = await Promise.all([
      suspend('suspend'),
      ...buyers.map((b, n) => b.client.call(placeOrder, { goodsSn: goods[n]?.sn ?? '' })),
    ]);
    expect(stopped.code).toBe(0);
    const codesOf = orders.map((o) => o.code);
    expect(codesOf.filter((code) => code !== 0 && code !== codes.SITE_SUSPENDED[0])).toEqual([]);
    const late = await countRows(
      t.ctx,
      sql`select from orders o join distributor d on d.id = o.dist_id where o.dist_id = ${distId} and o.created_at > d.suspended_at`,
    );
    expect(late).toBe(0);
    const [buyer] = buyers;
    const after = await addGoods(t.ctx, { sellerId: seller.id });
    expect((await buyer?.client.call(placeOrder, { goodsSn: after.sn }))?.code).toBe(codes.SITE_SUSPENDED[0]);
    await suspend('resume');
  });

  test('is suspended only by the platform, never by its own site, with an audited reason', async () => {
    const result = await own.client.call(c.suspendBrand, { distId, act: 'suspend', reason: '自己停' });
    expect(result.code).toBe(codes.FORBIDDEN[0]);
    expect((await suspend('suspend', { distId: 1 })).field).toBe('act');
    expect((await suspend('suspend', { reason: '' })).field).toBe('reason');
    expect((await suspend('suspend', { notice: '长'.repeat(101) })).field).toBe('notice');
    expect((await infoOf()).suspended).toBeNull();
    const { rows } = await sql<{ act: string }>`
      select act from audit_log where target = ${`brand:${distId}`} and act in ('brand.suspend', 'brand.resume') order by id limit 2`.execute(
      t.ctx.db,
    );
    expect(rows.map((r) => r.act)).toEqual(['brand.suspend', 'brand.resume']);
  });
});

describe('a scheduled version', () => {
  const saveDraft = async (welcome: string) => {
    const { newest, newestContent } = await infoOf();
    const content = { ...newestContent, welcome };
    return await own.client.ok(c.saveBrand, { distId, base: newest, content, reason: '草稿' });
  };
  const plan = async (version: number, startTime: string) =>
    await own.client.call(c.publishBrand, { distId, version, live: (await infoOf()).live, reason: '活动', startTime });
  /** As if the hour had passed. */
  async function passHour(): Promise<void> {
    await sql`update brand_plan set starts_at = starts_at - interval '61 minutes'`.execute(t.ctx.db);
    await sql`update timer set due_at = due_at - interval '61 minutes' where kind = 'brand.begin'`.execute(t.ctx.db);
    await t.timers();
  }
  const welcomeNow = async () => (await confAt()).distBaseConf.hdrBarWelceWord;

  test('is published at its time and not before, immediately on this node', async () => {
    const { version } = await saveDraft('周年快乐');
    expect((await plan(version, china(3_600_000))).code).toBe(0);
    expect((await infoOf()).plan).toMatchObject({ version, reason: '活动' });
    await t.timers();
    expect(await welcomeNow()).not.toBe('周年快乐');
    await passHour();
    expect(await welcomeNow()).toBe('周年快乐');
    expect(await infoOf()).toMatchObject({ live: version, plan: null });
  });

  test('does nothing after it was cancelled or replaced by another publication', async () => {
    const before = await welcomeNow();
    const { version } = await saveDraft('取消的');
    await plan(version, china(3_600_000));
    await own.client.ok(c.unplanBrand, { distId });
    await passHour();
    expect(await welcomeNow()).toBe(before);
    expect((await own.client.call(c.unplanBrand, { distId })).status).toBe(404);
    await plan(version, china(3_600_000));
    const newer = await saveDraft('先发布的');
    const { live } = await infoOf();
    await own.client.ok(c.publishBrand, { distId, version: newer.version, live, reason: '马上' });
    expect((await infoOf()).plan).toBeNull();
    await passHour();
    expect(await welcomeNow()).toBe('先发布的');
  });

  test('is rejected with a past time, an old version, or another brand’s version', async () => {
    const { version } = await saveDraft('没人看到');
    expect(await plan(version, china(-3_600_000))).toMatchObject({ status: 422, field: 'startTime' });
    expect(await plan(1, china(3_600_000))).toMatchObject({ status: 422, field: 'startTime' });
    expect(await plan(version, '2026-02-30T10:00')).toMatchObject({ status: 422, field: 'startTime' });
    const foreign = await t.newStaff({ role: 'operator', distId: 1 });
    expect((await foreign.client.call(c.unplanBrand, { distId })).status).toBe(404);
  });
});

describe('the brand’s mark-up', () => {
  beforeAll(async () => {
    const terms = { distId, base: 0, markUpBp: 300, commissionBp: 2000, reason: '新合同' };
    // The brand has orders by now: a second person confirms.
    expect(await admin.client.ok(c.setBrandTerms, terms)).toEqual({ state: 'waiting' });
    const finance = await t.newStaff({ role: 'finance' });
    const { draft } = await finance.client.ok(c.brandTermsDraft, { distId });
    assert(draft !== null);
    await finance.client.ok(c.decideBrandTerms, { distId, draftId: draft.draftId, act: 'approve', reason: '核对' });
  });

  test('is included in bargains, fee rates and timed sales as at the checkout', async () => {
    const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
    const buyer = await t.newUser({ host: HOST });
    await sql`update goods set bargain_ok = true where id = ${goods.id}`.execute(t.ctx.db);
    await buyer.client.ok(bargaining, { goodsSn: goods.sn, price: '95.00' });
    const onBrand = await buyer.client.ok(lookBargaGoodsList, { goodsSn: goods.sn });
    expect([onBrand.serviceFeeBp, onBrand.mine?.allInPrice]).toEqual([400, '98.80']);
    expect((await t.client({ host: HOST }).ok(getScaleConf, {})).buyerServiceFeeBp).toBe(400);
    expect((await t.client().ok(getScaleConf, {})).buyerServiceFeeBp).toBe(100);
  });

  test('is included in a timed sale, on its page and in the payment', async () => {
    const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
    await sql`insert into time_sale (goods_id, goods_version, price_fen, was_fen, left_num, starts_at, ends_at)
      select id, version, 9000, 10000, 1, now() - interval '1 hour', now() + interval '1 hour' from goods where sn = ${goods.sn}`.execute(
      t.ctx.db,
    );
    const { sale } = await t.client({ host: HOST }).ok(timeSaleInfo, { goodsSn: goods.sn });
    expect(sale?.allInPrice).toBe('93.60');
    const buyer = await t.newUser({ host: HOST });
    const placed = await buyer.client.ok(placeTimePurchase, { goodsSn: goods.sn, price: '90.00', goodsNum: 1 });
    expect(placed.totalPrice).toBe('93.60');
    const { rows } = await sql<{ share: number }>`
      select dist_share_fen as share from orders where sn = ${placed.orderSn}`.execute(t.ctx.db);
    // Fees 4.50 + 0.90 = 5.40, of which 20 % are 1.08; the mark-up is 3.60 - 0.90 = 2.70.
    expect(rows[0]?.share).toBe(108 + 270);
  });
});
