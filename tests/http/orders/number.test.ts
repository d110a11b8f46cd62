import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

const numbers: string[] = [];
vi.mock('#server/kernel/ids.ts', async (original) => ({
  ...(await original<object>()),
  orderSn: () => numbers.shift() ?? 'none left',
}));

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await addGame(app.ctx);
});
afterAll(async () => await app.close());

test('an order whose number is taken gets another one', async () => {
  const seller = await app.newUser();
  const buyer = await app.newUser();
  const first = await addGoods(app.ctx, { sellerId: seller.id });
  const second = await addGoods(app.ctx, { sellerId: seller.id });
  numbers.push('261121000000000001', '261121000000000001', '261121000000000001', '261121000000000002');
  const one = await buyer.client.ok(placeOrder, { goodsSn: first.sn, goodsNum: 1 });
  const two = await buyer.client.ok(placeOrder, { goodsSn: second.sn, goodsNum: 1 });
  expect([one.orderSn, two.orderSn]).toEqual(['261121000000000001', '261121000000000002']);
});
