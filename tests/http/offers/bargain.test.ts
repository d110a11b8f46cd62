import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes, type ErrorName } from '#contract/codes.ts';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import {
  bargainRule,
  bargaining,
  bargainingList,
  buyCounterofferPriceHandle,
  lookBargaGoodsList,
  saveBargainRule,
  sellerAgreedBargain,
  sellerCounterofferPrice,
} from '#subjects/offers/contract/offers.ts';
import { onlySetupGoodsPrice } from '#subjects/goods/contract/goods.ts';
import { getImGroupIdMap, history } from '#subjects/chat/contract/im.ts';
import * as order from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { forgetUnpaidEnds } from '#tests/support/orders/orders.ts';

let t: TestApp;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addGame(t.ctx);
  seller = await t.newUser({ nickName: '卖家' });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

/** The number of the refusal that a call comes to; 0 when it was not refused. */
async function errorOf<E extends Endpoint>(
  user: TestUser,
  endpoint: E,
  input: Input<E>,
  options: { headers?: Record<string, string> } = {},
): Promise<number> {
  return (await user.client.call(endpoint, input, options)).code;
}

const code = (name: ErrorName): number => codes[name][0];

async function listed(overrides: { priceFen?: number; stock?: number; typeId?: number; status?: number } = {}) {
  const goods = await addGoods(t.ctx, { sellerId: seller.id, ...overrides });
  await sql`update goods set bargain_ok = true where id = ${goods.id}`.execute(t.ctx.db);
  return goods;
}

/** An offer of 80 on goods of 100. */
async function offered(buyer: TestUser, goods?: { sn: string; id: number }, price = '80.00') {
  const on = goods ?? (await listed());
  const { bargainId } = await buyer.client.ok(bargaining, { goodsSn: on.sn, price });
  return { bargainId, goods: on };
}

async function agreed(buyer: TestUser, goods?: { sn: string; id: number }) {
  const created = await offered(buyer, goods);
  await seller.client.ok(sellerAgreedBargain, { bargainId: created.bargainId });
  return created;
}

async function lapse(bargainId: number): Promise<void> {
  await passTime(t.ctx.db, 'bargain', { id: bargainId }, { until: 'expires_at' });
  await makeDue(t.ctx.db, 'bargain.expire', bargainId);
}

const mine = async (user: TestUser, bargainId: number) =>
  (await user.client.ok(bargainingList, {})).list.find((item) => item.bargainId === bargainId);

/** The pending notices, by user. */
async function notices(): Promise<{ userId: number; status: number; title: string; link: string }[]> {
  const { rows } = await sql<{ payload: { userId: number; status: number; title: string; link: string } }>`
    select payload from outbox where topic = 'bargain.changed' order by id`.execute(t.ctx.db);
  return rows.map((r) => r.payload);
}

