import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import {
  couponCampaignList,
  distributeUserCoupon,
  lotteryInfo,
  userCouponList,
} from '#subjects/promotions/contract/coupon.ts';
import { findDiscount } from '#subjects/orders/contract/discount.ts';
import {
  cancelOrder,
  confirmRecGoods,
  offlineTranSub,
  placeOrder,
  quoteOrder,
} from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { forgetUnpaidEnds } from '#tests/support/orders/orders.ts';
import { sizeOf } from '#tests/sizes.ts';

let t: TestApp;
/** Results of the next lottery draws; later ones are random. */
const rolls: number[] = [];
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ overrides: { roll: (sides) => rolls.shift() ?? randomInt(sides) } });
  await addGame(t.ctx);
  seller = await t.newUser();
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

async function received(user: TestUser, code: string): Promise<number> {
  const { coupon } = await user.client.ok(distributeUserCoupon, { code });
  return coupon?.couponId ?? 0;
}

async function postingsOf(orderId: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ code: string; fen: number }>`
    select code, amount_fen as fen from ledger_transfer where order_id = ${orderId}`.execute(t.ctx.db);
  return Object.fromEntries(rows.map((r) => [r.code, r.fen]));
}

const stateOf = async (user: TestUser) =>
  (await user.client.ok(userCouponList, {})).list.map((c) => [c.status, c.orderSn]);

describe('receiving', () => {
  test('concurrent users get exactly what is in stock, which ends at zero', async () => {
    await addCampaign(t.ctx, { code: 'STOCK', stock: 20 });
    const users = await Promise.all(Array.from({ length: sizeOf('raceCallers') }, () => t.newUser()));
    const responses = await Promise.all(users.map((u) => u.client.call(distributeUserCoupon, { code: 'STOCK' })));
    expect(responses.filter((a) => a.code === 0)).toHaveLength(20);
    expect(new Set(responses.filter((a) => a.code !== 0).map((a) => a.code))).toEqual(new Set([codes.COUPON_GONE[0]]));
    const { rows } = await sql<{ stock: number; n: number }>`
      select stock, (select count(*) from coupon c where c.campaign_id = k.id) as n from coupon_campaign k where code = 'STOCK'`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([{ stock: 0, n: 20 }]);
  });

  test('one user gets one, also concurrently; the same key returns the same coupon', async () => {
    await addCampaign(t.ctx, { code: 'ONCE' });
    const user = await t.newUser();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => user.client.call(distributeUserCoupon, { code: 'ONCE' })),
    );
    expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
    expect(new Set(responses.filter((a) => a.code !== 0).map((a) => a.code))).toEqual(new Set([codes.COUPON_TAKEN[0]]));
    const other = await t.newUser();
    const again = await Promise.all(
      Array.from({ length: 5 }, () =>
        other.client.call(distributeUserCoupon, { code: 'ONCE' }, { idempotencyKey: 'c-1' }),
      ),
    );
    const done = again.filter((a) => a.code === 0).map((a) => a.data.coupon?.couponId);
    expect(new Set(done).size).toBe(1);
    const retry = await other.client.ok(distributeUserCoupon, { code: 'ONCE' }, { idempotencyKey: 'c-1' });
    expect(retry.coupon?.couponId).toBe(done[0]);
    const { list } = await user.client.ok(couponCampaignList, {});
    expect(list.find((k) => k.code === 'ONCE')).toMatchObject({ left: 98, received: true, kindName: '商品券' });
    expect((await t.client().ok(couponCampaignList, {})).list.find((k) => k.code === 'ONCE')?.received).toBe(false);
  });

  test('is rejected for unverified users, minors, unknown codes, other sites and lottery prizes', async () => {
    await addCampaign(t.ctx, { code: 'PRIZE0', oddsBp: 1 });
    await sql`insert into distributor (code, name) values ('elsewhere', '别处')`.execute(t.ctx.db);
    const { rows } = await sql<{ id: number }>`select id from distributor where code = 'elsewhere'`.execute(t.ctx.db);
    await addCampaign(t.ctx, { code: 'ELSEWHERE', distId: rows[0]?.id ?? 0 });
    const codesOf = async (user: TestUser, code: string) =>
      (await user.client.call(distributeUserCoupon, { code })).code;
    const adult = await t.newUser();
    expect(await codesOf(await t.newUser({ verified: false }), 'ONCE')).toBe(codes.REAL_NAME_REQUIRED[0]);
    expect(await codesOf(await t.newUser({ birthDate: '20150101' }), 'ONCE')).toBe(codes.REAL_NAME_MINOR[0]);
    for (const code of ['NOSUCH', 'ELSEWHERE', 'PRIZE0']) expect(await codesOf(adult, code)).toBe(codes.COUPON_GONE[0]);
    await sql`update coupon_campaign set status = 2 where code = 'PRIZE0'`.execute(t.ctx.db);
  });
});

