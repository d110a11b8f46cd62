import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { depositPay, depositRelease } from '#contract/deposit.ts';
import { confirmRecGoods, offlineTranSub, placeOrder } from '#contract/order.ts';
import { balancePay } from '#contract/pay.ts';
import { saleHold } from '#contract/seller-level.ts';
import { netAmount } from '#contract/user.ts';
import { brokenInvariants } from '#server/slices/ledger/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/build.ts';
import { addGame, addGoods } from '#tests/support/goods.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

/** A sale from the shelf to the confirmation. Answers the order's id. */
async function sell(seller: TestUser, priceFen: number): Promise<number> {
  const buyer = await t.newUser({ balanceFen: 2 * priceFen });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen });
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await seller.client.ok(offlineTranSub, { orderId });
  await buyer.client.ok(confirmRecGoods, { orderId });
  return orderId;
}

/** For how many hours a completed order is held in all. */
async function heldHours(orderId: number): Promise<number | undefined> {
  const { rows } = await sql<{ hours: number }>`
    select round(extract(epoch from release_at - created_at) / 3600)::int as hours from hold
    where code = 'sale_protection' and ref = ${String(orderId)}`.execute(t.ctx.db);
  return rows[0]?.hours;
}

describe('the hold that is shown before a sale', () => {
  test('is the one that its completion makes, with and without the higher deposit', async () => {
    const seller = await t.newUser({ balanceFen: 250_000, sellerLevel: 1 });
    const agree = async (hours: number, words: string) => {
      const shown = await seller.client.ok(saleHold, {});
      expect(shown).toMatchObject({ hours });
      expect(shown.text).toContain(words);
      expect((await seller.client.ok(netAmount, { price: '20.00', goodsTypeId: 27 })).holdText).toBe(shown.text);
      expect(await heldHours(await sell(seller, 2_000))).toBe(hours);
    };
    await agree(72, '3 天');
    await seller.client.ok(depositPay, { role: 'seller', level: 1 });
    await agree(72, '3 天');
    await seller.client.ok(depositPay, { role: 'seller', level: 2 });
    await agree(48, '2 天');
    // A deposit on its way back counts for nothing.
    await seller.client.ok(depositRelease, { role: 'seller', act: 'ask' });
    await agree(72, '3 天');
  });
});