describe('the states of an offer', () => {
  test('an agreed price applies to one order and is shown in its group', async () => {
    await t.relay();
    const buyer = await t.newUser({ balanceFen: 50_000 });
    const goods = await listed();
    const first = await buyer.client.ok(bargaining, {
      goodsSn: goods.sn,
      price: '80',
      message: '诚心要，加我 13812345678',
    });
    expect(first).toMatchObject({ status: 0, statusName: '待卖家回复', acts: ['withdraw'] });
    const seen = await mine(seller, first.bargainId);
    expect(seen).toMatchObject({
      belong: 1,
      sellrBargaPrice: '80.00',
      price: '100.00',
      net: '76.00',
      allInPrice: '80.80',
      acts: ['agree', 'counter', 'refuse'],
    });
    expect(seen?.message).not.toContain('13812345678');
    expect(await notices()).toMatchObject([{ userId: seller.id, status: 0, link: '/center/sellBargainGoods' }]);
    expect(await seller.client.ok(sellerAgreedBargain, { bargainId: first.bargainId })).toMatchObject({ status: 1 });
    // Two devices of the seller agree one after another.
    expect(await seller.client.ok(sellerAgreedBargain, { bargainId: first.bargainId })).toMatchObject({ status: 1 });
    expect((await notices()).map((e) => [e.userId, e.status])).toEqual([
      [seller.id, 0],
      [buyer.id, 1],
    ]);
    const input = { goodsSn: goods.sn, bargainId: first.bargainId };
    expect((await buyer.client.ok(order.quoteOrder, input)).totalPrice).toBe('80.80');
    const placed = await buyer.client.ok(order.placeOrder, input);
    expect(placed.totalPrice).toBe('80.80');
    expect(await mine(buyer, first.bargainId)).toMatchObject({ status: 7, orderSn: placed.orderSn, acts: [] });
    await buyer.client.ok(balancePay, { orderId: placed.orderId });
    await t.relay();
    const groups = await buyer.client.ok(getImGroupIdMap, { orderSnList: placed.orderSn });
    const groupId = groups[placed.orderSn]?.[0]?.groupId ?? '';
    const { list } = await buyer.client.ok(history, { groupId });
    expect(list.filter((m) => m.content.card === 'bargain').map((m) => m.content.title)).toEqual(['议价成交 ¥80.00']);
  });

  test('a counter-offer can be accepted or rejected, and lies between offer and price', async () => {
    const buyer = await t.newUser();
    const { bargainId, goods } = await offered(buyer);
    for (const price of ['80', '79', '100', '120']) {
      expect(await errorOf(seller, sellerCounterofferPrice, { bargainId, price })).toBe(code('BAD_INPUT'));
    }
    expect(await seller.client.ok(sellerCounterofferPrice, { bargainId, price: '90' })).toMatchObject({ status: 2 });
    expect(await mine(buyer, bargainId)).toMatchObject({ sellrCounterofferPrice: '90.00', acts: ['agree', 'refuse'] });
    expect(await errorOf(buyer, order.placeOrder, { goodsSn: goods.sn, bargainId })).toBe(code('BARGAIN_STATE'));
    await buyer.client.ok(buyCounterofferPriceHandle, { bargainId, act: 'agree' });
    expect((await buyer.client.ok(order.quoteOrder, { goodsSn: goods.sn, bargainId })).totalPrice).toBe('90.90');

    const other = await offered(buyer);
    await seller.client.ok(sellerCounterofferPrice, { bargainId: other.bargainId, price: '95' });
    const rejected = await buyer.client.ok(buyCounterofferPriceHandle, { bargainId: other.bargainId, act: 'refuse' });
    expect(rejected).toMatchObject({ status: 5, acts: [] });
  });

  test('rejected, withdrawn and expired offers stay closed', async () => {
    const buyer = await t.newUser();
    const rejected = await offered(buyer);
    await seller.client.ok(sellerAgreedBargain, { bargainId: rejected.bargainId, act: 'refuse' });
    expect(await errorOf(seller, sellerAgreedBargain, { bargainId: rejected.bargainId })).toBe(code('BARGAIN_STATE'));
    const withdrawn = await offered(buyer);
    await buyer.client.ok(buyCounterofferPriceHandle, { bargainId: withdrawn.bargainId, act: 'withdraw' });
    expect(await errorOf(seller, sellerAgreedBargain, { bargainId: withdrawn.bargainId })).toBe(code('BARGAIN_STATE'));
    const tooLate = await offered(buyer);
    await lapse(tooLate.bargainId);
    // Before the timer has run it counts as expired already.
    expect(await mine(seller, tooLate.bargainId)).toMatchObject({ status: 6, acts: [] });
    expect(await errorOf(seller, sellerAgreedBargain, { bargainId: tooLate.bargainId })).toBe(code('BARGAIN_STATE'));
    await t.timers();
    expect(await mine(buyer, tooLate.bargainId)).toMatchObject({
      status: 6,
      statusText: '超过 24 小时没有下一步，已自动失效',
    });
    const { counts, list } = await buyer.client.ok(bargainingList, { belong: 0, status: -1 });
    expect(list.map((i) => i.status)).toEqual([6, 8, 4]);
    expect(counts).toMatchObject({ all: 3, '-1': 3, '0': 0 });
  });

  test('an unused agreed price expires after a day; a cancelled order makes it available again', async () => {
    const buyer = await t.newUser();
    const { bargainId, goods } = await agreed(buyer);
    const placed = await buyer.client.ok(order.placeOrder, { goodsSn: goods.sn, bargainId });
    await buyer.client.ok(order.cancelOrder, { orderId: placed.orderId });
    await t.relay();
    expect(await mine(buyer, bargainId)).toMatchObject({ status: 1, orderSn: null, acts: ['order'] });
    await forgetUnpaidEnds(t, buyer.id);
    const again = await buyer.client.ok(order.placeOrder, { goodsSn: goods.sn, bargainId });
    expect(again.totalPrice).toBe('80.80');
    await buyer.client.ok(order.cancelOrder, { orderId: again.orderId });
    await forgetUnpaidEnds(t, buyer.id);
    await t.relay();
    await lapse(bargainId);
    await t.timers();
    expect(await mine(buyer, bargainId)).toMatchObject({ status: 6 });
    expect(await errorOf(buyer, order.placeOrder, { goodsSn: goods.sn, bargainId })).toBe(code('BARGAIN_STATE'));
  });

  test('a paid order uses up the price', async () => {
    const buyer = await t.newUser({ balanceFen: 20_000 });
    const { bargainId, goods } = await agreed(buyer);
    const placed = await buyer.client.ok(order.placeOrder, { goodsSn: goods.sn, bargainId });
    await buyer.client.ok(balancePay, { orderId: placed.orderId });
    await buyer.client.ok(order.cancelOrder, { orderId: placed.orderId });
    await t.relay();
    expect(await mine(buyer, bargainId)).toMatchObject({ status: 7 });
  });
});

