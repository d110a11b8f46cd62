/** Cases of boosting orders that the system opens, and deposits that two persons decide on (decisions 307 and 308). */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staffBoostingDeposits, staffBoostingInfo } from '#subjects/services/contract/staff-boosting.ts';
import { staffDisputeDetail, staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { boostBan } from '#subjects/services/contract/boosting.ts';
import { codes } from '#contract/codes.ts';
import { answerDispute, disputeDetail, disputeEntry, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { confirmRecGoods } from '#subjects/orders/contract/order.ts';
import {
  answerMilestone,
  serviceAct,
  serviceCancel,
  serviceOrder,
  serviceProgress,
} from '#subjects/services/contract/services.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { addBoostGame, openedBooster, serviceTrade, type ServiceTrade } from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let chief: TestStaff;
let one: Awaited<ReturnType<typeof openedBooster>>;

beforeAll(async () => {
  t = await testApp();
  await addBoostGame(t);
  chief = await t.newStaff({ role: 'admin' });
  one = await openedBooster(t, chief, { balanceFen: 1_000_000 });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

const available = async (user: TestUser): Promise<number> => (await loadBalances(t.ctx.db, user.id)).availableFen;
const due = async (kind: string, ref: number): Promise<void> => {
  await sql`update timer set due_at = now() - interval '1 second' where kind = ${kind} and ref = ${String(ref)}`.execute(
    t.ctx.db,
  );
  await t.timers();
};
const caseOf = async (orderId: number) =>
  (
    await sql<{ id: number; sn: string; belong: number; want: string; wantFen: number }>`
      select id, sn, opener_belong as belong, want, want_fen as "wantFen" from dispute where order_id = ${orderId} and status <> 'closed'`.execute(
      t.ctx.db,
    )
  ).rows[0];
const cancelOf = async (orderId: number) =>
  (
    await sql<{ status: string }>`
      select status from service_cancel where order_id = ${orderId} order by id desc limit 1`.execute(t.ctx.db)
  ).rows[0]?.status;
async function execute(disputeSn: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from dispute where sn = ${disputeSn}`.execute(t.ctx.db);
  await passTime(t.ctx.db, 'dispute', { sn: disputeSn }, { until: 'appeal_until' });
  await due('dispute.execute', rows[0]?.id ?? 0);
}
const half = async ({ booster, orderId }: ServiceTrade) =>
  await booster.client.ok(serviceProgress, {
    orderId,
    seq: 1,
    percent: 50,
    pictures: JSON.stringify([await userPicture(booster)]),
  });

describe('an unanswered cancel', () => {
  test('becomes a case with the amounts of the table, and the other party may still agree', async () => {
    const trade = await serviceTrade(t, one);
    const { buyer, booster, orderId, orderSn } = trade;
    await half(trade);
    await buyer.client.ok(serviceCancel, { orderId, act: 'ask', reason: 'plan' });
    await due('service.cancelAnswer', orderId);
    const d = await caseOf(orderId);
    expect(d).toMatchObject({ belong: 1, want: 'part_refund', wantFen: 8500 });
    expect(await cancelOf(orderId)).toBe('arbitration');
    // Its clock does nothing again, and no act passes the case.
    await due('service.cancelAnswer', orderId);
    expect((await booster.client.call(serviceAct, { orderId, act: 'giveUp', reason: '不打了，抱歉' })).code).toBe(
      codes.ORDER_DISPUTED[0],
    );
    const seen = await booster.client.ok(disputeDetail, { disputeSn: d?.sn ?? '' });
    expect(JSON.stringify(seen)).toContain('协商取消超时未答复');
    // The reason is reserved for the clock: no user can choose it.
    const { reasons } = await buyer.client.ok(disputeEntry, { orderSn });
    expect(reasons.map(({ code }) => code)).not.toContain('cancel_unanswered');
    const before = await available(buyer);
    await booster.client.ok(answerDispute, { disputeSn: d?.sn ?? '', agree: true } as never);
    expect(await available(buyer)).toBe(before + 8585);
    expect((await buyer.client.ok(serviceOrder, { orderSn })).state).toBe('ended');
  });

  test('can be requested again after its case was withdrawn, and waits while another case is open', async () => {
    const { buyer, booster, orderId } = await serviceTrade(t, one);
    const ask = { orderId, act: 'ask', reason: 'plan' } as const;
    await booster.client.ok(serviceCancel, ask);
    await due('service.cancelAnswer', orderId);
    const first = await caseOf(orderId);
    expect(first).toMatchObject({ belong: 0, want: 'other', wantFen: 0 });
    await booster.client.ok(withdrawDispute, { disputeSn: first?.sn ?? '' });
    await booster.client.ok(serviceCancel, ask);
    const { disputeSn } = await buyer.client.ok(boostBan, {
      orderId,
      punishment: '封号 7 天',
      text: '登录时提示被封停',
      pictures: [await userPicture(buyer)],
    } as never);
    await due('service.cancelAnswer', orderId);
    expect(await cancelOf(orderId)).toBe('asked');
    await buyer.client.ok(withdrawDispute, { disputeSn });
    await due('service.cancelAnswer', orderId);
    expect(await cancelOf(orderId)).toBe('arbitration');
  });

  test('for lateness ends by a ruling, which gives the efficiency deposit to the buyer', async () => {
    const { buyer, booster, orderId } = await serviceTrade(t, one);
    await sql`update service_order set due_at = now() - interval '1 minute' where order_id = ${orderId}`.execute(
      t.ctx.db,
    );
    await buyer.client.ok(serviceCancel, { orderId, act: 'ask', reason: 'late' });
    await due('service.cancelAnswer', orderId);
    const disputeSn = (await caseOf(orderId))?.sn ?? '';
    const agreed = await booster.client.call(answerDispute, { disputeSn, agree: true } as never);
    expect(agreed.code).toBe(codes.DISPUTE_STATE[0]);
    await booster.client.ok(answerDispute, { disputeSn, answers: {}, text: '排队太久，没有打完' } as never);
    const before = await available(buyer);
    const reason = '超过约定时间没有进度，按进度结算';
    await chief.client.ok(staffDisputeRule, { disputeSn, refund: '100.00', rules: ['4.1'], reason } as never);
    await execute(disputeSn);
    expect(await available(buyer)).toBe(before + 10_100 + 1000);
  });

  test('is ended once, by the deadline or by a concurrent agreement', async () => {
    const { buyer, booster, orderId } = await serviceTrade(t, one);
    await buyer.client.ok(serviceCancel, { orderId, act: 'ask', reason: 'plan' });
    const [agreed] = await Promise.all([
      booster.client.call(serviceCancel, { orderId, act: 'agree' }),
      due('service.cancelAnswer', orderId),
    ]);
    expect([await cancelOf(orderId), (await caseOf(orderId)) === undefined]).toEqual(
      agreed.code === 0 ? ['agreed', true] : ['arbitration', false],
    );
  });
});

test('cases, staff pages and notices use the service’s own terms', async () => {
  const { buyer, booster, orderId, orderSn } = await serviceTrade(t, one);
  expect((await buyer.client.ok(disputeEntry, { orderSn })).statusName).toBe('待完成');
  const { disputeSn } = await buyer.client.ok(boostBan, {
    orderId,
    punishment: '封号 7 天',
    text: '登录时提示被封停',
    pictures: [await userPicture(buyer)],
  } as never);
  expect((await chief.client.ok(staffDisputeDetail, { disputeSn })).orderStatusName).toBe('待完成');
  await buyer.client.ok(withdrawDispute, { disputeSn });
  for (const seq of [1, 2, 3]) {
    await booster.client.ok(serviceProgress, {
      orderId,
      seq,
      percent: 100,
      pictures: JSON.stringify([await userPicture(booster)]),
    });
    if (seq < 3) await buyer.client.ok(answerMilestone, { orderId, seq, act: 'confirm' });
  }
  await t.relay();
  const { rows } = await sql<{ kind: string; text: string }>`
    select n.kind, n.title || n.body as text from notice n where n.user_id in (${buyer.id}, ${booster.id}) and n.ref like ${`%:${orderId}%`}`.execute(
    t.ctx.db,
  );
  expect(rows.map(({ kind }) => kind)).not.toContain('order.paid');
  expect(rows.map(({ text }) => text).join('\n')).toContain('服务已完成，请验收');
  expect(rows.map(({ text }) => text).join('\n')).not.toMatch(/发货|收货/);
  await buyer.client.ok(confirmRecGoods, { orderId });
});

describe('deposits above the limit of one person', () => {
  let large: Awaited<ReturnType<typeof openedBooster>>;
  beforeAll(async () => {
    large = await openedBooster(t, chief, {
      balanceFen: 3_000_000,
      pack: { price: '4000.00', safetyDeposit: '4000.00', efficiencyDeposit: '2000.00' },
    });
  });
  async function banned() {
    const buyer = await t.newUser({ balanceFen: 1_000_000 });
    const trade = await serviceTrade(t, large, { buyer });
    const { disputeSn } = await buyer.client.ok(boostBan, {
      orderId: trade.orderId,
      punishment: '封号 7 天',
      text: '登录时提示被封停',
      pictures: [await userPicture(buyer)],
    } as never);
    return { ...trade, disputeSn };
  }
  const reason = '封号由外挂引起';

  test('are decided when a colleague decides the same, and the ruling then needs two persons as well', async () => {
    const { buyer, booster, orderSn, disputeSn } = await banned();
    const colleague = await t.newStaff({ role: 'admin' });
    const decide = { orderSn, safety: 'buyer', efficiency: 'buyer', reason } as const;
    expect(await chief.client.ok(staffBoostingDeposits, decide)).toEqual({ waits: true });
    expect((await chief.client.call(staffBoostingDeposits, decide)).code).toBe(codes.SECOND_PERSON[0]);
    const { deposits } = await colleague.client.ok(staffBoostingInfo, { orderSn });
    expect(deposits).toMatchObject({ decided: null, draft: { isMine: false, safety: 'buyer', efficiency: 'buyer' } });
    // A colleague who decides otherwise is the first person of another decision.
    expect(await colleague.client.ok(staffBoostingDeposits, { ...decide, efficiency: 'booster' })).toEqual({
      waits: true,
    });
    const both = await Promise.all(
      [chief, await t.newStaff({ role: 'admin' })].map((staff) =>
        staff.client.call(staffBoostingDeposits, { ...decide, efficiency: 'booster' }),
      ),
    );
    expect(both.filter(({ data }) => (data as { waits?: boolean } | undefined)?.waits === false)).toHaveLength(1);
    const after = await chief.client.ok(staffBoostingInfo, { orderSn });
    expect(after.deposits.decided).toEqual({ safety: 'buyer', efficiency: 'booster' });
    await booster.client.ok(answerDispute, {
      disputeSn,
      answers: { punishment: '封号 7 天' },
      text: '全程手打，没有使用外挂',
    });
    // 4,000 of the price and 4,000 of the deposits go to one side: each below the limit, together above it.
    const ruling = { disputeSn, refund: '4000.00', rules: ['2.2'], reason: '处罚通知与对局记录相符' };
    expect(await chief.client.ok(staffDisputeRule, ruling as never)).toEqual({ waits: true });
    expect(await available(buyer)).toBe(1_000_000 - 404_000);
  });

  test('can be changed by their author, and apply to this case only', async () => {
    const { buyer, orderId, orderSn, disputeSn } = await banned();
    const decide = { orderSn, safety: 'buyer', efficiency: 'buyer', reason } as const;
    const colleague = await t.newStaff({ role: 'admin' });
    const draftFor = async (one: TestStaff) => (await one.client.ok(staffBoostingInfo, { orderSn })).deposits.draft;
    await chief.client.ok(staffBoostingDeposits, decide);
    expect(await chief.client.ok(staffBoostingDeposits, { ...decide, safety: 'booster' })).toEqual({ waits: true });
    expect(await draftFor(chief)).toMatchObject({ isMine: true, safety: 'booster', efficiency: 'buyer' });
    // A replaced decision cannot be confirmed: a colleague's is then a first decision.
    expect(await colleague.client.ok(staffBoostingDeposits, decide)).toEqual({ waits: true });
    expect(await draftFor(chief)).toMatchObject({ isMine: false, safety: 'buyer' });
    await buyer.client.ok(withdrawDispute, { disputeSn });
    const again = await buyer.client.ok(boostBan, {
      orderId,
      punishment: '封号 30 天',
      text: '又被封停了一次',
      pictures: [await userPicture(buyer)],
    } as never);
    expect(await draftFor(chief)).toBeNull();
    expect(await chief.client.ok(staffBoostingDeposits, decide)).toEqual({ waits: true });
    expect(await colleague.client.ok(staffBoostingDeposits, decide)).toEqual({ waits: false });
    await buyer.client.ok(withdrawDispute, again);
  });

  test('below the limit are decided by one person', async () => {
    const { buyer, orderId, orderSn } = await serviceTrade(t, one);
    await buyer.client.ok(boostBan, {
      orderId,
      punishment: '封号 7 天',
      text: '登录时提示被封停',
      pictures: [await userPicture(buyer)],
    } as never);
    const decide = { orderSn, safety: 'buyer', efficiency: 'booster', reason } as const;
    expect(await chief.client.ok(staffBoostingDeposits, decide)).toEqual({ waits: false });
    const { deposits } = await chief.client.ok(staffBoostingInfo, { orderSn });
    expect(deposits.decided).toEqual({ safety: 'buyer', efficiency: 'booster' });
  });
});
