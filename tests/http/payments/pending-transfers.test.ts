/** Refunds that a channel leaves open: frozen, explained to finance, and closed by two people. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { staffCounters } from '#subjects/back-office/contract/overview.ts';
import { closeRefund, pendingTransfers } from '#subjects/payments/contract/staff-pending.ts';
import { refundTopup, staffTopupList } from '#subjects/payments/contract/staff-topups.ts';
import { codes } from '#contract/codes.ts';
import { recPay } from '#subjects/payments/contract/pay.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { startChannels } from '#tests/support/fakes/channels.ts';

let t: TestApp;
let w: Awaited<ReturnType<typeof startChannels>>;
let finance: TestStaff;
let admin: TestStaff;

beforeAll(async () => {
  w = await startChannels();
  t = await testApp({ overrides: { pay: w.channels }, env: { METRICS_TOKEN: 'a-token' } });
  finance = await t.newStaff({ role: 'finance' });
  admin = await t.newStaff({ role: 'admin' });
});
beforeEach(() => {
  w.wechat.refundBegins = 'SUCCESS';
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
  await w.close();
});

const money = async (user: TestUser) => {
  const { availableFen, frozenFen } = await loadBalances(t.ctx.db, user.id);
  return [availableFen, frozenFen];
};

async function later(minutes: number): Promise<void> {
  await passTime(t.ctx.db, 'timer', { kind: ['pay.watch', 'refund.send'] }, { minutes });
  await t.relay();
  await t.timers();
}

/** A top-up of 100.00 whose refund the channel answers with a state or a code. */
async function openRefund(answer: 'ABNORMAL' | 'PROCESSING' | { code: string }) {
  const user = await t.newUser();
  const isAlipay = typeof answer === 'object';
  const p = await user.client.ok(recPay, { amount: '100.00', aliOrWx: isAlipay ? 1 : 2 });
  (isAlipay ? w.alipay : w.wechat).pay(p.payInterSn);
  await later(1);
  const { list } = await finance.client.ok(staffTopupList, { keyWord: p.payInterSn });
  if (isAlipay) w.alipay.refuseNext = answer.code;
  else w.wechat.refundBegins = answer;
  const input = { paymentId: list[0]?.paymentId ?? 0, amount: '100.00', reason: '用户误充' };
  const { refundNo } = await finance.client.ok(refundTopup, input);
  await later(1);
  return { user, refundNo: refundNo ?? '' };
}

const found = async (sn: string) => (await finance.client.ok(pendingTransfers, {})).list.find((row) => row.sn === sn);

test('a refund in WeChat’s state ABNORMAL stays frozen until two people register its result', async () => {
  const { user, refundNo } = await openRefund('ABNORMAL');
  expect(await money(user)).toEqual([0, 10_000]);
  await later(10);
  expect(await money(user)).toEqual([0, 10_000]);
  expect(await found(refundNo)).toMatchObject({ kind: 'refund', code: 'ABNORMAL', canClose: true, asked: null });
  expect((await found(refundNo))?.meaning).toContain('商户平台');
  const { queues } = await finance.client.ok(staffCounters, {});
  expect(queues.find(({ key }) => key === 'pendingTransfers')?.count).toBeGreaterThan(0);
  const input = { refundNo, outcome: 'buyer', reason: '商户平台显示已人工退款到买家银行卡' } as const;
  expect(await finance.client.ok(closeRefund, input)).toEqual({ closed: false });
  expect((await finance.client.call(closeRefund, input)).code).toBe(codes.SECOND_PERSON[0]);
  expect((await admin.client.call(closeRefund, { ...input, outcome: 'us' })).msg).toContain('已退给买家');
  expect(await money(user)).toEqual([0, 10_000]);
  // Two confirmations at the same moment end it once.
  const both = await Promise.all([admin.client.call(closeRefund, input), admin.client.call(closeRefund, input)]);
  expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(await money(user)).toEqual([0, 0]);
  expect(await found(refundNo)).toBeUndefined();
  await later(10);
  expect(await money(user)).toEqual([0, 0]);
});

test('a refund that returned to us is credited to the balance', async () => {
  const { user, refundNo } = await openRefund('ABNORMAL');
  const input = { refundNo, outcome: 'us', reason: '商户平台显示已退回商户账户' } as const;
  await finance.client.ok(closeRefund, input);
  expect(await admin.client.ok(closeRefund, input)).toEqual({ closed: true });
  expect(await money(user)).toEqual([10_000, 0]);
});

test('a refund with an unknown code is a task for finance after an hour, and counts in the metrics', async () => {
  const { user, refundNo } = await openRefund({ code: 'ACQ.SOME_NEW_CODE' });
  expect(await money(user)).toEqual([0, 10_000]);
  expect(await found(refundNo)).toBeUndefined();
  const input = { refundNo, outcome: 'us', reason: '商户平台没有这笔退款' } as const;
  expect((await finance.client.call(closeRefund, input)).code).toBe(codes.ORDER_STATE[0]);
  await sql`update refund set created_at = now() - interval '2 hours' where refund_no = ${refundNo}`.execute(t.ctx.db);
  expect(await found(refundNo)).toMatchObject({ code: 'ACQ.SOME_NEW_CODE' });
  expect((await found(refundNo))?.meaning).toContain('没有登记过的错误码');
  const { body } = await t.app.http.inject({ url: '/metrics', headers: { authorization: 'Bearer a-token' } });
  const age = Number(/^pending_transfer_age_seconds\{what="refund"\} ([\d.]+)$/m.exec(body)?.[1]);
  expect(age).toBeGreaterThan(7_000);
  // The job succeeds after all.
  await later(2);
  expect(await money(user)).toEqual([0, 0]);
  expect(await found(refundNo)).toBeUndefined();
});

test('only finance of the platform sees and closes them', async () => {
  const { refundNo } = await openRefund('ABNORMAL');
  const service = await t.newStaff({ role: 'service' });
  const operator = await t.newStaff({ role: 'operator', distId: 1 });
  for (const { client } of [service, operator]) {
    expect((await client.call(pendingTransfers, {})).code).toBe(codes.FORBIDDEN[0]);
    const input = { refundNo, outcome: 'us', reason: '核对过' } as const;
    expect((await client.call(closeRefund, input)).code).toBe(codes.FORBIDDEN[0]);
  }
});
