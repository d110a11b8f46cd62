/** A late boosting order on which neither party acts ends by rule, or goes to customer service (decision 395). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffBoostingInfo, staffBoostingList } from '#subjects/services/contract/staff-boosting.ts';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { boostAddition } from '#subjects/services/contract/boosting.ts';
import { codes } from '#contract/codes.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import {
  answerMilestone,
  serviceAct,
  serviceCancel,
  serviceOrder,
  serviceProgress,
} from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import type { ServiceTrade } from '#tests/support/services/boosting.ts';
import { addBoostGame, openedBooster, PACKAGE, serviceTrade } from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let staff: TestStaff;
let one: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addBoostGame(t);
  staff = await t.newStaff({ role: 'admin' });
  one = await openedBooster(t, staff, { balanceFen: 1_000_000 });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const START = 50_000;
const HOURS = PACKAGE.minutes / 60;
const worth = async (user: TestUser): Promise<number> => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return availableFen + frozenFen;
};
const view = async ({ buyer, orderSn }: ServiceTrade) => await buyer.client.ok(serviceOrder, { orderSn });
const report = async ({ booster, orderId }: ServiceTrade, seq: number, percent: number) =>
  await booster.client.call(serviceProgress, {
    orderId,
    seq,
    percent,
    pictures: JSON.stringify([await userPicture(booster)]),
  });

/** Lets hours go by for an order and its clocks, without running them. */
async function later({ orderId }: ServiceTrade, hours: number): Promise<void> {
  const key = { order_id: orderId };
  await passTime(t.ctx.db, 'orders', { id: orderId }, { hours });
  await passTime(t.ctx.db, 'service_order', key, { hours });
  await passTime(t.ctx.db, 'dispute', key, { hours });
  for (const kind of ['service.late', 'service.milestone', 'service.resume', 'service.cancelAnswer'])
    await passTime(t.ctx.db, 'timer', { kind, ref: String(orderId) }, { hours });
}
async function pass(trade: ServiceTrade, hours: number): Promise<void> {
  await later(trade, hours);
  await t.timers();
  await t.relay();
}

