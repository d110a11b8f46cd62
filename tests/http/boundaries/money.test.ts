/** Limits of withdrawals, deposits, coupons, the lottery and offers: in time at the very instant, in counts and amounts at n - 1, n and n + 1. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codes, type ErrorName } from '#contract/codes.ts';
import { distributeUserCoupon, lotteryInfo, userCouponList } from '#subjects/promotions/contract/coupon.ts';
import { bargaining, bargainingList, sellerAgreedBargain } from '#subjects/offers/contract/offers.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { cashAdvance } from '#subjects/payments/contract/pay.ts';
import { BARGAIN_HOURS, BargainStatus } from '#subjects/offers/rules/bargain.ts';
import { yuanText } from '#contract/wire.ts';
import { inTransaction } from '#server/db/client.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { takeForRefund } from '#subjects/deposits/server/service.ts';
import {
  aroundLimit,
  atBoundary,
  nextChinaMidnight,
  nextChinaMonth,
  wholeSecond,
} from '#tests/support/time/boundary.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addCampaign } from '#tests/support/goods/campaigns.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { putSetting } from '#tests/support/market/settings.ts';
import { type StoppedClock, stoppedClock } from '#tests/support/time/stopped-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let t: TestApp;
let clock: StoppedClock;
let from: number;

beforeAll(async () => {
  t = await testApp();
  clock = await stoppedClock(t);
  await addGame(t.ctx);
  from = wholeSecond();
});
beforeEach(async () => await clock.stopAt(from));
afterAll(async () => {
  await clock.run();
  await t.close();
});

const code = (name: ErrorName): number => codes[name][0];

describe('withdrawals', () => {
  const terms = { minFen: 2000, feeFen: 0, dayCount: 3, dayMaxFen: 10_000, secondPersonFen: 1_000_000 };
  beforeAll(async () => {
    await putSetting(t, 'withdraw', terms);
    await putSetting(t, 'payout', { smsFen: 50_000 });
  });

  /** A verified user with money and a bound account, who has just given the pay password. */
  async function saver(usableFrom = Date.now()): Promise<TestUser> {
    const user = await t.newUser({ balanceFen: 200_000 });
    const at = (column: string): string => `payout_account.${column}:${user.id}`;
    const [no, name] = [`u${user.id}@example.com`, user.realName];
    await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc, usable_from)
      values (${user.id}, 'alipay', ${encrypt(t.ctx.keys, at('account_enc'), no)}, ${Buffer.from(no)}, 'u***',
        ${encrypt(t.ctx.keys, at('name_enc'), name)}, ${new Date(usableFrom)})`.execute(t.ctx.db);
    return user;
  }
  const withdraw = async ({ client }: TestUser, fen: number): Promise<number> =>
    (await client.call(cashAdvance, { amount: yuanText(fen) })).code;

  test.each([
    ['midnight', nextChinaMidnight],
    ['the end of a month', nextChinaMonth],
  ])('have a daily limit that starts at midnight in China: at %s', async (_name, next) => {
    const midnight = next(from);
    await clock.stopAt(midnight - 60_000);
    const [early, late] = [await saver(), await saver()];
    for (let n = 1; n <= 3; n++) expect(await withdraw(early, 2000)).toBe(0);
    const answers = [];
    for (const [when, ms] of atBoundary(midnight)) {
      await clock.stopAt(ms);
      answers.push([when, await withdraw(early, 2000)]);
      expect(await withdraw(late, 2000)).toBe(0);
    }
    expect(answers).toEqual([
      ['a second before', code('WITHDRAW_LIMIT')],
      ['at', 0],
      ['a second after', 0],
    ]);
    // Of the three of `late` two belong to the new day.
    expect([await withdraw(late, 2000), await withdraw(late, 2000)]).toEqual([0, code('WITHDRAW_LIMIT')]);
  });

  test('do not get a new daily limit at midnight in UTC', async () => {
    const morning = nextChinaMidnight(from) + 8 * HOUR_MS;
    await clock.stopAt(morning - 60_000);
    const user = await saver();
    for (let n = 1; n <= 3; n++) expect(await withdraw(user, 2000)).toBe(0);
    for (const [, ms] of atBoundary(morning)) {
      await clock.stopAt(ms);
      expect(await withdraw(user, 2000)).toBe(code('WITHDRAW_LIMIT'));
    }
  });

  test('are at least the minimum, at most so many and at most so much a day', async () => {
    const least = await saver();
    const answers = [];
    for (const fen of aroundLimit(terms.minFen)) answers.push(await withdraw(least, fen));
    expect(answers).toEqual([code('PAY_AMOUNT'), 0, 0]);
    expect([await withdraw(least, 2000), await withdraw(least, 2000)]).toEqual([0, code('WITHDRAW_LIMIT')]);
    const most = await saver();
    expect(await withdraw(most, 6000)).toBe(0);
    expect([await withdraw(most, 4001), await withdraw(most, 4000)]).toEqual([code('WITHDRAW_LIMIT'), 0]);
    const less = await saver();
    expect([await withdraw(less, 9999), await withdraw(less, 2000)]).toEqual([0, code('WITHDRAW_LIMIT')]);
  });

  test('need a code from an amount within 24 hours on, and only within them', async () => {
    await putSetting(t, 'payout', { smsFen: 5000 });
    const answers = [];
    for (const fen of aroundLimit(5000)) answers.push(await withdraw(await saver(), fen));
    expect(answers).toEqual([0, code('SMS_REQUIRED'), code('SMS_REQUIRED')]);
    // 24 hours later it is another day for the other limits.
    const user = await saver();
    expect(await withdraw(user, 3000)).toBe(0);
    const later = [];
    for (const [, ms] of atBoundary(from + DAY_MS)) {
      await clock.stopAt(ms);
      await t.fund(user.id, 1);
      later.push(await withdraw(user, 2000));
    }
    expect(later).toEqual([code('SMS_REQUIRED'), 0, 0]);
    await putSetting(t, 'payout', { smsFen: 50_000 });
  });

  test('wait until a changed account can be used', async () => {
    const user = await saver(from + DAY_MS);
    const answers = [];
    for (const [, ms] of atBoundary(from + DAY_MS)) {
      await clock.stopAt(ms);
      await t.fund(user.id, 1);
      answers.push(await withdraw(user, 2000));
    }
    expect(answers).toEqual([code('PAYOUT_WAIT'), 0, 0]);
  });
});

describe('the deposits of a seller pay for a refund', () => {
  const taken = async (paid: Record<string, number>, amountFen: number) => {
    const seller = await t.newUser();
    for (const [role, fen] of Object.entries(paid))
      await sql`insert into deposit_entry (user_id, role, kind, amount_fen, ref, reason)
        values (${seller.id}, ${role}, 1, ${fen}, ${`boundary:${seller.id}:${role}`}, '缴纳保证金')`.execute(t.ctx.db);
    const buyer = await t.newUser({ balanceFen: 50_000 });
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    const order = { id: orderId, sn: orderSn, sellerId: seller.id };
    const fen = await inTransaction(t.ctx.db, async (trx) => await takeForRefund(trx, { order, amountFen }));
    const { rows } = await sql<{ role: string; fen: number }>`
      select role, amount_fen as fen from deposit_entry where user_id = ${seller.id} and kind = 2 order by id`.execute(
      t.ctx.db,
    );
    return [fen, ...rows.map((row) => `${row.role} ${row.fen}`)];
  };

  test('the seller’s role first, another role only with what is missing', async () => {
    const paid = { booster: 4000, seller: 10_000, recycler: 4000 };
    const [below, at, above] = aroundLimit(10_000);
    expect(await taken(paid, below)).toEqual([below, `seller ${below}`]);
    expect(await taken(paid, at)).toEqual([at, `seller ${at}`]);
    const [total, first, ...others] = await taken(paid, above);
    expect([total, first]).toEqual([above, 'seller 10000']);
    expect(others).toHaveLength(1);
    expect(others[0]).toMatch(/^(booster|recycler) 1$/);
  });

  test('up to all of them', async () => {
    const paid = { seller: 1000, companion: 500 };
    for (const fen of aroundLimit(1500))
      expect(await taken(paid, fen)).toEqual([
        Math.min(fen, 1500),
        'seller 1000',
        `companion ${Math.min(fen, 1500) - 1000}`,
      ]);
  });
});

describe('coupons', () => {
  const receive = async ({ client }: TestUser, campaign: string) =>
    await client.call(distributeUserCoupon, { code: campaign });

  test('are received from the beginning of a campaign until its end', async () => {
    await addCampaign(t.ctx, { code: 'B-TIME' });
    const [starts, ends] = [from + HOUR_MS, from + 2 * HOUR_MS];
    await sql`update coupon_campaign set starts_at = ${new Date(starts)}, ends_at = ${new Date(ends)} where code = 'B-TIME'`.execute(
      t.ctx.db,
    );
    const answers = [];
    for (const [, ms] of [...atBoundary(starts), ...atBoundary(ends)]) {
      await clock.stopAt(ms);
      answers.push((await receive(await t.newUser(), 'B-TIME')).code);
    }
    const gone = code('COUPON_GONE');
    expect(answers).toEqual([gone, 0, 0, 0, gone, gone]);
  });

  test('are as many as there are, and for one person as many as one may have', async () => {
    await addCampaign(t.ctx, { code: 'B-STOCK', stock: 3, perPerson: 2 });
    const [first, second, third] = [await t.newUser(), await t.newUser(), await t.newUser()];
    const answers = [];
    for (const user of [first, first, first, second, third]) answers.push((await receive(user, 'B-STOCK')).code);
    expect(answers).toEqual([0, 0, code('COUPON_TAKEN'), 0, code('COUPON_GONE')]);
  });

  test('can be used until they expire', async () => {
    await addCampaign(t.ctx, { code: 'B-USE', perPerson: 9 });
    const seller = await t.newUser();
    const states = [];
    for (const [index] of [0, 1, 2].entries()) {
      await clock.stopAt(from);
      const buyer = await t.newUser({ balanceFen: 50_000 });
      const couponId = (await receive(buyer, 'B-USE')).data.coupon?.couponId ?? 0;
      await sql`update coupon set expires_at = ${new Date(from + HOUR_MS)} where id = ${couponId}`.execute(t.ctx.db);
      await clock.stopAt(atBoundary(from + HOUR_MS)[index as 0][1]);
      const { list } = await buyer.client.ok(userCouponList, { status: 1 });
      const goods = await addGoods(t.ctx, { sellerId: seller.id });
      const placed = await buyer.client.call(placeOrder, { goodsSn: goods.sn, couponId });
      states.push([list.length, placed.code === 0]);
    }
    expect(states).toEqual([
      [1, true],
      [0, false],
      [0, false],
    ]);
  });
});

describe('draws of the lottery', () => {
  test.each([
    ['midnight', nextChinaMidnight],
    ['the end of a month', nextChinaMonth],
  ])('are three a day in China: at %s', async (_name, next) => {
    await putSetting(t, 'lottery', { open: true, drawsPerDay: 3 });
    const midnight = next(from);
    await clock.stopAt(midnight - 60_000);
    await addCampaign(t.ctx, { code: `B-PRIZE-${next.name}`, oddsBp: 1, perPerson: 99 });
    const user = await t.newUser();
    const draw = async () => (await user.client.call(distributeUserCoupon, { act: 'draw' })).code;
    const none = code('LOTTERY_NO_DRAWS');
    expect([await draw(), await draw(), await draw(), await draw()]).toEqual([0, 0, 0, none]);
    const left = [];
    for (const [, ms] of atBoundary(midnight)) {
      await clock.stopAt(ms);
      left.push([(await user.client.ok(lotteryInfo, {})).drawsLeft, await draw()]);
    }
    expect(left).toEqual([
      [0, none],
      [3, 0],
      [2, 0],
    ]);
  });
});

describe('offers', () => {
  async function listed() {
    const seller = await t.newUser();
    const goods = await addGoods(t.ctx, { sellerId: seller.id });
    await sql`update goods set bargain_ok = true where id = ${goods.id}`.execute(t.ctx.db);
    return { seller, goods };
  }
  const offer = async ({ client }: TestUser, goodsSn: string, fen: number) =>
    await client.call(bargaining, { goodsSn, price: yuanText(fen) });
  const statusOf = async ({ client }: TestUser) => (await client.ok(bargainingList, {})).list[0]?.status;

  test('end 24 hours after they are made, and a seller who is late cannot agree before the clock has run either', async () => {
    const limit = from + BARGAIN_HOURS * HOUR_MS;
    const answers = [];
    for (const [, ms] of atBoundary(limit)) {
      await clock.stopAt(from);
      const { seller, goods } = await listed();
      const [agreed, open] = [await t.newUser(), await t.newUser()];
      const { data } = await offer(agreed, goods.sn, 8000);
      await offer(open, goods.sn, 8000);
      await clock.stopAt(ms);
      const { code: answer } = await seller.client.call(sellerAgreedBargain, { bargainId: data.bargainId });
      await t.timers();
      answers.push([answer, await statusOf(open)]);
    }
    const state = code('BARGAIN_STATE');
    expect(answers).toEqual([
      [0, BargainStatus.Pending],
      [state, BargainStatus.Expired],
      [state, BargainStatus.Expired],
    ]);
  });

  test('hold the price for 24 hours once agreed', async () => {
    const limit = from + BARGAIN_HOURS * HOUR_MS;
    const placed = [];
    for (const [, ms] of atBoundary(limit)) {
      await clock.stopAt(from);
      const { seller, goods } = await listed();
      const buyer = await t.newUser({ balanceFen: 50_000 });
      const { data } = await offer(buyer, goods.sn, 8000);
      await seller.client.ok(sellerAgreedBargain, { bargainId: data.bargainId });
      await clock.stopAt(ms);
      const { bargainId } = data;
      placed.push((await buyer.client.call(placeOrder, { goodsSn: goods.sn, bargainId })).code === 0);
    }
    expect(placed).toEqual([true, false, false]);
  });

  test('are between the floor and the price, both exactly', async () => {
    const { goods } = await listed();
    const answers = [];
    for (const fen of [...aroundLimit(5000), ...aroundLimit(10_000)])
      answers.push((await offer(await t.newUser(), goods.sn, fen)).code);
    const wrong = code('BAD_INPUT');
    expect(answers).toEqual([wrong, 0, 0, 0, wrong, wrong]);
  });

  test('are three of a buyer on a listing within seven days', async () => {
    const limit = from - 7 * DAY_MS;
    const answers = [];
    for (const [, ms] of atBoundary(limit)) {
      const { goods } = await listed();
      const buyer = await t.newUser();
      for (let n = 1; n <= 3; n++) {
        expect((await offer(buyer, goods.sn, 8000)).code).toBe(0);
        await sql`update bargain set status = ${BargainStatus.SellerRejected} where goods_id = ${goods.id}`.execute(
          t.ctx.db,
        );
      }
      expect((await offer(buyer, goods.sn, 8000)).code).toBe(code('BARGAIN_TRIES'));
      // A second before the limit of its age an offer is a second younger than seven days.
      await sql`update bargain set created_at = ${new Date(2 * limit - ms)}
        where id = (select min(id) from bargain where goods_id = ${goods.id})`.execute(t.ctx.db);
      answers.push((await offer(buyer, goods.sn, 8000)).code);
    }
    expect(answers).toEqual([code('BARGAIN_TRIES'), 0, 0]);
  });

  test('are so many a day on all listings', async () => {
    await putSetting(t, 'bargain', { perDay: 2 });
    const buyer = await t.newUser();
    const answers = [];
    for (let n = 1; n <= 3; n++) answers.push((await offer(buyer, (await listed()).goods.sn, 8000)).code);
    expect(answers).toEqual([0, 0, code('RATE_LIMITED')]);
    const later = [];
    for (const [, ms] of atBoundary(from + DAY_MS)) {
      await clock.stopAt(ms);
      later.push((await offer(buyer, (await listed()).goods.sn, 8000)).code);
    }
    expect(later).toEqual([code('RATE_LIMITED'), 0, 0]);
    await putSetting(t, 'bargain', { perDay: 30 });
  });
});
