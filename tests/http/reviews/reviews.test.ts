/** Reviews: written after a trade, read by everybody, answered once, reported and decided; and what cheating with them gains: nothing. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffReviewReports, decideReviewReport } from '#subjects/reviews/contract/staff-reviews.ts';
import * as staffDisputes from '#subjects/disputes/contract/staff-disputes.ts';
import { noticeList } from '#subjects/notices/contract/inbox.ts';
import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { orderEval } from '#subjects/reviews/contract/order-review.ts';
import { replyReview, orderReviews, reportReview, sellerReviews } from '#subjects/reviews/contract/review.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import type { TestApp, TestUser } from '#tests/support/servers/build.ts';
import { type Court, type Trade, openCourt, ruling } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';

let court: Court;
let t: TestApp;

beforeAll(async () => {
  court = await openCourt();
  t = court.t;
});
afterAll(async () => await t.close());

async function rated(score = 5, content = '发货很快，数量没错。'): Promise<Trade & { reviewId: number }> {
  const d = await court.trade('completed');
  return { ...d, reviewId: await rate(d, score, content) };
}

async function rate(d: Trade, score = 5, content = '发货很快，数量没错。'): Promise<number> {
  await d.buyer.client.ok(orderEval, { orderSn: d.orderSn, score, content, tags: ['发货快', '没有这个标签'] });
  const { list } = await d.buyer.client.ok(orderReviews, { orderSn: d.orderSn });
  return list.find((r) => r.by === 'buyer')?.reviewId ?? 0;
}

const publicOf = (seller: TestUser, more: object = {}, host?: string) =>
  t.client(host === undefined ? {} : { host }).ok(sellerReviews, { sellerId: String(seller.id), ...more });
const scoreOf = async (seller: TestUser) =>
  (
    await sql<{ sum: number; good: number; count: number }>`
      select rating_sum as sum, rating_good as good, rating_count as count from app_user where id = ${seller.id}`.execute(
      t.ctx.db,
    )
  ).rows[0];

/** Rules that so much goes back and carries it out. */
async function ruled(d: Trade, refund: string): Promise<void> {
  const disputeSn = await court.answered(d);
  await court.other.client.ok(staffDisputes.staffDisputeRule, ruling(disputeSn, refund));
  await court.appealTimeOver(disputeSn);
  await t.relay();
}

/** The two have logged in from one browser. */
async function sameBrowser(a: TestUser, b: TestUser): Promise<void> {
  const hash = Buffer.from(`browser-${a.id}-${b.id}`);
  for (const user of [a, b])
    await sql`insert into user_browser (user_id, browser_hash) values (${user.id}, ${hash})`.execute(t.ctx.db);
}