const titlesOf = async (user: TestUser, { orderSn }: ServiceTrade): Promise<string[]> => {
  const { rows } = await sql<{ title: string }>`
    select title from notice where user_id = ${user.id} and kind = 'service.order' and link like ${`%${orderSn}`} order by id`.execute(
    t.ctx.db,
  );
  return rows.map(({ title }) => title);
};
/** The text of the last notice about lateness that a party got. */
const textOf = async (user: TestUser, { orderSn }: ServiceTrade): Promise<string> => {
  const { rows } = await sql<{ body: string }>`
    select body from notice where user_id = ${user.id} and title = '已超过约定时间' and link like ${`%${orderSn}`} order by id desc limit 1`.execute(
    t.ctx.db,
  );
  return rows[0]?.body ?? '';
};
const caseOf = async ({
  orderId,
}: ServiceTrade): Promise<{ id: number; sn: string; status: string; reason: string }> => {
  const { rows } = await sql<{ id: number; sn: string; status: string; reason: string }>`
    select id, sn, status, reason_code as reason from dispute where order_id = ${orderId} order by id desc limit 1`.execute(
    t.ctx.db,
  );
  if (!rows[0]) throw new Error('there is no case');
  return rows[0];
};
const casesOf = async ({ orderId }: ServiceTrade): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from dispute where order_id = ${orderId}`.execute(t.ctx.db);
  return rows[0]?.n ?? 0;
};

describe('a late order on which nobody acts', () => {
  test('goes back to the buyer by rule, with the efficiency deposit, after both were told', async () => {
    const before = await worth(one.booster);
    const trade = await serviceTrade(t, one);
    expect((await view(trade)).late).toBeNull();
    await pass(trade, HOURS + 1);
    const told = await view(trade);
    expect(told).toMatchObject({ state: 'working', isLate: true, late: { isJudged: false } });
    for (const user of [trade.buyer, one.booster]) expect(await titlesOf(user, trade)).toContain('已超过约定时间');
    const info = await staff.client.ok(staffBoostingInfo, { orderSn: trade.orderSn });
    expect(info.late?.by).toBe(told.late?.by);
    const { list } = await staff.client.ok(staffBoostingList, { scope: 'late' });
    expect(list.find((o) => o.orderSn === trade.orderSn)?.lateTime).not.toBeNull();
    await pass(trade, 47);
    expect((await view(trade)).state).toBe('working');
    await pass(trade, 2);
    expect(await view(trade)).toMatchObject({ state: 'ended', late: null, acts: [] });
    expect(await worth(trade.buyer)).toBe(START + 1000);
    expect(await worth(one.booster)).toBe(before - 1000);
    for (const user of [trade.buyer, one.booster])
      expect((await titlesOf(user, trade)).filter((title) => title === '超过约定时间，订单已结束')).toHaveLength(1);
  });

  test('keeps what its buyer confirmed with the booster', async () => {
    const before = await worth(one.booster);
    const trade = await serviceTrade(t, one);
    expect((await report(trade, 1, 100)).code).toBe(0);
    // Silence confirms and pays the stage, and the rest of the time goes by.
    await pass(trade, 13);
    expect((await view(trade)).milestones[0]).toMatchObject({ state: 'accepted', paid: '28.49' });
    await pass(trade, 7);
    await pass(trade, 49);
    expect((await view(trade)).state).toBe('ended');
    // The fen that stayed with the stage is freed with the end.
    expect(await worth(one.booster)).toBe(before + 2850 - 1000);
    expect(await worth(trade.buyer)).toBe(START - 3000 - 30 + 1000);
  });

  test('goes before customer service where work was shown, once, and its ruling decides the rest', async () => {
    const before = await worth(one.booster);
    const trade = await serviceTrade(t, one);
    expect((await report(trade, 1, 60)).code).toBe(0);
    await pass(trade, HOURS + 1);
    expect((await view(trade)).late).toMatchObject({ isJudged: true });
    await pass(trade, 49);
    await pass(trade, 49);
    const found = await caseOf(trade);
    expect(found).toMatchObject({ status: 'open', reason: 'service_late' });
    expect(await casesOf(trade)).toBe(1);
    expect(await view(trade)).toMatchObject({ state: 'working', disputed: true, late: null });
    const info = await staff.client.ok(staffBoostingInfo, { orderSn: trade.orderSn });
    expect(info.deposits.decided).toEqual({ safety: 'booster', efficiency: 'buyer' });
    // The booster is silent in the case as well.
    await makeDue(t.ctx.db, 'dispute.answer', found.id);
    await t.timers();
    await staff.client.ok(staffDisputeRule, {
      disputeSn: found.sn,
      refund: '82.00',
      rules: ['4.1'],
      reason: '截图证明完成 18%，其余退回',
    } as never);
    await passTime(t.ctx.db, 'dispute', { id: found.id }, { until: 'appeal_until' });
    await makeDue(t.ctx.db, 'dispute.execute', found.id);
    await t.timers();
    await t.relay();
    expect((await view(trade)).state).toBe('ended');
    expect(await worth(one.booster)).toBe(before + 1710 - 1000);
    expect(await worth(trade.buyer)).toBe(START - 1800 - 18 + 1000);
  });
});

describe('who acts on a late order', () => {
  test('has two more days each time, but a week without its buyer goes to customer service', async () => {
    const trade = await serviceTrade(t, one);
    await pass(trade, HOURS + 1);
    for (const percent of [10, 20, 30]) {
      await pass(trade, 47);
      expect((await report(trade, 1, percent)).code).toBe(0);
    }
    await pass(trade, 20);
    expect(await casesOf(trade)).toBe(0);
    await pass(trade, 8);
    expect(await caseOf(trade)).toMatchObject({ status: 'open', reason: 'service_late' });
  });

  test('is told anew after more time, a withdrawn case or a ruling that lets the order go on', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, orderId } = trade;
    await pass(trade, HOURS + 1);
    await buyer.client.ok(boostAddition, { orderId, act: 'ask', minutes: '6000', reason: '再打一段时间' } as never);
    await one.booster.client.ok(boostAddition, { orderId, act: 'agree' } as never);
    expect(await view(trade)).toMatchObject({ isLate: false, late: null });
    await pass(trade, 60);
    expect((await view(trade)).state).toBe('working');
    await pass(trade, 41);
    expect((await titlesOf(buyer, trade)).filter((title) => title === '已超过约定时间')).toHaveLength(2);
    expect((await report(trade, 1, 10)).code).toBe(0);
    await pass(trade, 49);
    const first = await caseOf(trade);
    expect(first.reason).toBe('service_late');
    await buyer.client.ok(withdrawDispute, { disputeSn: first.sn });
    await t.relay();
    await pass(trade, 1);
    expect(await casesOf(trade)).toBe(1);
    expect((await titlesOf(buyer, trade)).filter((title) => title === '已超过约定时间')).toHaveLength(3);
    await pass(trade, 47);
    expect(await casesOf(trade)).toBe(1);
    await pass(trade, 2);
    expect(await casesOf(trade)).toBe(2);
  });

  test('a cancel, a case or a stage with a separate clock goes first', async () => {
    const asked = await serviceTrade(t, one);
    await pass(asked, HOURS + 1);
    await asked.buyer.client.ok(serviceCancel, { orderId: asked.orderId, act: 'ask', reason: 'late' });
    expect((await view(asked)).late).toBeNull();
    await passTime(t.ctx.db, 'service_order', { order_id: asked.orderId }, { hours: 60 });
    await makeDue(t.ctx.db, 'service.late', asked.orderId);
    await t.timers();
    expect((await view(asked)).state).toBe('working');
    await one.booster.client.ok(serviceCancel, { orderId: asked.orderId, act: 'agree' });
    const open = await serviceTrade(t, one);
    await open.buyer.client.ok(openDispute, {
      orderSn: open.orderSn,
      reason: 'service_quality',
      want: 'continue',
      answers: { done: '还没有开始' },
      text: '请平台客服介入看一下',
    });
    await pass(open, HOURS + 60);
    await pass(open, 200);
    expect(await view(open)).toMatchObject({ state: 'working', disputed: true });
    await open.buyer.client.ok(withdrawDispute, { disputeSn: (await caseOf(open)).sn });
    await one.booster.client.ok(serviceAct, { orderId: open.orderId, act: 'giveUp', reason: '到此为止，抱歉' });
  });
});

describe('an addition', () => {
  const added = async (trade: ServiceTrade): Promise<ServiceTrade> => {
    const { buyer, orderId } = trade;
    const ask = { orderId, act: 'ask', price: '50.00', minutes: 60, reason: '再打到十星' };
    await one.booster.client.ok(boostAddition, ask as never);
    const { orderSn } = await buyer.client.ok(boostAddition, { orderId, act: 'agree' } as never);
    const child = await buyer.client.ok(serviceOrder, { orderSn: orderSn ?? '' });
    return { ...trade, orderId: child.orderId, orderSn: child.orderSn };
  };
  const both = async (trade: ServiceTrade, child: ServiceTrade, hours: number): Promise<void> => {
    await later(trade, hours);
    await pass(child, hours);
  };

  test('waits for its order: more time and a pause of that one make no late addition', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, orderId } = trade;
    const child = await added(trade);
    await buyer.client.ok(boostAddition, { orderId, act: 'ask', minutes: '7200', reason: '再给五天' } as never);
    await one.booster.client.ok(boostAddition, { orderId, act: 'agree' } as never);
    await both(trade, child, 14);
    expect((await report(trade, 1, 50)).code).toBe(0);
    await both(trade, child, 60);
    expect(await view(trade)).toMatchObject({ state: 'working', isLate: false });
    await buyer.client.ok(serviceAct, { orderId, act: 'pause' });
    await both(trade, child, 70);
    expect(await view(child)).toMatchObject({ state: 'working', held: '50.50', late: null });
    expect(await titlesOf(buyer, child)).not.toContain('已超过约定时间');
    await one.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '到此为止，抱歉' });
  });

  test('ends by its own clock once its order has ended, and promises no deposit that it has not', async () => {
    const trade = await serviceTrade(t, one);
    const child = await added(trade);
    await one.booster.client.ok(serviceAct, { orderId: trade.orderId, act: 'giveUp', reason: '来不及了' });
    await both(trade, child, HOURS + 3);
    const { late } = await view(child);
    expect(late).not.toBeNull();
    for (const user of [trade.buyer, one.booster]) expect(await textOf(user, child)).not.toContain('效率保证金');
    await pass(child, 49);
    expect((await view(child)).state).toBe('ended');
  });
});

describe('the week of a late order', () => {
  test('begins anew when its buyer answers, and both are told anew', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, orderId } = trade;
    await pass(trade, HOURS + 1);
    expect(await textOf(one.booster, trade)).toContain('登不上账号请在密封信息旁按「登不上账号」');
    expect(await textOf(buyer, trade)).toContain('效率保证金归您');
    for (const percent of [10, 20, 30]) {
      await pass(trade, 47);
      expect((await report(trade, 1, percent)).code).toBe(0);
    }
    await pass(trade, 15);
    expect((await report(trade, 1, 100)).code).toBe(0);
    await later(trade, 20);
    await buyer.client.ok(answerMilestone, { orderId, seq: 1, act: 'confirm' });
    await t.timers();
    await t.relay();
    expect(await view(trade)).toMatchObject({ state: 'working', late: { isJudged: false } });
    expect((await titlesOf(buyer, trade)).filter((title) => title === '已超过约定时间')).toHaveLength(2);
    await pass(trade, 49);
    expect((await view(trade)).state).toBe('ended');
  });

  test('does not count the time of a case that the booster takes back', async () => {
    const trade = await serviceTrade(t, one);
    const { orderId, orderSn } = trade;
    await pass(trade, HOURS + 1);
    const told = async (): Promise<number> => {
      const { rows } = await sql<{ hours: number }>`
        select round(extract(epoch from now() - late_told_at) / 3600)::int as hours from service_order where order_id = ${orderId}`.execute(
        t.ctx.db,
      );
      return rows[0]?.hours ?? -1;
    };
    await pass(trade, 3);
    await one.booster.client.ok(openDispute, {
      orderSn,
      reason: 'service_quality',
      want: 'other',
      answers: { done: '还没有开始' },
      text: '登不上账号，请平台客服介入看一下',
    });
    await later(trade, 100);
    await one.booster.client.ok(withdrawDispute, { disputeSn: (await caseOf(trade)).sn });
    await t.relay();
    expect(await told()).toBe(3);
    await one.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '到此为止，抱歉' });
  });

  test.each(['buyer', 'booster'] as const)(
    'sends a cancel of the %s to arbitration that is asked for again and again',
    async (side) => {
      const trade = await serviceTrade(t, await openedBooster(t, staff));
      const { orderId } = trade;
      const asker = trade[side];
      // Asked for again each time just before the clock looks.
      const again = async (hours: number): Promise<void> => {
        await later(trade, hours);
        await asker.client.ok(serviceCancel, { orderId, act: 'ask', reason: 'plan' });
        await t.timers();
        await t.relay();
      };
      await again(HOURS + 1);
      for (let n = 0; n < 8; n++) {
        await asker.client.ok(serviceCancel, { orderId, act: 'withdraw' });
        await again(20);
        expect(await casesOf(trade)).toBe(0);
      }
      await asker.client.ok(serviceCancel, { orderId, act: 'withdraw' });
      await again(20);
      expect(await caseOf(trade)).toMatchObject({ status: 'open', reason: 'cancel_unanswered' });
      expect(await view(trade)).toMatchObject({ state: 'working', disputed: true, cancel: null });
      expect(await titlesOf(trade.buyer, trade)).toContain('取消申请超过最长等待时间，已转客服裁决');
    },
  );
});

test('a pause moves the clock with the promised time', async () => {
  const trade = await serviceTrade(t, one);
  await trade.buyer.client.ok(serviceAct, { orderId: trade.orderId, act: 'pause' });
  await pass(trade, HOURS + 1);
  expect(await view(trade)).toMatchObject({ state: 'paused', isLate: false });
  await one.booster.client.ok(serviceAct, { orderId: trade.orderId, act: 'resume' });
  await pass(trade, HOURS - 1);
  expect(await titlesOf(trade.buyer, trade)).not.toContain('已超过约定时间');
  await pass(trade, 2);
  expect(await titlesOf(trade.buyer, trade)).toContain('已超过约定时间');
  await one.booster.client.ok(serviceAct, { orderId: trade.orderId, act: 'giveUp', reason: '到此为止，抱歉' });
});

describe('races', () => {
  test('the clock against a report, a cancel and a give-up: one end, and all the money is somebody’s', async () => {
    for (let round = 0; round < 6; round++) {
      const before = await worth(one.booster);
      const trade = await serviceTrade(t, one);
      const { buyer, orderId } = trade;
      await pass(trade, HOURS + 1);
      await later(trade, 49);
      const act = [
        async () => await report(trade, 1, 50),
        async () => await buyer.client.call(serviceCancel, { orderId, act: 'ask', reason: 'late' }),
        async () => await one.booster.client.call(serviceAct, { orderId, act: 'giveUp', reason: '来不及了' }),
      ][round % 3];
      if (!act) throw new Error('there is no such act');
      const [answer] = await Promise.all([act(), t.timers(), t.timers()]);
      await t.relay();
      const { state, disputed } = await view(trade);
      expect([0, codes.ORDER_STATE[0]]).toContain(answer.code);
      // Whoever came first: the order ended by rule or by the act, or the act lets it go on.
      if (state === 'working') {
        expect([answer.code, disputed]).toEqual([0, false]);
        await one.booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '来不及了' });
      }
      expect((await view(trade)).state).toBe('ended');
      expect(await worth(trade.buyer)).toBe(START + 1000);
      expect(await worth(one.booster)).toBe(before - 1000);
    }
  });
});
