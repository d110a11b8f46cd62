/** A key's first result is its result, whatever became of the thing since. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { bargaining, releaseWantGoods } from '#subjects/offers/contract/offers.ts';
import { openMiddleman } from '#subjects/middleman/contract/middleman.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { addStepsGame, stepsDone, trade } from '#tests/support/orders/orders.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addStepsGame(t);
});
afterAll(async () => await t.close());

describe('D2: the key is checked before the state', () => {
  test('pay, ship, confirm and cancel return their first result after the order has changed', async () => {
    const at = await trade(t, { typeId: 27, unpaid: true });
    const key = (name: string) => ({ idempotencyKey: `d2-${name}-${at.orderId}` });
    const { orderId } = at;
    const paid = await at.buyer.client.ok(balancePay, { orderId }, key('pay'));
    await at.seller.client.ok(c.handoverDone, { orderId, step: 1 });
    // Done by an earlier version, in which the last step did not ship.
    await stepsDone(t, orderId, 'deliver');
    const shipped = await at.seller.client.ok(c.offlineTranSub, { orderId }, key('ship'));
    expect(await at.buyer.client.ok(balancePay, { orderId }, key('pay'))).toEqual(paid);
    const confirmed = await at.buyer.client.ok(c.confirmRecGoods, { orderId }, key('confirm'));
    expect(await at.seller.client.ok(c.offlineTranSub, { orderId }, key('ship'))).toEqual(shipped);
    expect(await at.buyer.client.ok(balancePay, { orderId }, key('pay'))).toEqual(paid);
    expect(await at.buyer.client.ok(c.confirmRecGoods, { orderId }, key('confirm'))).toEqual(confirmed);
    // Another order under the same key gets that error, whatever its state is.
    const mixed = await at.buyer.client.call(balancePay, { orderId: orderId + 1 }, key('pay'));
    expect(mixed.code).toBe(codes.IDEMPOTENCY_MISMATCH[0]);
  });

  type Prepared = [Endpoint, Input<Endpoint>];
  const prepare: Record<string, (buyer: TestUser, sellerId: number) => Promise<Prepared>> = {
    async 'placing an order'(_buyer, sellerId) {
      return [c.placeOrder, { goodsSn: (await addGoods(t.ctx, { sellerId })).sn }];
    },
    async 'an offer'(_buyer, sellerId) {
      const { sn, id } = await addGoods(t.ctx, { sellerId });
      await sql`update goods set bargain_ok = true where id = ${id}`.execute(t.ctx.db);
      return [bargaining, { goodsSn: sn, price: '90.00' }];
    },
    'a private deal': () =>
      Promise.resolve([openMiddleman, { belong: 1, title: '一套典藏皮肤礼包', price: '100.00', feeSide: 'half' }]),
    'a want': () =>
      Promise.resolve([
        releaseWantGoods,
        { gameId: 1, goodsTypeId: 1, bigTitle: '求一个王者段位的号', details: {}, budget: '150' },
      ]),
  };

  test.each(Object.keys(prepare))('%s returns its first result to a user who may no longer do it', async (name) => {
    const [seller, buyer] = [await t.newUser({ soldCount: 9 }), await t.newUser()];
    const found = await prepare[name]?.(buyer, seller.id);
    if (!found) throw new Error('no such write');
    const [endpoint, input] = found;
    const key = { idempotencyKey: `replay-${buyer.id}` };
    const first = await buyer.client.ok(endpoint, input, key);
    await sql`update app_user set auth_status = 0 where id = ${buyer.id}`.execute(t.ctx.db);
    await sql`update real_name set status = 3 where user_id = ${buyer.id}`.execute(t.ctx.db);
    expect(await buyer.client.ok(endpoint, input, key)).toEqual(first);
    expect((await buyer.client.call(endpoint, input)).code).toBe(codes.REAL_NAME_REQUIRED[0]);
  });
});