describe('limits of an offer', () => {
  test('offers on own, sold or non-negotiable goods, from another site, too high or too low are rejected with messages', async () => {
    const buyer = await t.newUser();
    const goods = await listed();
    const closed = await addGoods(t.ctx, { sellerId: seller.id });
    const gone = await listed({ status: 3 });
    const fails = async (user: TestUser, input: { goodsSn: string; price: string; goodsVersion?: number }) =>
      await errorOf(user, bargaining, input);
    expect(await fails(buyer, { goodsSn: closed.sn, price: '80' })).toBe(code('BARGAIN_CLOSED'));
    expect(await fails(seller, { goodsSn: goods.sn, price: '80' })).toBe(code('GOODS_OWN'));
    expect(await fails(buyer, { goodsSn: gone.sn, price: '80' })).toBe(code('GOODS_NOT_ON_SALE'));
    expect(await fails(buyer, { goodsSn: 'YS9999999', price: '80' })).toBe(code('GOODS_NOT_FOUND'));
    expect(await fails(buyer, { goodsSn: goods.sn, price: '80', goodsVersion: 7 })).toBe(code('GOODS_CHANGED'));
    for (const price of ['100', '49.99', '0', '-1', '1e2']) {
      expect(await fails(buyer, { goodsSn: goods.sn, price })).toBe(code('BAD_INPUT'));
    }
    const child = await t.newUser({ birthDate: '20120101' });
    expect(await fails(child, { goodsSn: goods.sn, price: '80' })).toBe(code('REAL_NAME_MINOR'));
    const stranger = await t.newUser({ verified: false });
    expect(await fails(stranger, { goodsSn: goods.sn, price: '80' })).toBe(code('REAL_NAME_REQUIRED'));
  });

  test('one open offer, three attempts, and the seller’s minimum', async () => {
    const owner = await t.newUser();
    const goods = await addGoods(t.ctx, { sellerId: owner.id });
    await sql`update goods set bargain_ok = true where id = ${goods.id}`.execute(t.ctx.db);
    const buyer = await t.newUser();
    expect(await owner.client.ok(bargainRule, {})).toEqual({ floorPercent: 50 });
    await owner.client.ok(saveBargainRule, { floorPercent: 90 });
    expect(await errorOf(buyer, bargaining, { goodsSn: goods.sn, price: '89' })).toBe(code('BAD_INPUT'));
    for (let left = 3; left > 0; left--) {
      expect(await buyer.client.ok(lookBargaGoodsList, { goodsSn: goods.sn })).toMatchObject({
        floor: '90.00',
        triesLeft: left,
      });
      const { bargainId } = await buyer.client.ok(bargaining, { goodsSn: goods.sn, price: '92' });
      expect(await errorOf(buyer, bargaining, { goodsSn: goods.sn, price: '93' })).toBe(
        code(left > 1 ? 'BARGAIN_OPEN' : 'BARGAIN_TRIES'),
      );
      await buyer.client.ok(buyCounterofferPriceHandle, { bargainId, act: 'withdraw' });
    }
    expect(await errorOf(buyer, bargaining, { goodsSn: goods.sn, price: '95' })).toBe(code('BARGAIN_TRIES'));
  });

  test('offers are private except for their number and the highest', async () => {
    const goods = await listed();
    const [a, b] = [await t.newUser({ nickName: '甲买家' }), await t.newUser({ nickName: '乙买家' })];
    const { bargainId } = await offered(a, goods, '70');
    await offered(b, goods, '85');
    const lookUp = await a.client.ok(lookBargaGoodsList, { goodsSn: goods.sn });
    expect(lookUp).toMatchObject({ offers: 2, highest: '85.00', mine: { bargainId, sellrBargaPrice: '70.00' } });
    expect(lookUp.list).toHaveLength(1);
    expect((await seller.client.ok(lookBargaGoodsList, { goodsSn: goods.sn })).list.map((i) => i.partnerName)).toEqual([
      '乙**家',
      '甲**家',
    ]);
    expect(await errorOf(b, buyCounterofferPriceHandle, { bargainId, act: 'withdraw' })).toBe(
      code('BARGAIN_NOT_FOUND'),
    );
    expect(await errorOf(b, sellerAgreedBargain, { bargainId })).toBe(code('BARGAIN_NOT_FOUND'));
    expect(await errorOf(b, order.quoteOrder, { goodsSn: goods.sn, bargainId })).toBe(code('BARGAIN_STATE'));
  });

  test('expires by a timer exactly at its end', async () => {
    const { rows } = await sql<{ off: number }>`
      select count(*)::int as off from bargain b join timer t on t.kind = 'bargain.expire' and t.ref = b.id::text
      where b.status in (0, 1, 2, 3) and t.due_at <> b.expires_at and b.expires_at > now() + interval '23 hours'`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([{ off: 0 }]);
  });

  test('the same key makes one offer; the key with another price is rejected', async () => {
    const buyer = await t.newUser();
    const goods = await listed();
    const headers = { 'idempotency-key': 'offer-1' };
    const first = await buyer.client.ok(bargaining, { goodsSn: goods.sn, price: '80' }, { headers });
    const again = await buyer.client.ok(bargaining, { goodsSn: goods.sn, price: '80' }, { headers });
    expect(again.bargainId).toBe(first.bargainId);
    expect(await errorOf(buyer, bargaining, { goodsSn: goods.sn, price: '81' }, { headers })).toBe(
      code('IDEMPOTENCY_MISMATCH'),
    );
  });
});