describe('a review', () => {
  test('is shown on the order, the seller’s page and the listing’s figures, with a masked buyer name', async () => {
    const d = await rated(4);
    await t.relay();
    const { seller, goodRate, counts, kinds, list, total } = await publicOf(d.seller);
    expect(seller).toMatchObject({ sellerId: String(d.seller.id), nickName: d.seller.nickName });
    expect([goodRate, counts, total]).toEqual([100, { all: 1, good: 1, fair: 0, bad: 0 }, 1]);
    expect(kinds).toEqual([{ goodsTypeId: 27, name: '道具', count: 1, goodRate: 100 }]);
    const [review] = list;
    expect(review).toMatchObject({
      score: 4,
      level: 'good',
      tags: ['发货快'],
      content: '发货很快，数量没错。',
      answer: null,
    });
    expect(review?.buyer).toMatch(/^.\*\*.$/u);
    expect(JSON.stringify(list)).not.toContain(d.buyer.nickName);
    expect(JSON.stringify(list)).not.toContain(d.orderSn);
    const next = await addGoods(t.ctx, { sellerId: d.seller.id, typeId: 27, priceFen: 500 });
    expect((await t.client().ok(goodsInfo, { goodsSn: next.sn })).seller.goodRate).toBe(100);
    const notices = await d.seller.client.ok(noticeList, {});
    expect(notices.list.map((n) => n.title)).toContain('买家评价了您');
  });

  test('is visible to both parties; the seller’s review of the buyer is not public', async () => {
    const d = await rated();
    await d.seller.client.ok(orderEval, { orderSn: d.orderSn, score: 3, content: '付款很快' });
    const [buyers, sellers] = [
      await d.buyer.client.ok(orderReviews, { orderSn: d.orderSn }),
      await d.seller.client.ok(orderReviews, { orderSn: d.orderSn }),
    ];
    expect(buyers.list.map((r) => [r.by, r.isMine, r.canAnswer])).toEqual([
      ['buyer', true, false],
      ['seller', false, true],
    ]);
    expect(sellers.list.map((r) => [r.by, r.isMine, r.canAnswer])).toEqual([
      ['buyer', false, true],
      ['seller', true, false],
    ]);
    const stranger = await t.newUser();
    expect(await stranger.client.call(orderReviews, { orderSn: d.orderSn })).toMatchObject({ status: 404 });
    expect((await publicOf(d.seller)).total).toBe(1);
    expect((await publicOf(d.buyer)).total).toBe(0);
  });

  test('is stripped of contact data; a text of contact data only is rejected and not stored', async () => {
    const d = await court.trade('completed');
    const bait = { orderSn: d.orderSn, score: 5, content: '加我微信 abc12345 更便宜' };
    expect(await d.buyer.client.call(orderEval, bait)).toMatchObject({
      code: 4000,
      msg: '评价内容只含联系方式，不能提交，请修改后再试',
    });
    expect((await publicOf(d.seller)).total).toBe(0);
    const reviewId = await rate(d, 5, '号没问题。加我微信 abc12345 更便宜。');
    expect((await publicOf(d.seller)).list[0]?.content).toBe('号没问题。');
    const response = { reviewId, content: '联系QQ 1234567890' };
    expect(await d.seller.client.call(replyReview, response)).toMatchObject({ code: 4000 });
    expect((await publicOf(d.seller)).list[0]?.answer).toBeNull();
  });

  test('are listed by page, level, kind and goods, without games that the site does not show', async () => {
    const seller = await t.newUser({ sellerLevel: 3 });
    const people = [await t.newUser(), await t.newUser(), await t.newUser()];
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, priceFen: 100 });
    for (const [i, score] of [5, 3, 1, 5, 4].entries()) {
      const buyer = people[i % 3] as TestUser;
      await sql`with o as (insert into orders (sn, dist_id, type_id, game_id, goods_id, buyer_id, seller_id, status, goods_num, unit_price_fen,
          goods_fen, total_fen, snapshot, fees, completed_at, paid_at)
        values (${`2611220000000${seller.id}${i}`}, 1, ${i === 4 ? 1 : 27}, 1, ${goods.id}, ${buyer.id}, ${seller.id}, 3, 1, 100, 100, 100, '{}', '[]', now(), now())
        returning *)
        insert into order_review (order_id, belong, user_id, target_id, score, dist_id, type_id, game_id, goods_id)
        select id, 1, buyer_id, seller_id, ${score}, 1, type_id, 1, ${i === 3 ? null : goods.id}::bigint from o`.execute(
        t.ctx.db,
      );
    }
    const first = await publicOf(seller, { pageSize: 2 });
    expect(first).toMatchObject({ total: 5, goodRate: 60, counts: { all: 5, good: 3, fair: 1, bad: 1 } });
    const second = await publicOf(seller, { pageSize: 2, cursor: first.next ?? '' });
    const third = await publicOf(seller, { pageSize: 2, cursor: second.next ?? '' });
    expect([...first.list, ...second.list, ...third.list].map((r) => r.score)).toEqual([4, 5, 1, 3, 5]);
    expect(third.next).toBeNull();
    expect((await publicOf(seller, { level: 'bad' })).list.map((r) => r.score)).toEqual([1]);
    expect((await publicOf(seller, { goodsTypeId: 1 })).list.map((r) => r.score)).toEqual([4]);
    expect((await publicOf(seller, { goodsSn: goods.sn })).counts.all).toBe(4);
    await sql`update distributor set games = '{2}', conf = (select conf from distributor where id = 1),
        theme = (select theme from distributor where id = 1) where code = 'moon'`.execute(t.ctx.db);
    await sql`insert into dist_host (host, dist_id) select 'moon.localhost', id from distributor where code = 'moon' on conflict do nothing`.execute(
      t.ctx.db,
    );
    await t.ctx.dir.reload();
    expect((await publicOf(seller, {}, 'moon.localhost')).counts.all).toBe(0);
  });

  test('is not found for an unknown user', async () => {
    expect(await t.client().call(sellerReviews, { sellerId: '999999999' })).toMatchObject({ status: 404 });
  });
});

