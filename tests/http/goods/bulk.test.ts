/** One action on many goods: each by itself, none twice under a key, only the caller's own. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { bulkGoods, editGoodsList } from '#subjects/goods/contract/goods-bulk.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { coinOffer, type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp();
  offers = await offerFixture(t);
});
afterAll(async () => await t.close());
beforeEach(async () => {
  seller = await offers.sellerWith(5);
});

const price = async (sn: string): Promise<string> => (await offers.own(seller, sn)).price;

test('possible items are done, others return their reason, and other users’ listings are not found', async () => {
  const other = await offers.sellerWith(5);
  const [a, reviewing, foreign] = [
    await offers.onSale(seller),
    await offers.published(seller),
    await offers.onSale(other),
  ];
  const { done, list } = await seller.client.ok(bulkGoods, {
    act: 'pull',
    goodsSnList: [a, reviewing, foreign, a, 'ZZ0000000'],
  });
  expect(done).toBe(1);
  expect(list.map(({ goodsSn, ok, code }) => [goodsSn, ok, code])).toEqual([
    [a, true, 0],
    [reviewing, false, codes.GOODS_STATE[0]],
    [foreign, false, codes.GOODS_NOT_FOUND[0]],
    ['ZZ0000000', false, codes.GOODS_NOT_FOUND[0]],
  ]);
  expect((await offers.searched(seller)).has(a)).toBe(false);
  expect((await offers.searched(other)).has(foreign)).toBe(true);
  expect((await seller.client.ok(bulkGoods, { act: 'push', goodsSnList: [a] })).done).toBe(1);
  expect((await offers.searched(seller)).has(a)).toBe(true);
});

test('prices change by percent, are found immediately, and change once per key', async () => {
  const [a, b] = [await offers.onSale(seller, { price: '1288.00' }), await offers.onSale(seller, { price: '99.99' })];
  const send = () =>
    seller.client.call(bulkGoods, { act: 'price', percent: -10, goodsSnList: [a, b] }, { idempotencyKey: 'ten-off' });
  const [first, second] = await Promise.all([send(), send()]);
  expect(first.data).toEqual(second.data);
  expect((await send()).data).toEqual(first.data);
  expect([await price(a), await price(b)]).toEqual(['1159.20', '89.99']);
  expect((await offers.searched(seller)).get(a)).toBe(117_079);
  expect(await offers.events(a)).toEqual(['published', 'approved', 'price']);
  const changed = { act: 'price' as const, percent: -20, goodsSnList: [a] };
  const { list } = await seller.client.ok(bulkGoods, changed, { idempotencyKey: 'ten-off' });
  expect(list).toMatchObject([{ ok: false, code: codes.IDEMPOTENCY_MISMATCH[0] }]);
  expect(await price(a)).toBe('1159.20');
});

test('an invalid price is rejected for that listing only', async () => {
  const [cheap, dear] = [await offers.onSale(seller, { price: '1.05' }), await offers.onSale(seller, { price: '10' })];
  const { done, list } = await seller.client.ok(bulkGoods, {
    act: 'price',
    percent: -50,
    goodsSnList: [cheap, dear],
  });
  expect(done).toBe(1);
  expect(list[0]?.msg).toMatch(/应在 1\.00 到/);
  expect([await price(cheap), await price(dear)]).toEqual(['1.05', '5.00']);
});

test('a refresh returns the same under its key, and otherwise waits an hour', async () => {
  const sn = await offers.onSale(seller);
  await passTime(t.ctx.db, 'goods', { sn }, { hours: 2 });
  const send = (key: string) =>
    seller.client.ok(bulkGoods, { act: 'refresh', goodsSnList: [sn] }, { idempotencyKey: key });
  expect((await send('one')).done).toBe(1);
  expect((await send('one')).done).toBe(1);
  expect((await send('two')).list[0]).toMatchObject({ ok: false, code: codes.RATE_LIMITED[0] });
});

test.each([
  [{ act: 'price', goodsSnList: ['A1'] }, '请填写调整幅度'],
  [{ act: 'price', percent: '0', goodsSnList: ['A1'] }, '调整幅度应在 -90% 到 100% 之间'],
  [{ act: 'price', percent: '-91', goodsSnList: ['A1'] }, '调整幅度应在 -90% 到 100% 之间'],
  [{ act: 'price', percent: '1.5', goodsSnList: ['A1'] }, '调整幅度应为整数'],
  [{ act: 'push', goodsSnList: [] }, '请选择商品'],
  [{ act: 'push', goodsSnList: Array.from({ length: 51 }, (_, i) => `A${i}`) }, '一次最多 50 件'],
  [{ act: 'steal', goodsSnList: ['A1'] }, '操作不正确'],
])('invalid input is rejected with a message: %j', async (input, message) => {
  const rejected = await seller.client.call(bulkGoods, input as never);
  expect(rejected).toMatchObject({ code: codes.BAD_INPUT[0], msg: message });
});

test('a table is saved row by row: a failed one names its field and keeps the others', async () => {
  const other = await offers.sellerWith(5);
  const [account, coin, foreign] = [
    await offers.onSale(seller),
    await offers.onSale(seller, coinOffer()),
    await offers.onSale(other),
  ];
  const { done, list } = await seller.client.ok(editGoodsList, {
    list: [
      { goodsSn: coin, price: '33.30', stock: 4, act: 'pull' },
      { goodsSn: account, stock: 3 },
      { goodsSn: foreign, price: '2.00' },
    ],
  });
  expect(done).toBe(1);
  expect(list).toMatchObject([
    { ok: true, price: '33.30', stock: 4, status: GoodsStatus.OffSale },
    { ok: false, field: 'stock', stock: 1, status: GoodsStatus.OnSale },
    { ok: false, code: codes.GOODS_NOT_FOUND[0], price: null },
  ]);
  expect(await price(account)).toBe('1288.00');
  expect((await offers.own(other, foreign)).price).toBe('1288.00');
  const titled = await seller.client.ok(editGoodsList, {
    list: [{ goodsSn: account, bigTitle: '换了标题的号 全英雄', price: '1200.00' }],
  });
  expect(titled.list).toMatchObject([{ ok: true, price: '1200.00', status: GoodsStatus.Reviewing }]);
  // The caller's version is out of date: nothing of the row is changed.
  const late = await seller.client.ok(editGoodsList, {
    list: [
      { goodsSn: coin, stock: 9, was: { stock: 7 } },
      { goodsSn: account, bigTitle: '又换了标题的号', price: '1100.00', was: { price: '1288.00' } },
    ],
  });
  expect(late.list).toMatchObject([
    { ok: false, code: codes.GOODS_CHANGED[0], field: 'stock', stock: 4 },
    { ok: false, code: codes.GOODS_CHANGED[0], field: 'price', price: '1200.00' },
  ]);
  const again = { goodsSn: coin, stock: 9, price: '30.00', was: { stock: 4, price: '33.30' } };
  expect((await seller.client.ok(editGoodsList, { list: [again] })).list).toMatchObject([
    { ok: true, stock: 9, price: '30.00' },
  ]);
  const wrong = await seller.client.call(editGoodsList, { list: [{ goodsSn: coin, price: '0.5' }] });
  expect([wrong.code, wrong.field]).toEqual([codes.BAD_INPUT[0], 'list.0.price']);
  expect((await seller.client.call(editGoodsList, { list: [{ goodsSn: coin }] })).code).toBe(codes.BAD_INPUT[0]);
});