describe('changes during an offer', () => {
  test('the price falls below the offer: the seller cannot agree to more, and the buyer never pays more', async () => {
    const buyer = await t.newUser();
    const { bargainId, goods } = await offered(buyer);
    await seller.client.ok(onlySetupGoodsPrice, { goodsSn: goods.sn, price: '75' });
    expect(await errorOf(seller, sellerAgreedBargain, { bargainId })).toBe(code('GOODS_CHANGED'));
    const other = await agreed(buyer);
    await seller.client.ok(onlySetupGoodsPrice, { goodsSn: other.goods.sn, price: '60' });
    const input = { goodsSn: other.goods.sn, bargainId: other.bargainId };
    expect((await buyer.client.ok(order.quoteOrder, input)).totalPrice).toBe('60.60');
    await seller.client.ok(onlySetupGoodsPrice, { goodsSn: other.goods.sn, price: '300' });
    expect((await buyer.client.ok(order.quoteOrder, input)).totalPrice).toBe('80.80');
  });

  test('a paid order ends all offers on the goods, unless there is more stock', async () => {
    const rich = await t.newUser({ balanceFen: 100_000 });
    const buyer = await t.newUser();
    const { bargainId, goods } = await agreed(buyer);
    const placed = await rich.client.ok(order.placeOrder, { goodsSn: goods.sn });
    expect(await mine(buyer, bargainId)).toMatchObject({ status: 1, goodsStatus: 4, acts: [] });
    expect(await errorOf(buyer, order.placeOrder, { goodsSn: goods.sn, bargainId })).toBe(code('GOODS_NOT_ON_SALE'));
    await rich.client.ok(balancePay, { orderId: placed.orderId });
    await t.relay();
    expect(await mine(buyer, bargainId)).toMatchObject({ status: 6, statusText: '商品已被他人买走，议价结束' });

    const many = await listed({ typeId: 27, stock: 10 });
    const stored = await agreed(buyer, many);
    const one = await rich.client.ok(order.placeOrder, { goodsSn: many.sn });
    await rich.client.ok(balancePay, { orderId: one.orderId });
    await t.relay();
    expect(await errorOf(buyer, order.quoteOrder, { goodsSn: many.sn, bargainId: stored.bargainId, goodsNum: 2 })).toBe(
      code('BAD_INPUT'),
    );
    expect(
      (await buyer.client.ok(order.placeOrder, { goodsSn: many.sn, bargainId: stored.bargainId })).totalPrice,
    ).toBe('80.80');
  });

  test('while the goods are reserved for another buyer, the seller can reject but not accept', async () => {
    const buyer = await t.newUser();
    const { bargainId, goods } = await offered(buyer);
    await (await t.newUser()).client.ok(order.placeOrder, { goodsSn: goods.sn });
    expect(await errorOf(seller, sellerAgreedBargain, { bargainId })).toBe(code('GOODS_NOT_ON_SALE'));
    expect((await mine(seller, bargainId))?.acts).toEqual(['refuse']);
    await seller.client.ok(sellerAgreedBargain, { bargainId, act: 'refuse' });
  });
});

