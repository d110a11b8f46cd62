/** A purchase on a phone whose browser is the oldest supported one. */
import { expect } from '@playwright/test';
import { callAs } from '#tests/e2e/support/calls.ts';
import { payFromBalance, placeOrder } from '#tests/e2e/support/order-steps.ts';
import { test } from '#tests/e2e/support/people.ts';
import { data, signIn } from '#tests/e2e/support/sign-in.ts';

test('a buyer places an order and pays for it', async ({ people }) => {
  const buyer = await people.visitor('buyer');
  await signIn(buyer, '13800000001');
  const { list } = await data<{ list: { pageUrl: string }[] }>(
    buyer.context.request,
    '/api/goods/getGoodsList?goodsTypeId=1&sort=priceAsc&minPrice=50&pageSize=5',
  );
  const { orderSn } = await placeOrder(buyer, list.at(-1)?.pageUrl ?? '');
  await payFromBalance(buyer);
  const order = await callAs<{ status: number }>(buyer, `/api/order/orderDetail?orderSn=${orderSn}`);
  expect(order.status).toBe(1);
});
