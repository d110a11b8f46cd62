/** The way of a boosting order: more money or time, a reported ban with the deposits, pictures that are due, and every path to its end. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  staffBoostingDeposits,
  staffBoostingInfo,
  staffBoostingList,
} from '#subjects/services/contract/staff-boosting.ts';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { boostAddition, boostBan } from '#subjects/services/contract/boosting.ts';
import { codes } from '#contract/codes.ts';
import { answerDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { cancelOrder, confirmRecGoods, revealSecret } from '#subjects/orders/contract/order.ts';
import { boostingSteps, type ServiceState } from '#subjects/services/rules/service.ts';
import {
  answerMilestone,
  serviceAct,
  serviceCancel,
  serviceOrder,
  serviceProgress,
} from '#subjects/services/contract/services.ts';
import { account, loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import {
  addBoostGame,
  openedBooster,
  seal,
  serviceTrade,
  type ServiceTrade,
} from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let chief: TestStaff;
let one: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addBoostGame(t);
  chief = await t.newStaff({ role: 'admin' });
  one = await openedBooster(t, chief, { balanceFen: 1_000_000 });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});
const START = 50_000;
const available = async (user: TestUser): Promise<number> => (await loadBalances(t.ctx.db, user.id)).availableFen;
const worth = async (user: TestUser): Promise<number> => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return availableFen + frozenFen;
};
const due = async (kind: string, orderId: number): Promise<void> => {
  await sql`update timer set due_at = now() - interval '1 second' where kind = ${kind} and ref = ${String(orderId)}`.execute(
    t.ctx.db,
  );
  await t.timers();
};
const dueDispute = async (disputeSn: string): Promise<void> => {
  const { rows } = await sql<{ id: number }>`select id from dispute where sn = ${disputeSn}`.execute(t.ctx.db);
  await passTime(t.ctx.db, 'dispute', { sn: disputeSn }, { until: 'appeal_until' });
  await due('dispute.execute', rows[0]?.id ?? 0);
};
const report = async ({ booster, orderId }: ServiceTrade, seq: number, percent = 100) =>
  await booster.client.ok(serviceProgress, {
    orderId,
    seq,
    percent,
    pictures: JSON.stringify([await userPicture(booster)]),
  });
const view = async ({ buyer, orderSn }: ServiceTrade) => await buyer.client.ok(serviceOrder, { orderSn });
const giveUp = async ({ booster, orderId }: ServiceTrade) =>
  await booster.client.ok(serviceAct, { orderId, act: 'giveUp', reason: '到此为止，抱歉' });
const ban = async (who: TestUser, orderId: number) =>
  await who.client.ok(boostBan, {
    orderId,
    punishment: '封号 7 天',
    text: '登录时提示账号被封停七天',
    pictures: [await userPicture(who)],
  } as never);
const rule = async (booster: TestUser, disputeSn: string, refund: string): Promise<void> => {
  await booster.client.ok(answerDispute, {
    disputeSn,
    answers: { punishment: '封号 7 天' },
    text: '全程手打，没有使用外挂',
  });
  await chief.client.ok(staffDisputeRule, {
    disputeSn,
    refund,
    rules: ['2.2', '4.1'],
    reason: '处罚通知与对局记录相符，按进度结算',
    publicText: '按进度结算',
  } as never);
  await dueDispute(disputeSn);
};
/** Returns the money that a service still holds, in fen. */
async function left(orderId: number): Promise<number> {
  const { rows } = await sql<{ fen: number }>`
    select coalesce((select balance from ledger_account where key = ${account.escrow(orderId)}), 0)
      + coalesce((select sum(amount_fen) from hold where ref = ${String(orderId)} and code like 'service_%' and released_at is null), 0) as fen`.execute(
    t.ctx.db,
  );
  return Number(rows[0]?.fen ?? -1);
}

