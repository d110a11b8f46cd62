/** Accounts bought by the platform: the inspector cannot take it over, its take-over or a ruling pays for it, and no clock does (decision 523). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capitalManagement } from '#subjects/accounts/contract/user.ts';
import * as c from '#subjects/recycling/contract/account-recycling.ts';
import {
  staffDisputeDetail,
  staffDisputeRule,
  staffDisputeSecond,
} from '#subjects/disputes/contract/staff-disputes.ts';
import { releaseHoldEarly, releaseHolds, staffHoldList } from '#subjects/ledger/contract/staff-ledger.ts';
import { orderDetail } from '#subjects/orders/contract/order.ts';
import { staffOrderDetail, staffReveal } from '#subjects/orders/contract/staff-orders.ts';
import { codes } from '#contract/codes.ts';
import { answerDispute } from '#subjects/disputes/contract/dispute.ts';
import { releaseHold } from '#subjects/ledger/server/service.ts';
import { scheduleMissingTimers } from '#subjects/recycling/server/accounts/clock.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { assign, staffPicture } from '#tests/support/orders/orders.ts';
import type { TestStaff } from '#tests/support/servers/build.ts';
import { openRecycling, type Recycling, SAID } from '#tests/support/services/recycling.ts';

let m: Recycling;
let other: TestStaff;
let third: TestStaff;

beforeAll(async () => {
  m = await openRecycling();
  [other, third] = [await m.t.newStaff({ role: 'service' }), await m.t.newStaff({ role: 'service' })];
});
afterAll(() => m.close());

type Bought = Awaited<ReturnType<Recycling['soldToPlatform']>>;
const fenOf = ({ floorPrice }: Bought): number => Math.round(Number(floorPrice) * 100);

/** The platform takes the floor, and one member of staff reads the account. */
async function inspected(): Promise<Bought> {
  const request = await m.soldToPlatform();
  expect((await m.inspect(request.sn, SAID)).code).toBe(0);
  return request;
}
const took = async (staff: TestStaff, { sn }: Bought) =>
  await staff.client.call(c.staffRecycleTaken, { requestSn: sn });
const opens = async (staff: TestStaff, { orderId }: Bought) =>
  await staff.client.call(staffReveal, { orderId, step: 1 } as never);
const casesOf = async ({ orderId }: Bought): Promise<string[]> =>
  (
    await sql<{ sn: string }>`select sn from dispute where order_id = ${orderId} order by id`.execute(m.t.ctx.db)
  ).rows.map(({ sn }) => sn);

/** Lets the time for the take-over be over, and runs every clock of the order. */
async function runOut(request: Bought): Promise<void> {
  await passTime(m.t.ctx.db, 'hold', { ref: String(request.orderId) }, { days: 8 });
  for (const kind of ['hold.release', 'recycle.takeOver'] as const) await makeDue(m.t.ctx.db, kind, request.orderId);
  await m.t.timers();
  await m.t.relay();
}

test('A3: no clock pays what nobody has taken over; a case opens, in which two people decide', async () => {
  const request = await inspected();
  await runOut(request);
  expect(await m.balances(request.seller)).toMatchObject({ availableFen: 0, frozenFen: fenOf(request) });
  const [disputeSn = ''] = await casesOf(request);
  expect(disputeSn).not.toBe('');
  expect(await m.info(request)).toMatchObject({ statusName: '申诉处理中' });
  // The hold would not end by time either.
  await sql`update hold set release_at = now() - interval '1 minute' where ref = ${String(request.orderId)}`.execute(
    m.t.ctx.db,
  );
  expect(await releaseHold(m.t.ctx.db, { orderId: request.orderId })).toBe(false);
  const answers = { answer: '交付时和描述一致' };
  await request.seller.client.ok(answerDispute, { disputeSn, answers, text: '交付时和描述一致' } as never);
  const one = await m.t.newStaff({ role: 'admin' });
  const ruling = { disputeSn, refund: '0', rules: ['2.2'], reason: '核对后账号与验号结果一致' } as never;
  expect(await one.client.ok(staffDisputeRule, ruling)).toEqual({ waits: true });
  expect((await one.client.call(staffDisputeRule, ruling)).code).not.toBe(0);
  expect(await m.available(request.seller)).toBe(0);
});

