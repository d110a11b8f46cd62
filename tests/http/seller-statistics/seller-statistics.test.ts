/** Statistics of a seller's own shop: figures that come from what people did, of this seller only. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { goodsUserFollow } from '#subjects/goods/contract/follows.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { askSeller } from '#subjects/questions/contract/question.ts';
import { listingStatistics, shopStatistics } from '#subjects/seller-statistics/contract/seller-statistics.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { accountOffer, type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp();
  offers = await offerFixture(t);
  seller = await offers.sellerWith(5);
});
afterAll(async () => await t.close());

const now = async (who = seller) => {
  const { weeks, ...rest } = await who.client.ok(shopStatistics, {});
  return { ...rest, weeks, week: weeks.at(-1) };
};

test('statistics of a new seller are empty', async () => {
  const fresh = await t.newUser();
  const shop = await now(fresh);
  expect(shop).toMatchObject({ onSale: 0, listed: 0, conversion: null, sellDays: null, isCut: false, unanswered: 0 });
  expect(shop.weeks).toHaveLength(8);
  expect((await fresh.client.ok(listingStatistics, {})).list).toEqual([]);
});

test('count views, follows, questions and orders once each, per listing and per shop', async () => {
  const sn = await offers.onSale(seller);
  const second = await offers.onSale(seller);
  const other = await offers.sellerWith(5);
  const foreign = await offers.onSale(other);
  const buyers = [await t.newUser(), await t.newUser()];
  for (const [i, buyer] of buyers.entries()) {
    await buyer.client.ok(goodsInfo, { goodsSn: sn });
    await buyer.client.ok(goodsInfo, { goodsSn: sn });
    if (i === 0) await buyer.client.ok(goodsInfo, { goodsSn: foreign });
  }
  await Promise.all(buyers.map(async (buyer) => await buyer.client.ok(goodsUserFollow, { goodsSn: sn, status: '1' })));
  await buyers[0]?.client.ok(goodsUserFollow, { goodsSn: second, status: '1' });
  await buyers[0]?.client.ok(goodsUserFollow, { goodsSn: second, status: '0' });
  await buyers[0]?.client.ok(askSeller, { goodsSn: sn, content: '可以二次实名吗？' });
  await buyers[1]?.client.ok(placeOrder, { goodsSn: second });
  // Looks are written in batches.
  await expect.poll(async () => (await now()).week?.views).toBe(2);
  await expect.poll(async () => (await now(other)).week?.views).toBe(1);
  const shop = await now();
  expect(shop.week).toMatchObject({ views: 2, follows: 2, questions: 1, orders: 1, sold: 0, soldMoney: '0.00' });
  expect(shop).toMatchObject({ conversion: 50, unanswered: 1 });
  const { list } = await seller.client.ok(listingStatistics, {});
  expect(list.map(({ goodsSn }) => goodsSn)).toEqual([sn]);
  expect(list[0]).toMatchObject({ views: 2, follows: 2, questions: 1, orders: 0, weeks: [null, null, null, 2] });
  expect(list[0]?.advice[0]).toContain('1 个提问没有回答');
  // Nobody reads another's: the other shop has its own look and nothing else.
  expect((await now(other)).week).toMatchObject({ views: 1, follows: 0, questions: 0, orders: 0 });
});

test('statistics of many listings are paged, each listing once', async () => {
  const many = await offers.sellerWith(5);
  const sns = await Promise.all(Array.from({ length: 5 }, async () => await offers.onSale(many, accountOffer())));
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { list: { goodsSn: string }[]; next: string | null } = await many.client.ok(listingStatistics, {
      pageSize: 2,
      ...(cursor && { cursor }),
    });
    seen.push(...page.list.map(({ goodsSn }) => goodsSn));
    cursor = page.next;
  }
  expect(seen.toSorted()).toEqual(sns.toSorted());
});

test('statistics of listings are deleted after half a year, those of the shop are kept', async () => {
  await sql`insert into goods_week (goods_id, week, views) select id, current_date - 200, 1 from goods where seller_id = ${seller.id} limit 1`.execute(
    t.ctx.db,
  );
  const rule = t.app.effects.retention.find(({ table }) => table === 'goods_week');
  expect(await rule?.sweep(t.ctx.db, 10)).toBe(1);
  expect(await rule?.sweep(t.ctx.db, 10)).toBe(0);
});