describe('a reply', () => {
  test('is given once by the other party within thirty days and is public', async () => {
    const d = await rated();
    const stranger = await t.newUser();
    for (const user of [stranger, d.buyer])
      expect(await user.client.call(replyReview, { reviewId: d.reviewId, content: '谢谢' })).toMatchObject({
        status: 404,
      });
    await d.seller.client.ok(replyReview, { reviewId: d.reviewId, content: '谢谢支持' });
    expect((await publicOf(d.seller)).list[0]?.answer?.content).toBe('谢谢支持');
    const again = await d.seller.client.call(replyReview, { reviewId: d.reviewId, content: '再说一句' });
    expect(again.msg).toBe('这条评价已经回复过');
    const old = await rated();
    await passTime(t.ctx.db, 'order_review', { id: old.reviewId }, { days: 31 });
    const tooLate = await old.seller.client.call(replyReview, { reviewId: old.reviewId, content: '谢谢' });
    expect(tooLate.msg).toBe('评价发布超过 30 天，不能再回复');
    expect((await publicOf(old.seller)).list[0]?.answer).toBeNull();
  });

  test('is stored once for two concurrent submissions', async () => {
    const d = await rated();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        d.seller.client.call(replyReview, { reviewId: d.reviewId, content: `谢谢 ${i}` }),
      ),
    );
    expect(results.filter((r) => r.code === 0)).toHaveLength(1);
    expect(results.filter((r) => r.code === 3032)).toHaveLength(7);
  });
});

describe('the score', () => {
  test('ignores reviews between related accounts, also when the relation is found later', async () => {
    const d = await court.trade('completed');
    await sameBrowser(d.buyer, d.seller);
    await rate(d);
    expect(await scoreOf(d.seller)).toEqual({ sum: 0, good: 0, count: 0 });
    expect((await publicOf(d.seller)).total).toBe(0);
    const own = await d.buyer.client.ok(orderReviews, { orderSn: d.orderSn });
    expect(own.list[0]?.note).toContain('不计入好评率');

    const later = await rated();
    expect(await scoreOf(later.seller)).toEqual({ sum: 5, good: 1, count: 1 });
    await sameBrowser(later.buyer, later.seller);
    await passTime(t.ctx.db, 'hold', { user_id: later.seller.id }, { until: 'release_at' });
    await makeDue(t.ctx.db, 'hold.release', later.orderId);
    await t.timers();
    await t.relay();
    expect(await scoreOf(later.seller)).toEqual({ sum: 0, good: 0, count: 0 });
  });

  test('drops the review of an order that a ruling refunded by half or more; such an order cannot be reviewed', async () => {
    const d = await rated();
    expect(await scoreOf(d.seller)).toEqual({ sum: 5, good: 1, count: 1 });
    await ruled(d, '100.00');
    expect(await scoreOf(d.seller)).toEqual({ sum: 0, good: 0, count: 0 });
    expect((await publicOf(d.seller)).total).toBe(0);
    const tooLate = await court.trade('completed');
    await ruled(tooLate, '60.00');
    const { msg } = await tooLate.buyer.client.call(orderEval, { orderSn: tooLate.orderSn, score: 5 });
    expect(msg).toBe('交易已撤销，不能评价');
    expect(await scoreOf(tooLate.seller)).toEqual({ sum: 0, good: 0, count: 0 });
  });

  test('keeps the review of an order of which less than half was refunded', async () => {
    const d = await rated(2);
    await ruled(d, '40.00');
    expect(await scoreOf(d.seller)).toEqual({ sum: 2, good: 0, count: 1 });
    expect((await publicOf(d.seller)).total).toBe(1);
  });
});

const report = (user: TestUser, reviewId: number, part: 'review' | 'answer' = 'review') =>
  user.client.call(reportReview, { reviewId, part, reason: 'abuse', note: '骂人' });