describe('more time or money', () => {
  test('is requested by one and accepted by the other; more time extends the deadline', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, booster, orderId } = trade;
    const before = Date.parse((await view(trade)).dueTime ?? '');
    const wrong = [{}, { price: '0.50', reason: '多打两把' }, { minutes: 60, reason: '' }];
    for (const more of wrong)
      expect((await booster.client.call(boostAddition, { orderId, act: 'ask', ...more } as never)).code).toBe(
        codes.BAD_INPUT[0],
      );
    const ask = { orderId, act: 'ask', minutes: 120, reason: '今晚排队太久，多两小时' } as const;
    const both = await Promise.all([
      booster.client.call(boostAddition, ask as never),
      buyer.client.call(boostAddition, ask as never),
    ]);
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
    const [asker, other] = both[0]?.code === 0 ? [booster, buyer] : [buyer, booster];
    expect((await asker.client.call(boostAddition, { orderId, act: 'agree' } as never)).code).toBe(
      codes.ORDER_FORBIDDEN[0],
    );
    const agreed = await Promise.all([
      other.client.call(boostAddition, { orderId, act: 'agree' } as never),
      other.client.call(boostAddition, { orderId, act: 'agree' } as never),
    ]);
    expect(agreed.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(Math.round((Date.parse((await view(trade)).dueTime ?? '') - before) / 60_000)).toBe(120);
    const stranger = await t.newUser();
    expect((await stranger.client.call(boostAddition, ask as never)).code).toBe(codes.ORDER_NOT_FOUND[0]);
    await giveUp(trade);
  });

  test('is paid by the buyer once, is a separate order, and its money has a recipient', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, booster, orderId } = trade;
    await booster.client.ok(boostAddition, {
      orderId,
      act: 'ask',
      price: '30.00',
      minutes: 60,
      reason: '再打到十星',
    } as never);
    const held = await available(buyer);
    const paid = await Promise.all(
      [1, 2, 3, 4].map(async () => await buyer.client.call(boostAddition, { orderId, act: 'agree' } as never)),
    );
    expect(paid.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(await available(buyer)).toBe(held - 3030);
    const { way } = await view(trade);
    expect(way).toMatchObject({ addition: null, added: [{ price: '30.00', reason: '再打到十星' }] });
    const orderSn = way?.added[0]?.orderSn ?? '';
    const added = await buyer.client.ok(serviceOrder, { orderSn });
    expect(added).toMatchObject({ state: 'working', modeName: '追加', accountReady: null, held: '30.30' });
    expect(added.way?.parentSn).toBe(trade.orderSn);
    // It goes on by itself when the order that it adds to has ended.
    await giveUp(trade);
    const before = await worth(booster);
    await report({ ...trade, orderId: added.orderId, orderSn }, 1);
    await buyer.client.ok(confirmRecGoods, { orderId: added.orderId });
    expect((await worth(booster)) - before).toBe(2850);
    expect([await left(orderId), await left(added.orderId)]).toEqual([0, 0]);
  });

  test('requested by the buyer is paid after the booster agrees, and can still be dropped', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, booster, orderId } = trade;
    await buyer.client.ok(boostAddition, { orderId, act: 'ask', price: '400.00', reason: '一路打到五十星' } as never);
    expect((await buyer.client.call(boostAddition, { orderId, act: 'pay' } as never)).code).toBe(codes.ORDER_STATE[0]);
    await booster.client.ok(boostAddition, { orderId, act: 'agree' } as never);
    expect((await booster.client.call(boostAddition, { orderId, act: 'pay' } as never)).code).toBe(
      codes.ORDER_FORBIDDEN[0],
    );
    // 399 is left after the first order: what cannot be paid changes nothing.
    expect((await buyer.client.call(boostAddition, { orderId, act: 'pay' } as never)).code).toBe(codes.BALANCE_LOW[0]);
    expect((await view(trade)).way?.addition).toMatchObject({ status: 'agreed' });
    await buyer.client.ok(boostAddition, { orderId, act: 'withdraw' } as never);
    expect((await view(trade)).way?.addition).toBeNull();
    await giveUp(trade);
  });
});

