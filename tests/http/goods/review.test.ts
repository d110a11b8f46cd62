import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { reviewGoods } from '#subjects/goods/contract/staff-review.ts';
import * as c from '#subjects/goods/contract/goods.ts';
import { findDiscount } from '#subjects/orders/contract/discount.ts';
import { lookBargaGoodsList } from '#subjects/offers/contract/offers.ts';
import { placeOrder, quoteOrder } from '#subjects/orders/contract/order.ts';
import { timeSaleInfo } from '#subjects/time-sale/contract/time-sale.ts';
import { AppError } from '#server/kernel/errors.ts';
import { approveGoods, rejectGoods, reviewItem, reviewQueue } from '#subjects/goods/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import {
  accountBody,
  accountOffer,
  coinOffer,
  type OfferFixture,
  offerFixture,
  pictureFile,
  sendPicture,
} from '#tests/support/goods/offers.ts';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  offers = await offerFixture(t);
});
afterAll(async () => await t.close());
// A person may publish sixty times a minute.
beforeEach(async () => {
  seller = await offers.sellerWith(5);
});

const errorOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error.error;
    throw error;
  }
  return 'none';
};

describe('review', () => {
  test('order/quote: nobody but the seller learns the price of a listing that is in review or rejected', async () => {
    const goodsSn = await offers.published(seller);
    const stranger = await t.newUser();
    const shownPrice = '1.00';
    const attempts = async () => [
      await stranger.client.call(quoteOrder, { goodsSn }),
      await stranger.client.call(placeOrder, { goodsSn, shownPrice }),
      await stranger.client.call(findDiscount, { goodsSn }),
      await t.client().call(findDiscount, { goodsSn }),
      await stranger.client.call(timeSaleInfo, { goodsSn }),
      await stranger.client.call(c.goodsInfo, { goodsSn }),
      await stranger.client.call(lookBargaGoodsList, { goodsSn }),
    ];
    const refused = { code: codes.GOODS_NOT_FOUND[0] };
    for (const answer of await attempts()) expect(answer).toMatchObject(refused);
    await rejectGoods(t.ctx, { ...(await offers.decision(goodsSn)), reason: '请补充贵族等级截图' });
    for (const answer of await attempts()) expect(answer).toMatchObject(refused);
    expect((await seller.client.call(quoteOrder, { goodsSn })).code).toBe(codes.GOODS_OWN[0]);
    expect((await seller.client.call(findDiscount, { goodsSn })).code).toBe(0);
    const onSale = await offers.published(seller);
    await approveGoods(t.ctx, await offers.decision(onSale));
    expect((await stranger.client.call(quoteOrder, { goodsSn: onSale })).code).toBe(0);
    await seller.client.ok(c.pushOrPullGoods, { goodsSn: onSale, act: 'pull' });
    expect((await stranger.client.call(quoteOrder, { goodsSn: onSale })).code).toBe(codes.GOODS_NOT_ON_SALE[0]);
  });

  test('goods are rejected with a reason, corrected, submitted again and approved', async () => {
    const goodsSn = await offers.published(seller);
    await rejectGoods(t.ctx, { ...(await offers.decision(goodsSn)), reason: '请补充贵族等级截图' });
    expect(await offers.own(seller, goodsSn)).toMatchObject({
      status: 6,
      statusName: '未通过',
      reviewNote: '请补充贵族等级截图',
    });
    const onSale = await seller.client.call(c.pushOrPullGoods, { goodsSn, act: 'push' });
    expect(onSale.code).toBe(codes.GOODS_STATE[0]);
    const body = accountBody();
    const sent = await seller.client.ok(c.updatetGoods, { goodsSn, ...body });
    expect(sent.status).toBe(1);
    expect(await reviewItem(t.ctx, goodsSn, null)).toMatchObject({ again: false, lastReason: '请补充贵族等级截图' });
    await offers.approve(goodsSn);
    expect(await offers.own(seller, goodsSn)).toMatchObject({ status: 2, reviewNote: null });
    expect(await offers.events(goodsSn)).toEqual(['published', 'rejected', 'edited', 'approved']);
  });

  test('a new seller cannot pass the limit of ten by sending rejected goods again', async () => {
    const newcomer = await t.newUser();
    const rejected = await offers.published(newcomer);
    await rejectGoods(t.ctx, { ...(await offers.decision(rejected)), reason: '图片不清楚' });
    for (let i = 0; i < 10; i++) await offers.published(newcomer);
    const again = await newcomer.client.call(c.updatetGoods, { goodsSn: rejected, ...accountBody() });
    expect(again.code).toBe(codes.GOODS_NEW_SELLER_COUNT[0]);
    expect(await offers.own(newcomer, rejected)).toMatchObject({ status: 6 });
  });

  test('exactly one of many concurrent decisions is applied', async () => {
    const goodsSn = await offers.published(seller);
    const d = await offers.decision(goodsSn);
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        errorOf(i % 2 === 0 ? approveGoods(t.ctx, d) : rejectGoods(t.ctx, { ...d, reason: '图片不清楚' })),
      ),
    );
    expect(results.filter((r) => r === 'none')).toHaveLength(1);
    expect(results.filter((r) => r === 'GOODS_STATE')).toHaveLength(11);
    const { status } = await offers.own(seller, goodsSn);
    expect((await offers.searched(seller)).has(goodsSn)).toBe(status === GoodsStatus.OnSale);
    expect((await offers.events(goodsSn)).filter((k) => k === 'approved' || k === 'rejected')).toHaveLength(1);
  });

  test('an edit during the review prevents approval of the older version', async () => {
    const body = accountBody({ bigTitle: '改过的标题 全英雄' });
    for (let round = 0; round < 6; round++) {
      const goodsSn = await offers.published(seller, { bigTitle: `原来的标题 第${round}次` });
      const d = await offers.decision(goodsSn);
      const [edited, approved] = await Promise.all([
        seller.client.call(c.updatetGoods, { goodsSn, ...body }),
        errorOf(approveGoods(t.ctx, d)),
      ]);
      expect(edited.code).toBe(0);
      expect(['none', 'GOODS_CHANGED']).toContain(approved);
      // Either way the new title has not been published.
      expect(await offers.own(seller, goodsSn)).toMatchObject({ status: 1, bigTitle: '改过的标题 全英雄' });
      expect((await offers.searched(seller)).has(goodsSn)).toBe(false);
    }
  });

  test("a restricted seller's goods are not approved; an operator sees only its own distributor", async () => {
    const banned = await offers.sellerWith(5);
    const goodsSn = await offers.published(banned);
    await sql`update app_user set status = 2 where id = ${banned.id}`.execute(t.ctx.db);
    expect(await errorOf(offers.approve(goodsSn))).toBe('GOODS_STATE');
    expect((await reviewQueue(t.ctx, { distId: 2, limit: 50 })).list).toEqual([]);
    expect(await errorOf(approveGoods(t.ctx, { ...(await offers.decision(goodsSn)), distId: 2 }))).toBe(
      'GOODS_NOT_FOUND',
    );
    await rejectGoods(t.ctx, { ...(await offers.decision(goodsSn)), reason: '账号受限' });
  });

  test('writes of the caller commit or roll back with the decision', async () => {
    const goodsSn = await offers.published(seller);
    const failing = approveGoods(t.ctx, {
      ...(await offers.decision(goodsSn)),
      also: () => Promise.reject(new AppError('BUSY')),
    });
    expect(await errorOf(failing)).toBe('BUSY');
    expect(await offers.own(seller, goodsSn)).toMatchObject({ status: 1 });
    expect((await offers.searched(seller)).has(goodsSn)).toBe(false);
  });

  test('P18: only the reviewer sees the removed text, which the decision deletes', async () => {
    const bait = '加我微信 abc12345 更便宜';
    const goodsSn = await offers.published(seller, { description: `自用号，无封号记录。${bait}。可验号` });
    const item = await reviewItem(t.ctx, goodsSn, null);
    expect(item.description).toBe('自用号，无封号记录。可验号');
    expect(item.findings).toEqual([
      { label: '描述', original: `自用号，无封号记录。${bait}。可验号`, sentences: [bait] },
    ]);
    const staff = await t.newStaff({ role: 'reviewer' });
    const view = await staff.client.ok(reviewGoods, { goodsSn });
    expect(view.findings).toEqual(item.findings);
    expect(view.flags[0]).toEqual({ text: '含联系方式，已删去原句', tone: 'danger' });
    const { rows } = await sql<{ sealed: Buffer }>`select sealed from goods_finding`.execute(t.ctx.db);
    expect(rows.map((r) => r.sealed.toString('utf8')).join('')).not.toContain('abc12345');
    await offers.approve(goodsSn);
    expect((await sql`select from goods_finding`.execute(t.ctx.db)).rows).toEqual([]);
    expect((await t.client().ok(c.goodsInfo, { goodsSn })).description).toBe('自用号，无封号记录。可验号');
  });

  test('a listing named in the address is found beyond the first page; one that is not pending is reported as done', async () => {
    const goodsSn = await offers.published(seller);
    const staff = await t.newStaff({ role: 'reviewer' });
    expect(await staff.client.ok(reviewGoods, { goodsSn })).toMatchObject({ goodsSn });
    await offers.approve(goodsSn);
    for (const gone of [goodsSn, 'YS0000000'])
      expect((await staff.client.call(reviewGoods, { goodsSn: gone })).code).toBe(codes.GOODS_NOT_FOUND[0]);
  });

  test('the queue is paged by cursor, oldest first', async () => {
    for (let i = 0; i < 3; i++) await offers.published(seller);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await reviewQueue(t.ctx, { distId: null, limit: 2, cursor });
      seen.push(...page.list.map((i) => i.goodsSn));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    const { rows } = await sql<{ sn: string }>`select sn from goods where status = 1 order by updated_at, id`.execute(
      t.ctx.db,
    );
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(seen).toEqual(rows.map((r) => r.sn));
  });
});