describe('using', () => {
  test("each kind discounts its own part at the platform's cost; the seller's income is unchanged", async () => {
    await addCampaign(t.ctx, { code: 'G', kind: 'goods', amountFen: 1_000, minimumFen: 10_000 });
    await addCampaign(t.ctx, { code: 'S', kind: 'service', amountFen: 500 });
    await addCampaign(t.ctx, { code: 'E', kind: 'guarantee', amountFen: 300 });
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const ids = { G: await received(buyer, 'G'), S: await received(buyer, 'S'), E: await received(buyer, 'E') };
    const expected = {
      G: { fix: 0, total: 9_100, coupon: 1_000 },
      // The fee is 1.00, so a coupon of 5.00 takes 1.00.
      S: { fix: 0, total: 10_000, coupon: 100 },
      E: { fix: 11, total: 10_800, coupon: 300 },
    };
    for (const code of ['G', 'S', 'E'] as const) {
      const goods = await addGoods(t.ctx, { sellerId: seller.id });
      const { fix, total, coupon } = expected[code];
      const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn, couponId: ids[code], fixEnsureId: fix });
      expect(order.totalPrice).toBe((total / 100).toFixed(2));
      await buyer.client.ok(balancePay, { orderId: order.orderId });
      expect(await postingsOf(order.orderId)).toEqual({ order_pay: total, order_coupon: coupon });
      await seller.client.ok(offlineTranSub, { orderId: order.orderId });
      await buyer.client.ok(confirmRecGoods, { orderId: order.orderId });
      expect(await postingsOf(order.orderId)).toMatchObject({ sale_proceeds: 9_500, service_fee: 100 });
    }
    expect(await stateOf(buyer)).toHaveLength(3);
    expect((await buyer.client.ok(userCouponList, { status: 2 })).counts).toEqual({ '1': 0, '2': 3, '3': 0 });
  });

  test('one coupon on ten concurrent orders discounts one', async () => {
    await addCampaign(t.ctx, { code: 'RACE' });
    const buyer = await t.newUser({ balanceFen: 500_000 });
    const couponId = await received(buyer, 'RACE');
    const goods = await Promise.all(Array.from({ length: 10 }, () => addGoods(t.ctx, { sellerId: seller.id })));
    const responses = await Promise.all(goods.map((g) => buyer.client.call(placeOrder, { goodsSn: g.sn, couponId })));
    expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
    for (const a of responses.filter((b) => b.code !== 0))
      expect([a.code, a.msg]).toEqual([codes.COUPON_UNUSABLE[0], codes.COUPON_UNUSABLE[2]]);
    // Listings of rejected orders are still on sale.
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from goods where sn = any(${goods.map((g) => g.sn)}) and status = 2`.execute(t.ctx.db);
    expect(rows[0]?.n).toBe(9);
  });

  test('a coupon returns after an unpaid end or a refund, and its money to the platform', async () => {
    await addCampaign(t.ctx, { code: 'BACK' });
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const couponId = await received(buyer, 'BACK');
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    const first = await buyer.client.ok(placeOrder, { goodsSn: goods.sn, couponId });
    expect(await stateOf(buyer)).toEqual([[2, first.orderSn]]);
    await buyer.client.ok(cancelOrder, { orderId: first.orderId });
    expect(await stateOf(buyer)).toEqual([[1, null]]);
    await forgetUnpaidEnds(t, buyer.id);
    const second = await buyer.client.ok(placeOrder, { goodsSn: goods.sn, couponId });
    await buyer.client.ok(balancePay, { orderId: second.orderId });
    await seller.client.ok(cancelOrder, { orderId: second.orderId });
    expect(await stateOf(buyer)).toEqual([[1, null]]);
    expect(await postingsOf(second.orderId)).toEqual({
      order_pay: 9_100,
      order_coupon: 1_000,
      order_refund: 9_100,
      order_refund_coupon: 1_000,
    });
    const { rows } = await sql<{ fen: number }>`
      select coalesce(sum(e.delta), 0)::bigint as fen from ledger_entry e join ledger_transfer x on x.id = e.transfer_id
      where e.account like 'platform:coupon_expense:%' and x.order_id = ${second.orderId}`.execute(t.ctx.db);
    expect(rows).toEqual([{ fen: 0 }]);
  });

  test('a quote says why a coupon does not apply; coupons of others, used and expired ones are rejected', async () => {
    await addCampaign(t.ctx, { code: 'HIGH', minimumFen: 20_000 });
    await addCampaign(t.ctx, { code: 'COVER', kind: 'guarantee' });
    const [buyer, other] = [await t.newUser({ balanceFen: 100_000 }), await t.newUser()];
    const [high, cover] = [await received(buyer, 'HIGH'), await received(buyer, 'COVER')];
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    const quoted = async (user: TestUser, couponId: number) =>
      await user.client.call(quoteOrder, { goodsSn: goods.sn, couponId });
    expect((await quoted(buyer, high)).msg).toContain('满 200.00 元可用');
    expect((await quoted(buyer, cover)).msg).toContain('选择包赔后可用');
    expect(await quoted(other, high)).toMatchObject({ code: codes.COUPON_UNUSABLE[0], status: 409 });
    const matches = await buyer.client.ok(quoteOrder, { goodsSn: goods.sn, couponId: cover, fixEnsureId: 11 });
    expect(matches.lines.at(-1)).toEqual({
      code: 'coupon',
      label: '包赔券 · 活动 COVER',
      amount: '-10.00',
      rule: '抵扣包赔费，最多抵到零',
    });
    await passTime(t.ctx.db, 'coupon', { id: cover }, { until: 'expires_at' });
    expect((await quoted(buyer, cover)).code).toBe(codes.COUPON_UNUSABLE[0]);
    expect((await buyer.client.ok(userCouponList, { status: 3 })).list.map((c) => c.statusName)).toEqual(['已过期']);
  });

  test('the goods page lists applicable coupons: own ones first, best first, none preselected', async () => {
    await addCampaign(t.ctx, { code: 'SMALL', amountFen: 200 });
    await addCampaign(t.ctx, { code: 'LARGE', amountFen: 900 });
    const buyer = await t.newUser();
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    const [small, large] = [await received(buyer, 'SMALL'), await received(buyer, 'LARGE')];
    const mine = await buyer.client.ok(findDiscount, { goodsSn: goods.sn });
    expect(mine).toMatchObject({ allInPrice: '101.00', bestPrice: '92.00', bestCouponId: large });
    expect(mine.list.slice(0, 2).map((c) => [c.couponId, c.takes, c.usable])).toEqual([
      [large, '9.00', true],
      [small, '2.00', true],
    ]);
    const visitor = await t.client().ok(findDiscount, { goodsSn: goods.sn });
    expect(visitor.bestCouponId).toBeNull();
    expect(visitor.list.every((c) => c.couponId === null && !c.received)).toBe(true);
    expect(visitor.list.find((c) => c.code === 'HIGH')).toMatchObject({ usable: false, takes: '0.00' });
  });
});

describe('the lottery', () => {
  beforeAll(async () => {
    await addCampaign(t.ctx, { code: 'L-COMMON', oddsBp: 4_000, stock: 1_000, perPerson: 99, amountFen: 100 });
    await addCampaign(t.ctx, { code: 'L-RARE', oddsBp: 1_000, stock: 3, perPerson: 99, amountFen: 8_800 });
  });

  test('publishes odds that add up to 100 and gives each roll its prize, never beyond the stock', async () => {
    const { prizes, open, drawsLeft } = await t.client().ok(lotteryInfo, {});
    expect([open, drawsLeft]).toEqual([true, null]);
    expect(prizes.map((p) => p.oddsPercent)).toEqual([40, 10, 50]);
    // Both ends of each stretch; the rare prize has three pieces, and its share is nobody's after that.
    const outcomes = [
      [0, 0],
      [3_999, 0],
      [4_000, 1],
      [4_999, 1],
      [5_000, 2],
      [9_999, 2],
    ] as const;
    const draws: { roll: number; prizeIndex: number | null }[] = [];
    for (const [roll] of outcomes) {
      rolls.push(roll);
      const user = await t.newUser();
      const { prizeIndex, won, coupon } = await user.client.ok(distributeUserCoupon, { act: 'draw' });
      draws.push({ roll, prizeIndex });
      expect([won, coupon !== null]).toEqual([prizeIndex !== 2, prizeIndex !== 2]);
    }
    expect(draws).toEqual(outcomes.map(([roll, prizeIndex]) => ({ roll, prizeIndex })));
    // Twelve together roll the last piece of the rare prize.
    const crowd = await Promise.all(Array.from({ length: 12 }, () => t.newUser()));
    rolls.push(...crowd.map(() => 4_500));
    const last = await Promise.all(crowd.map((user) => user.client.ok(distributeUserCoupon, { act: 'draw' })));
    expect(last.map((draw) => draw.prizeIndex ?? -1).toSorted((a, b) => a - b)).toEqual([
      1,
      ...Array<number>(11).fill(2),
    ]);
    expect(rolls).toEqual([]);
    const after = await t.client().ok(lotteryInfo, {});
    expect(after.prizes.map((p) => [p.oddsPercent, p.left])).toEqual([
      [40, 998],
      [0, 0],
      [60, null],
    ]);
    expect(after.winners[0]?.nickName).toMatch(/^.\*\*$/u);
    const { rows } = await sql<{ roll: number }>`select roll from lottery_draw order by id limit 6`.execute(t.ctx.db);
    expect(rows.map(({ roll }) => roll)).toEqual(outcomes.map(([roll]) => roll));
  });

  test('limits draws per day, also concurrently; a retry does not draw again', async () => {
    const user = await t.newUser();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => user.client.call(distributeUserCoupon, { act: 'draw' })),
    );
    expect(responses.filter((a) => a.code === 0)).toHaveLength(3);
    expect(new Set(responses.filter((a) => a.code !== 0).map((a) => a.code))).toEqual(
      new Set([codes.LOTTERY_NO_DRAWS[0]]),
    );
    expect((await user.client.ok(lotteryInfo, {})).drawsLeft).toBe(0);
    const other = await t.newUser();
    const key = { idempotencyKey: 'draw-1' };
    const first = await other.client.ok(distributeUserCoupon, { act: 'draw' }, key);
    expect(await other.client.ok(distributeUserCoupon, { act: 'draw' }, key)).toEqual(first);
    expect((await other.client.ok(lotteryInfo, {})).drawsLeft).toBe(2);
    const stranger = await t.newUser({ verified: false });
    expect((await stranger.client.call(distributeUserCoupon, { act: 'draw' })).code).toBe(codes.REAL_NAME_REQUIRED[0]);
  });

  test('is closed without prizes', async () => {
    await sql`update coupon_campaign set status = 2 where odds_bp is not null`.execute(t.ctx.db);
    expect(await t.client().ok(lotteryInfo, {})).toMatchObject({ open: false, endTime: null });
    const user = await t.newUser();
    expect((await user.client.call(distributeUserCoupon, { act: 'draw' })).code).toBe(codes.LOTTERY_CLOSED[0]);
  });
});

describe('P19: coupons between related accounts', () => {
  test('are rejected with a seller of the same browser, with a neutral message; accepted with others', async () => {
    await addCampaign(t.ctx, { code: 'TWIN' });
    const [twin, stranger] = [await t.newUser(), await t.newUser()];
    const buyer = await t.newUser({ balanceFen: 100_000 });
    const browser = Buffer.from(`browser-${buyer.id}`);
    for (const { id } of [buyer, twin])
      await sql`insert into user_browser (user_id, browser_hash) values (${id}, ${browser})`.execute(t.ctx.db);
    const couponId = await received(buyer, 'TWIN');
    const [linked, other] = [
      await addGoods(t.ctx, { sellerId: twin.id }),
      await addGoods(t.ctx, { sellerId: stranger.id }),
    ];
    const message = '优惠券不适用于这位卖家的商品，可以不使用优惠券下单';
    for (const endpoint of [quoteOrder, placeOrder])
      expect(await buyer.client.call(endpoint, { goodsSn: linked.sn, couponId })).toMatchObject({
        code: codes.COUPON_UNUSABLE[0],
        msg: message,
      });
    const offered = await buyer.client.ok(findDiscount, { goodsSn: linked.sn });
    expect(offered.bestCouponId).toBeNull();
    expect(offered.list.find((c) => c.couponId === couponId)).toMatchObject({ usable: false, reason: message });
    expect((await buyer.client.call(quoteOrder, { goodsSn: linked.sn })).code).toBe(0);
    expect((await buyer.client.call(quoteOrder, { goodsSn: other.sn, couponId })).code).toBe(0);
  });

  test('a user who closed an account does not count as new with another', async () => {
    await addCampaign(t.ctx, { code: 'AGAIN' });
    const first = await t.newUser();
    await received(first, 'AGAIN');
    const second = await t.newUser();
    // The same identity number, as the erased account leaves its keyed hash.
    await sql`insert into former_person (user_id, id_hash) select ${first.id}, id_hash from real_name where user_id = ${second.id}`.execute(
      t.ctx.db,
    );
    expect((await second.client.call(distributeUserCoupon, { code: 'AGAIN' })).code).toBe(codes.COUPON_TAKEN[0]);
    expect((await second.client.ok(couponCampaignList, {})).list.find((k) => k.code === 'AGAIN')?.received).toBe(true);
    expect(await received(await t.newUser(), 'AGAIN')).toBeGreaterThan(0);
  });
});
