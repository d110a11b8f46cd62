/** Every way of an order of companion play, from paid to its end, and what two who agree on nothing else could try with its clocks. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getAccompanyerInfo } from '#subjects/services/contract/accompanyer.ts';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { acceptRuling, answerDispute, openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { cancelOrder, confirmRecGoods } from '#subjects/orders/contract/order.ts';
import { companionSteps, type ServiceState } from '#subjects/services/rules/service.ts';
import { serviceAct, serviceOrder } from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import {
  addPlayGame,
  companionTrade,
  type CompanionTrade,
  openedCompanion,
} from '#tests/support/services/companion.ts';

let t: TestApp;
let chief: TestStaff;
let one: Awaited<ReturnType<typeof openedCompanion>>;

beforeAll(async () => {
  t = await testApp();
  await addPlayGame(t);
  chief = await t.newStaff({ role: 'admin' });
  one = await openedCompanion(t, chief);
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

/** Price of an order of two hours: 120.00 and the fee of 1.20. */
const START = 50_000;
const TOTAL = 12_120;

const worth = async (user: TestUser): Promise<number> => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return availableFen + frozenFen;
};
const due = async (kind: string, ref: number): Promise<void> => {
  await makeDue(t.ctx.db, kind, ref);
  await t.timers();
};
const stateOf = async ({ buyer, orderSn }: CompanionTrade) => (await buyer.client.ok(serviceOrder, { orderSn })).state;
const escrow = async (orderId: number): Promise<number> => {
  const { rows } = await sql<{ fen: number }>`
    select coalesce(sum(balance), 0)::bigint as fen from ledger_account where key = ${`order:${orderId}:escrow`}`.execute(
    t.ctx.db,
  );
  return rows[0]?.fen ?? 0;
};
const object = async (user: TestUser, orderSn: string): Promise<string> =>
  (
    await user.client.ok(openDispute, {
      orderSn,
      reason: 'service_quality',
      want: 'continue',
      answers: { done: '还没有完成' },
      text: '请平台客服介入看一下',
    })
  ).disputeSn;

/** One act, or what a clock or staff do. */
type Step = (trade: CompanionTrade) => Promise<unknown>;
type Act = 'accept' | 'decline' | 'start' | 'giveUp' | 'end' | 'agreeEnd' | 'stop';
const act =
  (who: 'buyer' | 'companion', what: Act): Step =>
  async (trade) =>
    await trade[who].client.ok(serviceAct, { orderId: trade.orderId, act: what, reason: '原因在这里写明' });
const clock =
  (kind: string): Step =>
  async ({ orderId }) =>
    await due(kind, orderId);
const accept = act('companion', 'accept');
const meet: Step = async (trade) => {
  await act('buyer', 'start')(trade);
  await act('companion', 'start')(trade);
};
const confirm: Step = async ({ buyer, orderId }) => await buyer.client.ok(confirmRecGoods, { orderId });
const ruled =
  (refund: string): Step =>
  async ({ buyer, companion, orderSn }) => {
    const disputeSn = await object(buyer, orderSn);
    await companion.client.ok(answerDispute, {
      disputeSn,
      answers: { done: '全程在线' },
      text: '全程开着麦，录音可以作证',
    });
    const reason = '语音与对局记录相符，按实际时长结算';
    await chief.client.ok(staffDisputeRule, { disputeSn, refund, rules: ['3.1'], reason } as never);
    for (const party of [buyer, companion]) await party.client.ok(acceptRuling, { disputeSn });
    await t.timers();
  };

const WAYS: readonly (readonly [states: readonly ServiceState[], steps: readonly Step[]])[] = [
  [['pending', 'ended'], [act('companion', 'decline')]],
  [['pending', 'ended'], [async ({ buyer, orderId }) => await buyer.client.ok(cancelOrder, { orderId })]],
  [['pending', 'ended'], [clock('service.accept')]],
  [
    ['pending', 'waiting', 'ended'],
    [accept, act('companion', 'giveUp')],
  ],
  [
    ['pending', 'waiting', 'ended'],
    [accept, act('buyer', 'stop')],
  ],
  [
    ['pending', 'waiting', 'ended'],
    [accept, act('companion', 'start'), clock('service.noShow')],
  ],
  [
    ['pending', 'waiting', 'ended'],
    [accept, ruled('60.00')],
  ],
  [
    ['pending', 'waiting', 'working', 'ended'],
    [accept, meet, act('companion', 'stop')],
  ],
  [
    ['pending', 'waiting', 'working', 'ended'],
    [accept, meet, ruled('120.00')],
  ],
  [
    ['pending', 'waiting', 'working', 'ending', 'ended'],
    [accept, meet, act('buyer', 'end'), act('companion', 'agreeEnd')],
  ],
  [
    ['pending', 'waiting', 'working', 'ending', 'ended'],
    [accept, meet, act('companion', 'end'), clock('service.endFinal')],
  ],
  [
    ['pending', 'waiting', 'working', 'ending', 'ended'],
    [accept, meet, act('companion', 'end'), ruled('30.00')],
  ],
  [
    ['pending', 'waiting', 'working', 'ending', 'checking', 'done'],
    [accept, meet, act('buyer', 'end'), ruled('0'), clock('service.endFinal'), confirm],
  ],
  [
    ['pending', 'waiting', 'working', 'checking', 'done'],
    [accept, meet, clock('service.playEnd'), clock('order.autoConfirm')],
  ],
  [
    ['pending', 'waiting', 'working', 'checking', 'ended'],
    [accept, meet, clock('service.playEnd'), ruled('50.00')],
  ],
];