describe('changes by the seller', () => {
  test('a price change takes effect immediately without review, to the fen', async () => {
    const goodsSn = await offers.onSale(seller, { price: '100.00' });
    const response = await seller.client.ok(c.onlySetupGoodsPrice, { goodsSn, price: '99.01' });
    expect(response).toEqual({ goodsSn, price: '99.01', net: '94.06' });
    expect((await offers.searched(seller)).get(goodsSn)).toBe(10_000);
    expect(await offers.own(seller, goodsSn)).toMatchObject({ status: 2, price: '99.01', net: '94.06' });
    // A buyer who saw the old price gets an error.
    const buyer = await t.newUser();
    const tooLate = await buyer.client.call(placeOrder, { goodsSn, goodsVersion: 1 });
    expect(tooLate.code).toBe(codes.GOODS_CHANGED[0]);
  });

  test('changed texts of a published listing need a review and leave search; changed terms do not', async () => {
    const goodsSn = await offers.onSale(seller);
    const body = accountBody();
    const terms = await seller.client.ok(c.updatetGoods, { goodsSn, ...body, bargainOpen: true, price: '1000' });
    expect(terms.status).toBe(2);
    expect((await offers.searched(seller)).get(goodsSn)).toBe(101_000);
    const message = await seller.client.ok(c.updatetGoods, { goodsSn, ...body, bigTitle: '新的标题 更清楚了' });
    expect(message.status).toBe(1);
    expect((await offers.searched(seller)).has(goodsSn)).toBe(false);
    const before = await sql<{ at: Date }>`select refreshed_at as at from goods where sn = ${goodsSn}`.execute(
      t.ctx.db,
    );
    await offers.approve(goodsSn);
    const after = await sql<{ at: Date }>`select refreshed_at as at from goods where sn = ${goodsSn}`.execute(t.ctx.db);
    // Editing is no way to the front of 'newest'.
    expect(after.rows).toEqual(before.rows);
    expect((await reviewQueue(t.ctx, { distId: null, limit: 50, keyWord: goodsSn })).list).toEqual([]);
  });

  test('pictures can be kept, reordered and removed; the account need not be entered again', async () => {
    const keys = await Promise.all(
      [300, 400, 500].map(async (w) => (await sendPicture(seller.client, await pictureFile('png', w, 300))).data.key),
    );
    const goodsSn = await offers.published(seller, { pictures: JSON.stringify(keys), accountNo: 'kept-account' });
    const mine = await seller.client.ok(c.selfGoods, { goodsSn });
    expect(mine).toMatchObject({ hasAccount: true, pictures: keys.map((key) => ({ key })) });
    const body = accountBody();
    await seller.client.ok(c.updatetGoods, { goodsSn, ...body, pictures: JSON.stringify([keys[2], keys[0]]) });
    expect((await seller.client.ok(c.selfGoods, { goodsSn })).pictures.map((p) => p.key)).toEqual([keys[2], keys[0]]);
    const claimed = await seller.client.call(c.releaseGoods, accountOffer({ accountNo: 'KEPT-account' }));
    expect(claimed.code).toBe(codes.GOODS_DUPLICATE[0]);
    // Another server makes no other account.
    await seller.client.ok(c.updatetGoods, { goodsSn, ...body, serverId: 201002 });
    const elsewhere = accountOffer({ accountNo: 'kept-account', serverId: 201001 });
    expect((await seller.client.call(c.releaseGoods, elsewhere)).code).toBe(codes.GOODS_DUPLICATE[0]);
  });

  test('generated pictures of the demo market keep their position', async () => {
    const goodsSn = await offers.published(seller);
    await sql`update goods set pictures = '[{"art": 7}, {"art": 8}]' where sn = ${goodsSn}`.execute(t.ctx.db);
    const mine = await seller.client.ok(c.selfGoods, { goodsSn });
    expect(mine.pictures.map((p) => p.key)).toEqual(['art-0', 'art-1']);
    const body = accountBody();
    await seller.client.ok(c.updatetGoods, { goodsSn, ...body, pictures: '["art-1"]' });
    const { rows } = await sql<{ pictures: unknown }>`select pictures from goods where sn = ${goodsSn}`.execute(
      t.ctx.db,
    );
    expect(rows[0]?.pictures).toEqual([{ art: 8 }]);
    const none = await seller.client.call(c.updatetGoods, { goodsSn, ...body, pictures: '["art-5"]' });
    expect(none.code).toBe(codes.PICTURE_BROKEN[0]);
  });

  test('taking off sale, putting on sale and removing are idempotent', async () => {
    const goodsSn = await offers.onSale(seller);
    const move = async (act: 'push' | 'pull' | 'remove') =>
      await seller.client.call(c.pushOrPullGoods, { goodsSn, act });
    for (const act of ['pull', 'pull'] as const) expect((await move(act)).data.status).toBe(3);
    expect((await offers.searched(seller)).has(goodsSn)).toBe(false);
    for (const act of ['push', 'push'] as const) expect((await move(act)).data.status).toBe(2);
    expect((await offers.searched(seller)).has(goodsSn)).toBe(true);
    for (const act of ['remove', 'remove'] as const) expect((await move(act)).data.status).toBe(8);
    expect((await offers.searched(seller)).has(goodsSn)).toBe(false);
    expect((await move('push')).code).toBe(codes.GOODS_NOT_FOUND[0]);
    expect((await seller.client.call(c.selfGoods, { goodsSn })).code).toBe(codes.GOODS_NOT_FOUND[0]);
    expect((await seller.client.ok(c.selfPublishGoodsList, { keyWord: goodsSn })).list).toEqual([]);
  });

  test('refreshing moves to the front of newest once an hour', async () => {
    const goodsSn = await offers.onSale(seller);
    const soon = await seller.client.call(c.userUpdateGoodsTime, { goodsSn });
    expect(soon).toMatchObject({ status: 429, code: codes.RATE_LIMITED[0] });
    expect(Number(soon.headers['retry-after'])).toBeGreaterThan(0);
    await passTime(t.ctx.db, 'goods', { sn: goodsSn }, { minutes: 61 });
    await seller.client.ok(c.userUpdateGoodsTime, { goodsSn });
    const { rows } = await sql<{ same: boolean }>`
      select s.refreshed_at = g.refreshed_at and g.refreshed_at > now() - interval '1 minute' as same
      from goods g join goods_search s on s.goods_id = g.id where g.sn = ${goodsSn}`.execute(t.ctx.db);
    expect(rows).toEqual([{ same: true }]);
  });

  test('coin has a stock and no guarantee', async () => {
    const { goodsSn } = await seller.client.ok(c.releaseGoods, coinOffer({ ensureOpen: true }));
    await offers.approve(goodsSn);
    const mine = await seller.client.ok(c.selfGoods, { goodsSn });
    expect(mine).toMatchObject({ stock: 10, ensureOpen: false, hasAccount: false });
  });

  test('taking off sale during an order: the goods are sold or off sale, never both', async () => {
    for (let round = 0; round < 6; round++) {
      const goodsSn = await offers.onSale(seller);
      const buyer = await t.newUser();
      const [pulled, ordered] = await Promise.all([
        seller.client.call(c.pushOrPullGoods, { goodsSn, act: 'pull' }),
        buyer.client.call(placeOrder, { goodsSn }),
      ]);
      expect([pulled.code, ordered.code].filter((code) => code === 0)).toHaveLength(1);
      expect(await offers.own(seller, goodsSn)).toMatchObject({ status: pulled.code === 0 ? 3 : 4 });
      expect((await offers.searched(seller)).has(goodsSn)).toBe(false);
      if (ordered.code === 0) {
        const body = accountBody();
        for (const rejected of [
          await seller.client.call(c.updatetGoods, { goodsSn, ...body }),
          await seller.client.call(c.onlySetupGoodsPrice, { goodsSn, price: '1' }),
          await seller.client.call(c.pushOrPullGoods, { goodsSn, act: 'remove' }),
        ])
          expect(rejected).toMatchObject({ code: codes.GOODS_STATE[0], msg: '商品已被买家下单，订单结束前不能操作' });
      }
    }
  });

  test('an edit during an order: no order is for a text that was not on sale', async () => {
    for (let round = 0; round < 6; round++) {
      const goodsSn = await offers.onSale(seller);
      const buyer = await t.newUser();
      const body = accountBody({ bigTitle: '另一个标题 没看过' });
      const [edited, ordered] = await Promise.all([
        seller.client.call(c.updatetGoods, { goodsSn, ...body }),
        buyer.client.call(placeOrder, { goodsSn }),
      ]);
      expect([edited.code, ordered.code].filter((code) => code === 0)).toHaveLength(1);
    }
  });
});

