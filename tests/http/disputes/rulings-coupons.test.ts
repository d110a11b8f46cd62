/** Shares of a coupon and a premium in a ruling, to the fen, through HTTP. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { distributeUserCoupon, userCouponList } from '#subjects/promotions/contract/coupon.ts';
import { acceptRuling } from '#subjects/disputes/contract/dispute.ts';
import { coverList } from '#subjects/guarantees/contract/guarantee.ts';
import { confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import type { TestUser } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { accountDisputed, type Court, openCourt, ruling } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';

const RECOVERY = 11;
let court: Court;
let t: Court['t'];
let campaigns = 0;

beforeAll(async () => {
  court = await openCourt();
  ({ t } = court);
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

interface Bought {
  buyer: TestUser;
  seller: TestUser;
  orderId: number;
  orderSn: string;
}

/** Buys props or an account with a coupon of 10.00, as far as asked. The buyer begins with 500.00. */
async function buy(overrides: {
  typeId: number;
  priceFen: number;
  cover?: boolean;
  reached: 'shipped' | 'completed';
}): Promise<Bought> {
  const [buyer, seller] = [await t.newUser({ balanceFen: 50_000 }), await t.newUser({})];
  const code = `RULE${++campaigns}`;
  await addCampaign(t.ctx, { code, amountFen: 1_000 });
  const { coupon } = await buyer.client.ok(distributeUserCoupon, { code });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: overrides.typeId, priceFen: overrides.priceFen });
  await sql`update goods set guarantee_ok = true where id = ${goods.id}`.execute(t.ctx.db);
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, {
    goodsSn: goods.sn,
    couponId: coupon?.couponId,
    ...(overrides.cover && { fixEnsureId: RECOVERY }),
  });
  await buyer.client.ok(balancePay, { orderId });
  await seller.client.ok(offlineTranSub, { orderId });
  if (overrides.reached === 'completed') await buyer.client.ok(confirmRecGoods, { orderId });
  await t.relay();
  return { buyer, seller, orderId, orderSn };
}

/** Opens, answers and rules; both accept. */
async function ruled({ buyer, seller, orderSn }: Bought, back: string): Promise<void> {
  const disputeSn = await accountDisputed({ orderSn, buyer, seller });
  await court.service.client.ok(staffDisputeRule, ruling(disputeSn, back));
  for (const party of [buyer, seller]) await party.client.ok(acceptRuling, { disputeSn });
}

/** The postings of an order with these codes: code and fen. */
async function posted(orderId: number, ...codes: string[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ code: string; fen: number }>`
    select code, amount_fen as fen from ledger_transfer where order_id = ${orderId} and code = any(${codes})`.execute(
    t.ctx.db,
  );
  return Object.fromEntries(rows.map((r) => [r.code, r.fen]));
}

test('a shipped order: the coupon’s share of the refund goes to the platform, and it stays used', async () => {
  const d = await buy({ typeId: 27, priceFen: 20_000, reached: 'shipped' });
  expect((await loadBalances(t.ctx.db, d.buyer.id)).availableFen).toBe(50_000 - 19_200);
  await ruled(d, '50.00');
  // 50.00 and 0.50 of the fee come back; a coupon of 10.00 on 202.00 has 2.50 of them.
  expect(await posted(d.orderId, 'order_refund', 'order_refund_coupon', 'ruling_to_seller')).toEqual({
    order_refund: 4_800,
    order_refund_coupon: 250,
    ruling_to_seller: 14_250,
  });
  expect((await d.buyer.client.ok(userCouponList, {})).list).toMatchObject([{ statusName: '已使用' }]);
});

test('a completed order: paid by the hold and the fees, and the coupon’s share goes to the platform', async () => {
  const d = await buy({ typeId: 27, priceFen: 20_000, reached: 'completed' });
  await ruled(d, '50.00');
  expect(await posted(d.orderId, 'ruling_take_back', 'ruling_fee_back', 'ruling_coupon')).toEqual({
    ruling_take_back: 4_750,
    ruling_fee_back: 300,
    ruling_coupon: 250,
  });
  expect((await loadBalances(t.ctx.db, d.buyer.id)).availableFen).toBe(50_000 - 19_200 + 4_800);
});

test('a completed order with a full refund: the premium too, and not a fen more than was paid', async () => {
  const d = await buy({ typeId: 8, priceFen: 10_000, cover: true, reached: 'completed' });
  expect((await d.buyer.client.ok(coverList, {})).list[0]).toMatchObject({ status: 'active' });
  await ruled(d, '100.00');
  // 10.00 of premium less 0.91, what the coupon of 10.00 has of it on 111.00.
  expect(await posted(d.orderId, 'premium_back', 'ruling_coupon')).toEqual({ premium_back: 909, ruling_coupon: 909 });
  expect(await loadBalances(t.ctx.db, d.buyer.id)).toMatchObject({ availableFen: 50_000 });
  expect((await d.buyer.client.ok(coverList, {})).list[0]).toMatchObject({ status: 'void' });
});

test('a partial refund keeps the cover and its premium', async () => {
  const d = await buy({ typeId: 8, priceFen: 10_000, cover: true, reached: 'completed' });
  await ruled(d, '99.99');
  expect(await posted(d.orderId, 'premium_back')).toEqual({});
  expect((await d.buyer.client.ok(coverList, {})).list[0]).toMatchObject({ status: 'active' });
});