test('A3: a case that was withdrawn does not pay, and opens again', async () => {
  const request = await inspected();
  await runOut(request);
  await sql`update dispute set status = 'closed', outcome = 'withdrawn', closed_at = now() where order_id = ${request.orderId}`.execute(
    m.t.ctx.db,
  );
  await sql`update hold set release_at = now() - interval '1 minute' where ref = ${String(request.orderId)}`.execute(
    m.t.ctx.db,
  );
  expect(await releaseHold(m.t.ctx.db, { orderId: request.orderId })).toBe(false);
  await runOut(request);
  expect(await casesOf(request)).toHaveLength(2);
  expect(await m.available(request.seller)).toBe(0);
});

test('an account that waits for the platform is no finished trade, and no page names a time of payment', async () => {
  const request = await inspected();
  const { orderSn } = await m.info(request);
  const view = async () => await request.seller.client.ok(orderDetail, { orderSn: orderSn ?? '' });
  const waiting = await view();
  expect(waiting.due).toMatchObject({ title: '等待平台接管账号', turn: 'staff' });
  expect(waiting.money).toMatchObject({ where: '等待接管账号，平台冻结中', releaseTime: null });
  expect(waiting.money.reason).toContain('不会自动放款');
  expect(waiting.money.parts.find(({ code }) => code === 'goods')).toMatchObject({ until: '平台接管后放款' });
  const { holds } = await request.seller.client.ok(capitalManagement, {});
  expect(holds.filter((hold) => hold.orderSn === orderSn)).toMatchObject([{ releaseTime: null }]);
  await runOut(request);
  expect((await view()).due).toMatchObject({ title: '申诉处理中', turn: 'staff' });
});

test('the pages name the platform as the one who takes over, also before the inspection', async () => {
  const request = await m.soldToPlatform();
  const { orderSn } = await m.info(request);
  const pages = async () => {
    const { money, steps } = await request.seller.client.ok(orderDetail, { orderSn: orderSn ?? '' });
    return [money.points.at(-1)?.text, money.parts.find(({ code }) => code === 'goods')?.until, steps.at(-1)?.text];
  };
  expect(await pages()).toEqual(['验号通过，平台接管后', '验号通过，再到平台接管账号', '平台接管账号后']);
  expect((await m.inspect(request.sn, SAID)).code).toBe(0);
  expect(await pages()).toEqual(['验号通过，平台接管后', '平台接管后放款', '平台接管账号后']);
});

test('the second colleague reads who has confirmed the take-over, and the first one is not asked again', async () => {
  const request = await inspected();
  const seenBy = async (staff: TestStaff) => {
    const { canInspect, canTake, taken, why } = await staff.client.ok(c.staffRecycleInfo, { requestSn: request.sn });
    return { canInspect, canTake, taken, why };
  };
  const open = { canInspect: false, canTake: true, why: '' };
  expect(await seenBy(other)).toEqual({ ...open, taken: null });
  expect(await seenBy(m.kefu)).toEqual({
    canInspect: false,
    canTake: false,
    taken: null,
    why: '等两位没有验号的同事接管账号',
  });
  await opens(other, request);
  expect(await other.client.ok(c.staffRecycleTaken, { requestSn: request.sn })).toEqual({ waits: true });
  expect(await seenBy(other)).toMatchObject({ ...open, taken: { isMine: true } });
  expect(await seenBy(third)).toMatchObject({ ...open, taken: { isMine: false } });
  await opens(third, request);
  expect(await third.client.ok(c.staffRecycleTaken, { requestSn: request.sn })).toEqual({ waits: false });
  const { orderSn } = await m.info(request);
  const { money, process } = await request.seller.client.ok(orderDetail, { orderSn: orderSn ?? '' });
  expect(money.reason).toBe('账号已交出，货款已转入您的可用余额。');
  expect(JSON.stringify(process)).not.toContain('回收商接管');
  expect(await seenBy(third)).toEqual({ canInspect: false, canTake: false, taken: null, why: '' });
});