describe('other users', () => {
  test('goods of another user are not found and stay unchanged', async () => {
    const goodsSn = await offers.onSale(seller);
    const other = await offers.sellerWith(5);
    const body = accountBody();
    const before = await sql`select * from goods where sn = ${goodsSn}`.execute(t.ctx.db);
    const tries = [
      await other.client.call(c.selfGoods, { goodsSn }),
      await other.client.call(c.updatetGoods, { goodsSn, ...body }),
      await other.client.call(c.onlySetupGoodsPrice, { goodsSn, price: '1' }),
      await other.client.call(c.pushOrPullGoods, { goodsSn, act: 'pull' }),
      await other.client.call(c.pushOrPullGoods, { goodsSn, act: 'remove' }),
      await other.client.call(c.userUpdateGoodsTime, { goodsSn }),
    ];
    const missing = await other.client.call(c.selfGoods, { goodsSn: 'YS9999999' });
    for (const result of tries)
      expect([result.status, result.code, result.msg]).toEqual([missing.status, missing.code, missing.msg]);
    expect((await sql`select * from goods where sn = ${goodsSn}`.execute(t.ctx.db)).rows).toEqual(before.rows);
    expect((await other.client.ok(c.selfPublishGoodsList, { keyWord: goodsSn })).list).toEqual([]);
  });

  test('own goods are counted by state and paged by cursor or number', async () => {
    const user = await offers.sellerWith(5);
    const sns: string[] = [];
    for (let i = 0; i < 5; i++) sns.unshift(await offers.published(user));
    await offers.approve(sns[0] ?? '');
    const first = await user.client.ok(c.selfPublishGoodsList, { pageSize: 2 });
    expect(first).toMatchObject({ counts: { all: 5, '1': 4, '2': 1 }, total: 5 });
    const second = await user.client.ok(c.selfPublishGoodsList, { pageSize: 2, cursor: first.next ?? '' });
    const byPage = await user.client.ok(c.selfPublishGoodsList, { pageSize: 2, pages: 2 });
    expect(second.list).toEqual(byPage.list);
    const third = await user.client.ok(c.selfPublishGoodsList, { pageSize: 2, cursor: second.next ?? '' });
    expect(third.next).toBeNull();
    expect([first, second, third].flatMap((p) => p.list.map((g) => g.goodsSn))).toEqual(sns);
    expect((await user.client.ok(c.selfPublishGoodsList, { status: 2 })).list.map((g) => g.goodsSn)).toEqual([sns[0]]);
    expect((await user.client.ok(c.selfPublishGoodsList, { keyWord: '%' })).list).toEqual([]);
  });
});