describe('a report', () => {
  test('is pending until staff hide the review with a reason: no longer shown or counted, audited, both parties notified', async () => {
    const d = await rated(1, '态度很差');
    expect((await report(d.buyer, d.reviewId)).msg).toBe('不能举报自己写的内容');
    const visitor = await t.newUser();
    expect((await report(visitor, d.reviewId)).code).toBe(0);
    expect((await report(d.seller, d.reviewId)).code).toBe(0);
    expect((await report(d.seller, d.reviewId)).msg).toBe('您已举报过，处理结果会通知您');
    const reviewer = await t.newStaff({ role: 'reviewer' });
    const { list } = await reviewer.client.ok(staffReviewReports, { orderSn: d.orderSn });
    expect(list).toMatchObject([
      { reviewId: d.reviewId, part: 'review', content: '态度很差', reports: [{ isTarget: false }, { isTarget: true }] },
    ]);
    const decision = { reviewId: d.reviewId, part: 'review', act: 'hide', reason: '含人身攻击' } as const;
    await reviewer.client.ok(decideReviewReport, decision);
    await t.relay();
    expect(await scoreOf(d.seller)).toEqual({ sum: 0, good: 0, count: 0 });
    expect((await publicOf(d.seller)).total).toBe(0);
    expect((await reviewer.client.ok(staffReviewReports, { orderSn: d.orderSn })).list).toEqual([]);
    const [buyerSees, sellerSees] = [
      await d.buyer.client.ok(orderReviews, { orderSn: d.orderSn }),
      await d.seller.client.ok(orderReviews, { orderSn: d.orderSn }),
    ];
    expect(buyerSees.list[0]).toMatchObject({ content: '态度很差', note: '评价已被平台隐藏：含人身攻击' });
    expect(sellerSees.list[0]).toMatchObject({ content: '', canAnswer: false });
    for (const [user, title] of [
      [d.buyer, '您的评价被举报，已隐藏'],
      [visitor, '举报已处理，评价已隐藏'],
      [d.seller, '举报已处理，评价已隐藏'],
    ] as const)
      expect((await user.client.ok(noticeList, {})).list.map((n) => n.title)).toContain(title);
    const { rows } = await sql<{ act: string; detail: object }>`
      select act, detail from audit_log where target = ${`review:${d.reviewId}`}`.execute(t.ctx.db);
    expect(rows).toMatchObject([{ act: 'review.hide', detail: { reason: '含人身攻击', reports: 2 } }]);
    expect((await report(await t.newUser(), d.reviewId)).status).toBe(404);
    // The trade is looked at again later: what is hidden stays out, once.
    await ruled(d, '100.00');
    expect(await scoreOf(d.seller)).toEqual({ sum: 0, good: 0, count: 0 });
  });

  test('hides only the reported reply', async () => {
    const d = await rated(5);
    await d.seller.client.ok(replyReview, { reviewId: d.reviewId, content: '滚' });
    expect((await report(d.buyer, d.reviewId, 'answer')).code).toBe(0);
    const reviewer = await t.newStaff({ role: 'reviewer' });
    await reviewer.client.ok(decideReviewReport, { reviewId: d.reviewId, part: 'answer', act: 'hide', reason: '辱骂' });
    expect((await publicOf(d.seller)).list).toMatchObject([{ score: 5, answer: null }]);
    expect(await scoreOf(d.seller)).toEqual({ sum: 5, good: 1, count: 1 });
  });

  test('is limited to ten a day per user, also concurrently', async () => {
    const trades = [];
    for (let i = 0; i < 4; i++) trades.push(await rated());
    const person = await t.newUser();
    await sql`insert into review_report (review_id, dist_id, part, user_id, reason)
      select id, 1, 'review', ${person.id}, 'other' from order_review r where id not in (${sql.join(trades.map((d) => d.reviewId))}) limit 8`.execute(
      t.ctx.db,
    );
    const results = await Promise.all(trades.map((d) => report(person, d.reviewId)));
    expect(results.filter((r) => r.code === 0)).toHaveLength(2);
    expect(results.filter((r) => r.status === 429)).toHaveLength(2);
  });

  test('during a decision leaves none pending on a hidden review; of two decisions one is stored', async () => {
    for (let round = 0; round < 4; round++) {
      const d = await rated(1, '不好');
      await report(d.seller, d.reviewId);
      const reviewers = [await t.newStaff({ role: 'reviewer' }), await t.newStaff({ role: 'admin' })];
      const visitor = await t.newUser();
      const hide = { reviewId: d.reviewId, part: 'review', act: 'hide', reason: '含人身攻击' } as const;
      const [reported, ...decided] = await Promise.all([
        report(visitor, d.reviewId),
        ...reviewers.map((staff) => staff.client.call(decideReviewReport, hide)),
      ]);
      expect(decided.map((r) => r.code).toSorted((a, b) => a - b)).toEqual([0, 3037]);
      expect([0, 3031]).toContain(reported.code);
      const { rows } = await sql<{
        status: string;
      }>`select status from review_report where review_id = ${d.reviewId}`.execute(t.ctx.db);
      expect(new Set(rows.map((r) => r.status))).toEqual(new Set(['hidden']));
      expect(rows).toHaveLength(reported.code === 0 ? 2 : 1);
      expect(await scoreOf(d.seller)).toEqual({ sum: 0, good: 0, count: 0 });
    }
  });

  test('is decided only by reviewers of the review’s distributor', async () => {
    const d = await rated(1, '不好');
    await report(d.seller, d.reviewId);
    const moon = (await sql<{ id: number }>`select id from distributor where code = 'moon'`.execute(t.ctx.db)).rows[0]
      ?.id;
    const abroad = await t.newStaff({ role: 'reviewer', ...(moon !== undefined && { distId: moon }) });
    expect((await abroad.client.ok(staffReviewReports, {})).list).toEqual([]);
    const decision = { reviewId: d.reviewId, part: 'review', act: 'hide', reason: '含人身攻击' } as const;
    expect((await abroad.client.call(decideReviewReport, decision)).status).toBe(404);
    const service = await t.newStaff({ role: 'service' });
    expect((await service.client.call(decideReviewReport, decision)).status).toBe(403);
    const finance = await t.newStaff({ role: 'finance' });
    expect((await finance.client.call(staffReviewReports, {})).status).toBe(403);
    expect((await publicOf(d.seller)).total).toBe(1);
  });
});