describe('the transitions', () => {
  const pair = (s: { from: string; to: string }): string => `${s.from}>${s.to}`;

  test('equal the database’s', async () => {
    const { rows } = await sql<{ from: string; to: string }>`
      select from_state as "from", to_state as "to" from companion_transition`.execute(t.ctx.db);
    expect(rows.map(pair).toSorted()).toEqual(companionSteps().map(pair).toSorted());
    const trade = await companionTrade(t, one, 'paid');
    await act('companion', 'decline')(trade);
    await expect(
      sql`update service_order set state = 'waiting' where order_id = ${trade.orderId}`.execute(t.ctx.db),
    ).rejects.toThrow(/does not exist/);
  });

  test('have paths through each step', () => {
    const covered = new Set(WAYS.flatMap(([states]) => states.slice(1).map((to, i) => `${states[i]}>${to}`)));
    expect([...covered].toSorted()).toEqual(companionSteps().map(pair).toSorted());
  });

  test.each(WAYS)('%j ends without held money', async (states, steps) => {
    const before = await worth(one.companion);
    const trade = await companionTrade(t, one, 'paid');
    const seen: ServiceState[] = [await stateOf(trade)];
    for (const step of steps) {
      await step(trade);
      await t.relay();
      const state = await stateOf(trade);
      if (state !== seen.at(-1)) seen.push(state);
    }
    expect(seen).toEqual(states);
    expect(await escrow(trade.orderId)).toBe(0);
    // The buyer's payment went back, to the companion, or to the platform as its fees.
    const back = (await worth(trade.buyer)) - (START - TOTAL);
    const earned = (await worth(one.companion)) - before;
    const { rows } = await sql<{ fen: number }>`select coalesce(sum(amount_fen), 0)::bigint as fen from ledger_transfer
      where order_id = ${trade.orderId} and credit like 'platform:fee%'`.execute(t.ctx.db);
    expect(back + earned + Number(rows[0]?.fen)).toBe(TOTAL);
    expect(Math.min(back, earned)).toBeGreaterThanOrEqual(0);
    const clocks =
      await sql`select kind from timer where kind like 'service.%' and ref = ${String(trade.orderId)}`.execute(
        t.ctx.db,
      );
    expect(clocks.rows).toEqual([]);
  });
});

describe('moving the time gains nothing', () => {
  /** A case from just after the acceptance until the other sleeps. */
  async function delayed(by: 'buyer' | 'companion'): Promise<CompanionTrade> {
    const trade = await companionTrade(t, one, 'accepted');
    const disputeSn = await object(trade[by], trade.orderSn);
    await passTime(t.ctx.db, 'service_order', { order_id: trade.orderId }, { hours: 9 });
    await passTime(t.ctx.db, 'dispute', { sn: disputeSn }, { hours: 9 });
    await trade[by].client.ok(withdrawDispute, { disputeSn });
    await act(by, 'start')(trade);
    await due('service.noShow', trade.orderId);
    return trade;
  }

  test('a companion is not paid for waiting at a time that the own case chose', async () => {
    const before = await worth(one.companion);
    const trade = await delayed('companion');
    expect([await stateOf(trade), await worth(trade.buyer), await worth(one.companion)]).toEqual([
      'ended',
      START,
      before,
    ]);
  });

  test('a companion is not absent at a time that the buyer’s case chose', async () => {
    const counted = async () => (await one.companion.client.ok(getAccompanyerInfo, {})).accompanyer?.noShows;
    const before = await counted();
    const trade = await delayed('buyer');
    expect([await stateOf(trade), await worth(trade.buyer), await counted()]).toEqual(['ended', START, before]);
  });
});