/** Tries to end the hold of an order early as a member of finance; the list offers it neither. */
async function refusesEarlyEnd(orderId: number): Promise<void> {
  const finance = await m.t.newStaff({ role: 'finance' });
  const { rows } = await sql<{ id: number }>`
    select id from hold where code = 'sale_protection' and ref = ${String(orderId)}`.execute(m.t.ctx.db);
  const holdId = rows[0]?.id ?? 0;
  const { list } = await finance.client.ok(staffHoldList, { code: 'sale_protection' });
  expect(list.find((hold) => hold.holdId === holdId)).toMatchObject({ canRelease: false });
  const refused = await finance.client.call(releaseHoldEarly, { holdId, reason: '卖家着急用钱' });
  expect([refused.code, refused.msg]).toEqual([codes.ORDER_STATE[0], '回收的账号在接管后或到期时解冻，不能提前解冻']);
  const many = await finance.client.ok(releaseHolds, { holdIds: [holdId], reason: '卖家着急用钱' });
  expect(many).toMatchObject({ done: [], refused: [{}] });
}

test('finance cannot end the hold of an account before its recycler has taken it over', async () => {
  const request = await m.sold();
  expect((await m.inspect(request.sn, SAID)).code).toBe(0);
  await refusesEarlyEnd(request.orderId);
  expect((await m.balances(request.seller)).frozenFen).toBeGreaterThan(0);
  await request.buyer.client.ok(c.recycleTaken, { requestSn: request.sn });
  expect((await m.balances(request.seller)).frozenFen).toBe(0);
});

test('A3: finance cannot end the hold early, and a purchase of an earlier build gets its clock', async () => {
  const request = await inspected();
  await refusesEarlyEnd(request.orderId);
  await sql`delete from timer where kind = 'recycle.takeOver' and ref = ${String(request.orderId)}`.execute(m.t.ctx.db);
  await scheduleMissingTimers(m.t.ctx);
  await runOut(request);
  expect(await casesOf(request)).toHaveLength(1);
});

test('A3: colleagues who have not read the account open it from the settlement until the take-over', async () => {
  const request = await m.soldToPlatform();
  expect((await opens(other, request)).code).toBe(codes.SEAL_NOT_ASSIGNED[0]);
  expect((await m.inspect(request.sn, SAID)).code).toBe(0);
  // Neither the inspector, nor the staff of a brand, nor the one it is assigned to afterwards.
  expect((await opens(m.kefu, request)).code).toBe(codes.ORDER_STATE[0]);
  const operator = await m.t.newStaff({ role: 'operator', distId: 1 });
  expect((await opens(operator, request)).code).not.toBe(0);
  const { orderSn } = await m.info(request);
  const canTake = async (staff: TestStaff) =>
    (await staff.client.ok(c.staffRecycleInfo, { requestSn: request.sn })).canTake;
  expect([await canTake(m.kefu), await canTake(other)]).toEqual([false, true]);
  const seen = await other.client.ok(staffOrderDetail, { orderSn: orderSn ?? '' });
  expect(seen.sealAccess).toMatchObject({ isMine: true });
  // Nobody has taken over what nobody has opened.
  expect((await took(other, request)).code).toBe(codes.ORDER_STATE[0]);
  const opened = await opens(other, request);
  expect(opened.data?.form).toMatchObject({ purpose: '接收账号', fields: expect.any(Array) });
  expect((await took(m.kefu, request)).code).toBe(codes.FORBIDDEN[0]);
  expect((await took(other, request)).data).toEqual({ waits: true });
  await opens(third, request);
  expect((await took(third, request)).data).toEqual({ waits: false });
  expect(await m.available(request.seller)).toBe(fenOf(request));
  expect((await opens(other, request)).code).toBe(codes.SEAL_NOT_ASSIGNED[0]);
});