describe('concurrent calls', () => {
  test('one of acceptance, rejection, counter-offer and withdrawal succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const buyer = await t.newUser();
      const { bargainId } = await offered(buyer);
      const responses = await Promise.all([
        seller.client.call(sellerAgreedBargain, { bargainId }),
        seller.client.call(sellerAgreedBargain, { bargainId, act: 'refuse' }),
        seller.client.call(sellerCounterofferPrice, { bargainId, price: '90' }),
        buyer.client.call(buyCounterofferPriceHandle, { bargainId, act: 'withdraw' }),
      ]);
      expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
      expect(responses.filter((a) => a.code === code('BARGAIN_STATE'))).toHaveLength(3);
    }
  });

  test('expiry and acceptance never both succeed', async () => {
    for (let round = 0; round < 5; round++) {
      const buyer = await t.newUser();
      const { bargainId } = await offered(buyer);
      await sql`update bargain set expires_at = now() + interval '30 milliseconds' where id = ${bargainId}`.execute(
        t.ctx.db,
      );
      await makeDue(t.ctx.db, 'bargain.expire', bargainId);
      await new Promise((resolve) => setTimeout(resolve, 20 + round * 5));
      const [response] = await Promise.all([seller.client.call(sellerAgreedBargain, { bargainId }), t.timers()]);
      if (response.code !== 0) {
        // The job may have looked before the time and the acceptance after it; the job's next look ends the offer.
        await sql`select pg_sleep_until(expires_at) from bargain where id = ${bargainId}`.execute(t.ctx.db);
        await makeDue(t.ctx.db, 'bargain.expire', bargainId);
        await t.timers();
      }
      const now = await mine(buyer, bargainId);
      expect(now?.status).toBe(response.code === 0 ? 1 : 6);
    }
  });

  test('eight devices of a buyer make one offer, and four order requests one order', async () => {
    const buyer = await t.newUser();
    const goods = await listed({ typeId: 27, stock: 10 });
    const offers = await Promise.all(
      Array.from({ length: 8 }, () => buyer.client.call(bargaining, { goodsSn: goods.sn, price: '80' })),
    );
    const won = offers.filter((a) => a.code === 0);
    expect(won).toHaveLength(1);
    const bargainId = won[0]?.data?.bargainId ?? 0;
    await seller.client.ok(sellerAgreedBargain, { bargainId });
    const orders = await Promise.all(
      Array.from({ length: 4 }, () => buyer.client.call(order.placeOrder, { goodsSn: goods.sn, bargainId })),
    );
    expect(orders.filter((a) => a.code === 0)).toHaveLength(1);
    expect(orders.filter((a) => a.code === code('BARGAIN_STATE'))).toHaveLength(3);
  });
});
