import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import * as o from '#subjects/orders/contract/order.ts';
import * as s from '#subjects/time-sale/contract/time-sale.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addGame(t.ctx);
  seller = await t.newUser();
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

async function offered(overrides: { typeId?: number; stock?: number } = {}): Promise<string> {
  const { sn, id } = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000, ...overrides });
  await passTime(t.ctx.db, 'goods', { id }, { days: 10 });
  return sn;
}

const SALE = { price: '80.00', hours: 2 };

test('a sale is rejected for new listings, others’ listings and prices that are no real reduction', async () => {
  const { sn } = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
  const errorText = async (goodsSn: string, overrides: object = {}) =>
    (await seller.client.call(s.saveTimeSale, { goodsSn, ...SALE, ...overrides } as never)).msg;
  expect(await errorText(sn)).toBe('上架满 7 天的商品才能设置限时价');
  const old = await offered();
  expect(await errorText(old, { price: '99.00' })).toContain('限时价应在 30.00 到 95.00 元之间');
  expect(await errorText(old, { price: '0.5' })).toContain('限时价不能低于');
  expect((await (await t.newUser()).client.call(s.saveTimeSale, { goodsSn: old, ...SALE })).status).toBe(404);
});

test('the crossed-out price is the lowest of thirty days, whatever yesterday’s price', async () => {
  const sn = await offered();
  await sql`update goods set price_fen = 20000, version = version + 1 where sn = ${sn}`.execute(t.ctx.db);
  const { own } = await seller.client.ok(s.timeSaleInfo, { goodsSn: sn });
  expect(own).toMatchObject({ reference: '100.00', maxPrice: '95.00', closed: null });
  await seller.client.ok(s.saveTimeSale, { goodsSn: sn, ...SALE });
  const { sale } = await t.client().ok(s.timeSaleInfo, { goodsSn: sn });
  expect(sale).toMatchObject({ price: '80.00', was: '100.00', allInPrice: '80.80', offPercent: 20, state: 'open' });
});

test('a sale price applies while the sale is open, and no longer after a change or its end', async () => {
  const sn = await offered();
  const buyer = await t.newUser();
  const code = async (price = '80.00') => (await buyer.client.call(s.placeTimePurchase, { goodsSn: sn, price })).code;
  expect(await code()).toBe(codes.GOODS_CHANGED[0]);
  await seller.client.ok(s.saveTimeSale, { goodsSn: sn, ...SALE, startHour: 1 });
  expect((await t.client().ok(s.timeSaleInfo, { goodsSn: sn })).sale?.state).toBe('coming');
  expect(await code()).toBe(codes.GOODS_CHANGED[0]);
  await seller.client.ok(s.saveTimeSale, { goodsSn: sn, ...SALE });
  expect(await code('70.00')).toBe(codes.GOODS_CHANGED[0]);
  await sql`update goods set version = version + 1 where sn = ${sn}`.execute(t.ctx.db);
  expect(await code()).toBe(codes.GOODS_CHANGED[0]);
  await seller.client.ok(s.saveTimeSale, { goodsSn: sn, ...SALE });
  const placed = await buyer.client.ok(s.placeTimePurchase, { goodsSn: sn, price: '80.00' });
  expect(placed.totalPrice).toBe('80.80');
  await buyer.client.ok(o.cancelOrder, { orderId: placed.orderId });
  expect((await t.client().ok(s.timeSaleInfo, { goodsSn: sn })).sale).toMatchObject({ leftNum: 1, state: 'open' });
  await seller.client.ok(s.saveTimeSale, { goodsSn: sn, act: 'stop' });
  expect(await code()).toBe(codes.GOODS_CHANGED[0]);
});

test('60 concurrent buyers: as many succeed as the sale has, for listings with stock and for a single one', async () => {
  const many = await offered({ typeId: 27, stock: 50 });
  await seller.client.ok(s.saveTimeSale, { goodsSn: many, ...SALE, num: 7 });
  const one = await offered();
  await seller.client.ok(s.saveTimeSale, { goodsSn: one, ...SALE });
  const buyers = await Promise.all(Array.from({ length: 60 }, async () => await t.newUser()));
  for (const [goodsSn, wins] of [
    [many, 7],
    [one, 1],
  ] as const) {
    const responses = await Promise.all(
      buyers.map(async (b) => await b.client.call(s.placeTimePurchase, { goodsSn, price: '80.00' })),
    );
    expect(responses.filter((a) => a.code === 0)).toHaveLength(wins);
    expect(responses.every((a) => a.code === 0 || a.status === 409)).toBe(true);
  }
});