describe('a picture', () => {
  const noticeCount = async (user: TestUser): Promise<number> => {
    await t.relay();
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from notice where user_id = ${user.id} and kind = 'boost.proof'`.execute(t.ctx.db);
    return rows[0]?.n ?? 0;
  };

  test('is required every two hours of work, not while paused', async () => {
    const fresh = await openedBooster(t, chief, { balanceFen: 100_000 });
    const trade = await serviceTrade(t, fresh);
    const first = Date.parse((await view(trade)).way?.proofDue ?? '');
    expect(Math.round((first - Date.now()) / 60_000)).toBe(120);
    await due('service.proof', trade.orderId);
    expect(await noticeCount(trade.booster)).toBe(1);
    await trade.buyer.client.ok(serviceAct, { orderId: trade.orderId, act: 'pause' });
    await due('service.proof', trade.orderId);
    expect(await noticeCount(trade.booster)).toBe(1);
    expect((await view(trade)).way?.proofDue).toBeNull();
    await sql`update service_order set paused_at = paused_at - interval '3 hours' where order_id = ${trade.orderId}`.execute(
      t.ctx.db,
    );
    await trade.buyer.client.ok(serviceAct, { orderId: trade.orderId, act: 'resume' });
    // The remainder of the two hours is unchanged.
    const after = Date.parse((await view(trade)).way?.proofDue ?? '');
    expect(Math.round((after - Date.now()) / 60_000)).toBeGreaterThan(240);
    await report(trade, 1, 30);
    expect(Math.round((Date.parse((await view(trade)).way?.proofDue ?? '') - Date.now()) / 60_000)).toBe(120);
    await giveUp(trade);
    await due('service.proof', trade.orderId);
    expect(await noticeCount(trade.booster)).toBe(1);
  });
});

describe('a reported ban', () => {
  test('opens the case immediately, closes the form, and holds both deposits', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, booster, orderId, orderSn } = trade;
    const bare = await booster.client.call(boostBan, { orderId, punishment: '封号', text: '登录时提示被封' } as never);
    expect(bare.code).toBe(codes.BAD_INPUT[0]);
    const reports = await Promise.all([
      booster.client.call(boostBan, {
        orderId,
        punishment: '封号 7 天',
        text: '登录时提示被封停',
        pictures: [await userPicture(booster)],
      } as never),
      buyer.client.call(boostBan, {
        orderId,
        punishment: '封号 7 天',
        text: '登录时提示被封停',
        pictures: [await userPicture(buyer)],
      } as never),
    ]);
    expect(reports.filter(({ code }) => code === 0)).toHaveLength(1);
    expect((await booster.client.call(revealSecret, { orderId, step: 1 })).code).toBe(codes.ORDER_DISPUTED[0]);
    expect((await booster.client.call(serviceAct, { orderId, act: 'giveUp', reason: '不打了，抱歉' })).code).toBe(
      codes.ORDER_DISPUTED[0],
    );
    expect((await view(trade)).way?.ban).toBeTruthy();
    expect(await left(orderId)).toBe(10_100 + 3000);
    const seen = await chief.client.ok(staffBoostingInfo, { orderSn });
    expect(seen).toMatchObject({ canDecide: true, deposits: { safety: '20.00', decided: null } });
    expect((await chief.client.ok(staffBoostingList, { scope: 'ban' })).list.map((o) => o.orderSn)).toContain(orderSn);
    const disputeSn = seen.dispute?.disputeSn ?? '';
    const opener = reports[0]?.code === 0 ? booster : buyer;
    await opener.client.ok(withdrawDispute, { disputeSn });
    expect((await view(trade)).state).toBe('working');
    await giveUp(trade);
  });

  test('is ruled with the displayed table: staff decide on the deposits for this ruling only', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, booster, orderId, orderSn } = trade;
    await report(trade, 1);
    await buyer.client.ok(answerMilestone, { orderId, seq: 1, act: 'confirm' });
    const before = await worth(booster);
    const { disputeSn } = await ban(buyer, orderId);
    const decide = { orderSn, safety: 'buyer', efficiency: 'booster', reason: '封号由外挂引起' } as const;
    const { splits } = await chief.client.ok(staffBoostingInfo, { orderSn });
    expect(splits[0]).toMatchObject({ reason: 'plan', back: '70.00', paid: '28.49' });
    await chief.client.ok(staffBoostingDeposits, decide);
    const held = await available(buyer);
    await rule(booster, disputeSn, splits[0]?.back ?? '');
    // 70.00 with its fee, and the safety deposit.
    expect(await available(buyer)).toBe(held + 7070 + 2000);
    expect((await worth(booster)) - before).toBe(-2000 + 1);
    expect(await left(orderId)).toBe(0);
    expect((await chief.client.call(staffBoostingDeposits, decide)).code).toBe(codes.ORDER_STATE[0]);
  });

  test('returns both deposits when it is withdrawn, despite an earlier decision by staff', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, booster, orderId, orderSn } = trade;
    const before = await worth(booster);
    const { disputeSn } = await ban(buyer, orderId);
    await chief.client.ok(staffBoostingDeposits, {
      orderSn,
      safety: 'buyer',
      efficiency: 'buyer',
      reason: '封号由外挂引起',
    });
    await buyer.client.ok(withdrawDispute, { disputeSn });
    for (const seq of [1, 2, 3]) {
      await report(trade, seq);
      if (seq < 3) await buyer.client.ok(answerMilestone, { orderId, seq, act: 'confirm' });
    }
    await buyer.client.ok(confirmRecGoods, { orderId });
    expect((await worth(booster)) - before).toBe(9500);
    expect(await available(buyer)).toBe(START - 10_100);
  });
});

describe('the transitions', () => {
  test('equal the database’s', async () => {
    const { rows } = await sql<{
      from: string;
      to: string;
    }>`select from_state as "from", to_state as "to" from boost_transition`.execute(t.ctx.db);
    const pair = (s: { from: string; to: string }): string => `${s.from}>${s.to}`;
    expect(rows.map(pair).toSorted()).toEqual(boostingSteps().map(pair).toSorted());
    const trade = await serviceTrade(t, one);
    await giveUp(trade);
    await expect(
      sql`update service_order set state = 'working' where order_id = ${trade.orderId}`.execute(t.ctx.db),
    ).rejects.toThrow(/does not exist/);
  });

  /** One act for each step; ways of one order from paid to its end. */
  type Step = (trade: ServiceTrade) => Promise<unknown>;
  const act =
    (who: 'buyer' | 'booster', what: 'accept' | 'decline' | 'pause' | 'resume' | 'giveUp'): Step =>
    async (trade) =>
      await trade[who].client.ok(serviceAct, { orderId: trade.orderId, act: what, reason: '原因在这里写明' });
  const stages: Step = async (trade) => {
    for (const seq of [1, 2, 3]) {
      await report(trade, seq);
      if (seq < 3) await trade.buyer.client.ok(answerMilestone, { orderId: trade.orderId, seq, act: 'confirm' });
    }
  };
  const agree: Step = async ({ buyer, booster, orderId }) => {
    await buyer.client.ok(serviceCancel, { orderId, act: 'ask', reason: 'plan' });
    await booster.client.ok(serviceCancel, { orderId, act: 'agree' });
  };
  const ruled: Step = async ({ buyer, booster, orderId }) =>
    rule(booster, (await ban(buyer, orderId)).disputeSn, '40.00');
  const confirm: Step = async ({ buyer, orderId }) => buyer.client.ok(confirmRecGoods, { orderId });
  const accept: Step = async (trade) => {
    await seal(trade);
    await act('booster', 'accept')(trade);
  };
  const way = (states: string, ...steps: Step[]) => [states.split(' ') as ServiceState[], steps] as const;
  const WAYS = [
    way('pending ended', act('booster', 'decline')),
    way('pending ended', async ({ buyer, orderId }) => buyer.client.ok(cancelOrder, { orderId })),
    way('pending ended', async ({ orderId }) => due('service.accept', orderId)),
    way('pending waiting ended', act('booster', 'accept'), async ({ orderId }) => due('service.account', orderId)),
    way('pending waiting working ended', act('booster', 'accept'), seal, act('booster', 'giveUp')),
    way('pending working ended', accept, act('booster', 'giveUp')),
    way('pending working ended', accept, agree),
    way('pending working ended', accept, ruled),
    way('pending working paused ended', accept, act('buyer', 'pause'), act('booster', 'giveUp')),
    way('pending working paused ended', accept, act('booster', 'pause'), agree),
    way('pending working paused ended', accept, act('buyer', 'pause'), ruled),
    way('pending working checking done', accept, stages, confirm),
    way('pending working checking ended', accept, stages, ruled),
    way(
      'pending working paused working checking done',
      accept,
      act('buyer', 'pause'),
      act('booster', 'resume'),
      stages,
      confirm,
    ),
  ];

  test('have paths through each step', () => {
    const covered = new Set(WAYS.flatMap(([states]) => states.slice(1).map((to, i) => `${states[i]}>${to}`)));
    expect([...covered].toSorted()).toEqual(
      boostingSteps()
        .map((s) => `${s.from}>${s.to}`)
        .toSorted(),
    );
  });

  test.each(WAYS)('%j ends without held money', async (states, steps) => {
    const trade = await serviceTrade(t, one, { accepted: false });
    const [paid, before] = [await available(trade.buyer), await worth(one.booster)];
    const seen: ServiceState[] = [(await view(trade)).state];
    for (const step of steps) {
      await step(trade);
      await t.relay();
      const { state } = await view(trade);
      if (state !== seen.at(-1)) seen.push(state);
    }
    expect(seen).toEqual(states);
    expect(await left(trade.orderId)).toBe(0);
    // The buyer's payment went back, to the booster, or to the platform as its fees.
    const back = (await available(trade.buyer)) - paid;
    const earned = (await worth(one.booster)) - before;
    const { rows } = await sql<{ fen: number }>`select coalesce(sum(amount_fen), 0)::bigint as fen from ledger_transfer
      where order_id = ${trade.orderId} and credit like 'platform:fee%'`.execute(t.ctx.db);
    expect(back + earned + Number(rows[0]?.fen)).toBe(10_100);
  });
});
