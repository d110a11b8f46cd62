import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as c from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '10' } });
  await addGame(t.ctx, { handover: true });
});
afterAll(async () => await t.close());

test('an order opened immediately after its payment has its hand-over steps, the same for concurrent readers', async () => {
  const seller = await t.newUser();
  const buyer = await t.newUser({ balanceFen: 40_000 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
  const { orderSn, orderId } = await buyer.client.ok(c.placeOrder, { goodsSn: goods.sn });
  expect((await buyer.client.ok(c.orderDetail, { orderSn })).handover).toEqual([]);
  await buyer.client.ok(balancePay, { orderId });
  // As long as the event of the payment has not been worked on.
  await asSuperuser(databaseOf(t.ctx), 'delete from order_handover where order_id = $1', [orderId]);
  await sql`update orders set handover_version = null where id = ${orderId}`.execute(t.ctx.db);
  const viewers = [buyer, seller, buyer, seller];
  const seen = await Promise.all(viewers.map(({ client }) => client.ok(c.orderDetail, { orderSn })));
  const titles = seen.map(({ handover }) => handover.map(({ title }) => title));
  expect(titles[0]?.length).toBeGreaterThan(1);
  expect(titles).toEqual(titles.map(() => titles[0]));
  await t.relay();
  expect((await buyer.client.ok(c.orderDetail, { orderSn })).handover.map(({ title }) => title)).toEqual(titles[0]);
});