test('A3: each of the two who confirm the take-over has opened the account himself', async () => {
  const request = await inspected();
  const hasOpened = async (staff: TestStaff) =>
    (await staff.client.ok(c.staffRecycleInfo, { requestSn: request.sn })).hasOpened;
  const refusal = [codes.ORDER_STATE[0], '请您本人先在订单里打开密封信息，登录核对后再确认接管；同事打开的不算'];
  const tries = async (staff: TestStaff) => {
    const { code, msg } = await took(staff, request);
    return [code, msg];
  };
  await opens(other, request);
  expect([await hasOpened(other), await hasOpened(third)]).toEqual([true, false]);
  // A colleague's opening is not enough, neither for the first confirmation nor for the second.
  expect(await tries(third)).toEqual(refusal);
  expect((await took(other, request)).data).toEqual({ waits: true });
  expect(await tries(third)).toEqual(refusal);
  expect((await took(m.kefu, request)).code).toBe(codes.FORBIDDEN[0]);
  expect((await took(other, request)).code).toBe(codes.SECOND_PERSON[0]);
  expect(await m.available(request.seller)).toBe(0);
  await opens(third, request);
  expect(await hasOpened(third)).toBe(true);
  expect((await took(third, request)).data).toEqual({ waits: false });
  expect(await m.available(request.seller)).toBe(fenOf(request));
});

test('A3: whoever inspected the account rules on its case neither first nor second', async () => {
  const inspector = await m.t.newStaff({ role: 'admin' });
  const request = await m.soldToPlatform();
  await assign(m.t, request.orderId, inspector);
  const picture = await staffPicture(inspector);
  expect((await m.inspect(request.sn, SAID, inspector, [picture])).code).toBe(0);
  await runOut(request);
  const [disputeSn = ''] = await casesOf(request);
  const answers = { answer: '交付时和描述一致' };
  await request.seller.client.ok(answerDispute, { disputeSn, answers, text: '交付时和描述一致' } as never);
  const ruling = { disputeSn, refund: '0', rules: ['2.2'], reason: '核对后账号与验号结果一致' } as never;
  const refusal = { code: codes.FORBIDDEN[0], msg: '验号的同事不能裁决这笔申诉，请换一位' };
  expect(await inspector.client.call(staffDisputeRule, ruling)).toMatchObject(refusal);
  const [one, two] = [await m.t.newStaff({ role: 'admin' }), await m.t.newStaff({ role: 'admin' })];
  expect(await one.client.ok(staffDisputeRule, ruling)).toEqual({ waits: true });
  const { draft } = await two.client.ok(staffDisputeDetail, { disputeSn });
  const second = { disputeSn, draftId: draft?.draftId ?? 0, allow: '1' } as never;
  expect(await inspector.client.call(staffDisputeSecond, second)).toMatchObject(refusal);
  expect((await two.client.call(staffDisputeSecond, second)).code).toBe(0);
});

test('A3: whoever confirms at the moment at which the time ends, the money moves once or the case stops it', async () => {
  const request = await inspected();
  for (const staff of [other, third]) await opens(staff, request);
  await took(other, request);
  await passTime(m.t.ctx.db, 'hold', { ref: String(request.orderId) }, { days: 8 });
  await makeDue(m.t.ctx.db, 'recycle.takeOver', request.orderId);
  const [confirmed] = await Promise.all([took(third, request), m.t.timers()]);
  const isPaid = confirmed.code === 0;
  expect(fenOf(request)).toBeGreaterThan(0);
  expect(await m.available(request.seller)).toBe(isPaid ? fenOf(request) : 0);
  expect(await casesOf(request)).toHaveLength(isPaid ? 0 : 1);
});

test('A3: eight confirmations at once release once, and none of them leaves a request that nobody made', async () => {
  const fourth = await m.t.newStaff({ role: 'service' });
  for (let round = 0; round < 3; round++) {
    const request = await inspected();
    for (const staff of [other, third, fourth]) await opens(staff, request);
    expect((await took(other, request)).data).toEqual({ waits: true });
    const before = await m.available(request.seller);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => took(n % 2 === 0 ? third : fourth, request)));
    expect(answers.filter(({ code }) => code !== 0 && code !== codes.ORDER_STATE[0])).toEqual([]);
    expect(answers.filter(({ data }) => data?.waits === true)).toEqual([]);
    expect((await m.available(request.seller)) - before).toBe(fenOf(request));
    const { rows } = await sql<{ status: string; n: number }>`
      select a.status, count(*)::int as n from approval a join orders o on a.target = 'order:' || o.sn
      where a.act = 'recycle.taken' and o.id = ${request.orderId} group by 1`.execute(m.t.ctx.db);
    expect(rows).toEqual([{ status: 'allowed', n: 1 }]);
  }
});
