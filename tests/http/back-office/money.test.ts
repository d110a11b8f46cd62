import {
  staffHoldList,
  releaseHoldEarly,
  releaseHolds,
  trialBalanceSheet,
  checkBooks,
} from '#subjects/ledger/contract/staff-ledger.ts';
import { auditList } from '#subjects/back-office/contract/audit.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rejectReview } from '#subjects/goods/contract/staff-review.ts';
import * as c from '#subjects/payments/contract/staff-money.ts';
import { staffCounters } from '#subjects/back-office/contract/overview.ts';
import { openDispute, withdrawDispute } from '#subjects/disputes/contract/dispute.ts';
import { codes } from '#contract/codes.ts';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay, cashAdvance } from '#subjects/payments/contract/pay.ts';
import {
  type StaffPermission,
  type StaffRole,
  staffPermissions,
  staffRoles,
} from '#subjects/back-office/rules/staff.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { timeOver } from '#tests/support/orders/orders.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
const people = {} as Record<StaffRole, TestStaff>;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  for (const role of staffRoles) people[role] = await t.newStaff(role === 'operator' ? { role, distId: 2 } : { role });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

async function auditActions(target: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select act || ' ' || staff_id as line from audit_log where target = ${target} order by id`.execute(t.ctx.db);
  return rows.map((r) => r.line);
}

/** A withdrawal that waits, of a user with money and a payout account. */
async function requestedWithdrawal(yuan: string): Promise<{ user: TestUser; withdrawSn: string }> {
  const user = await t.newUser({ balanceFen: 3_000_000, nickName: `提现人${Math.random().toString(36).slice(2, 8)}` });
  const location = (column: string): string => `payout_account.${column}:${user.id}`;
  await sql`insert into payout_account (user_id, kind, account_enc, account_hash, account_mask, name_enc)
    values (${user.id}, 'alipay', ${encrypt(t.ctx.keys, location('account_enc'), 'a@example.com')}, ${Buffer.from(`h${user.id}`)}, 'a***@example.com', ${encrypt(t.ctx.keys, location('name_enc'), user.realName)})`.execute(
    t.ctx.db,
  );
  await user.client.ok(smsBindPhone, { type: 'payout' });
  const { withdrawSn } = await user.client.ok(cashAdvance, { amount: yuan, smsCode: t.lastCode(user.phone) });
  return { user, withdrawSn };
}

/** A completed sale whose money waits out its protection; returns the hold's id and its seller. */
async function held(
  priceFen: number,
  by: 'buyer' | 'clock' = 'buyer',
): Promise<{ seller: TestUser; buyer: TestUser; holdId: number; netFen: number; orderSn: string }> {
  const seller = await t.newUser({ soldCount: 20 });
  const buyer = await t.newUser({ balanceFen: priceFen * 2 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  await seller.client.ok(offlineTranSub, { orderId });
  if (by === 'buyer') await buyer.client.ok(confirmRecGoods, { orderId });
  else await timeOver(t, orderId);
  const item = (await people.finance.client.ok(staffHoldList, { keyWord: orderSn })).list[0];
  expect(item).toMatchObject({ orderSn, userId: String(seller.id), canRelease: true, code: 'sale_protection' });
  return {
    seller,
    buyer,
    holdId: item?.holdId ?? 0,
    netFen: (await loadBalances(t.ctx.db, seller.id)).frozenFen,
    orderSn,
  };
}

describe('permissions', () => {
  const withdrawSn = 'W0000000000';
  const guarded: readonly [StaffPermission, Endpoint, Input<Endpoint>, 'platform'?][] = [
    ['withdrawal.read', c.staffWithdrawList, {}],
    ['withdrawal.decide', c.approveWithdraw, { withdrawSn }],
    ['withdrawal.decide', c.rejectWithdraw, { withdrawSn, reason: '账户有误' }],
    ['ledger.read', staffHoldList, {}, 'platform'],
    ['hold.release', releaseHoldEarly, { holdId: 999_999, reason: '核实无误' }, 'platform'],
    ['ledger.read', trialBalanceSheet, {}, 'platform'],
    ['ledger.read', checkBooks, {}, 'platform'],
    ['ledger.read', c.transferList, {}, 'platform'],
    ['audit.read', auditList, {}, 'platform'],
  ];

  test.each(guarded)('%s by its roles only', async (permission, endpoint, input, platform) => {
    for (const role of staffRoles) {
      const { code } = await people[role].client.call(endpoint, input);
      expect([role, code === codes.FORBIDDEN[0]]).toEqual([
        role,
        !(staffPermissions[permission] as readonly string[]).includes(role),
      ]);
    }
    if (platform === undefined) return;
    const distStaff = await t.newStaff({ role: 'finance', distId: 2 });
    expect((await distStaff.client.call(endpoint, input)).code).toBe(codes.FORBIDDEN[0]);
  });
});

test('the view of holds that end soon contains only those of the next day', async () => {
  const { orderSn, holdId } = await held(2_000);
  const due = async () => (await people.finance.client.ok(staffHoldList, { keyWord: orderSn, due: '1' })).list.length;
  expect(await due()).toBe(0);
  await sql`update hold set release_at = now() + interval '23 hours' where id = ${holdId}`.execute(t.ctx.db);
  expect(await due()).toBe(1);
});

describe('withdrawals', () => {
  test('finance sees the request, approves it once, and it is paid out', async () => {
    const { user, withdrawSn } = await requestedWithdrawal('100.00');
    const { client, id } = people.finance;
    const pending = await client.ok(c.staffWithdrawList, { status: 0, keyWord: String(user.id) });
    expect(pending.list).toMatchObject([
      { withdrawSn, amount: '100.00', accountMask: 'a***@example.com', accountType: '支付宝', needsSecond: false },
    ]);
    expect(JSON.stringify(pending)).not.toContain('a@example.com');
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => client.call(c.approveWithdraw, { withdrawSn })),
    );
    expect(responses.filter((a) => a.code === 0)).toHaveLength(1);
    await t.timers();
    const paid = (await client.ok(c.staffWithdrawList, { keyWord: withdrawSn })).list[0];
    expect(paid).toMatchObject({ status: 2, statusName: '已到账' });
    expect(await loadBalances(t.ctx.db, user.id)).toMatchObject({ availableFen: 2_990_000, frozenFen: 0 });
    expect(await auditActions(`withdrawal:${withdrawSn}`)).toEqual([`withdrawal.approve ${id}`]);
  });

  test('a large one needs two different people', async () => {
    const { withdrawSn } = await requestedWithdrawal('6000.00');
    const { client, id } = people.finance;
    expect(await client.ok(c.approveWithdraw, { withdrawSn })).toEqual({ status: 0, needsSecond: true });
    expect((await client.ok(c.staffWithdrawList, { keyWord: withdrawSn })).list[0]).toMatchObject({ isMine: true });
    expect((await client.call(c.approveWithdraw, { withdrawSn })).code).toBe(codes.SECOND_PERSON[0]);
    expect(await people.admin.client.ok(c.approveWithdraw, { withdrawSn })).toEqual({ status: 1, needsSecond: false });
    expect(await auditActions(`withdrawal:${withdrawSn}`)).toEqual([
      `withdrawal.first ${id}`,
      `withdrawal.approve ${people.admin.id}`,
    ]);
    await t.timers();
  });

  test('the queue and its view leave out what only a colleague can approve', async () => {
    const { withdrawSn } = await requestedWithdrawal('7000.00');
    const countOf = async (who: TestStaff) =>
      (await who.client.ok(staffCounters, {})).queues.find(({ key }) => key === 'withdrawals')?.count ?? -1;
    const mine = async (who: TestStaff) =>
      (await who.client.ok(c.staffWithdrawList, { todo: true })).list.map((one) => one.withdrawSn);
    const before = [await countOf(people.finance), await countOf(people.admin)] as const;
    expect([await mine(people.finance), await mine(people.admin)]).toEqual([
      expect.arrayContaining([withdrawSn]),
      expect.arrayContaining([withdrawSn]),
    ]);
    await people.finance.client.ok(c.approveWithdraw, { withdrawSn });
    expect(await mine(people.finance)).not.toContain(withdrawSn);
    expect(await mine(people.admin)).toContain(withdrawSn);
    expect([await countOf(people.finance), await countOf(people.admin)]).toEqual([before[0] - 1, before[1]]);
    await people.admin.client.ok(c.approveWithdraw, { withdrawSn });
    expect(await mine(people.admin)).not.toContain(withdrawSn);
    await t.timers();
  });

  test('a rejection returns the money and shows its reason to the user', async () => {
    const { user, withdrawSn } = await requestedWithdrawal('80.00');
    const { client, id } = people.finance;
    expect((await client.call(c.rejectWithdraw, { withdrawSn, reason: '' })).msg).toBe('原因不能为空');
    await client.ok(c.rejectWithdraw, { withdrawSn, reason: '收款账户有误' });
    expect((await client.call(c.approveWithdraw, { withdrawSn })).code).toBe(codes.WITHDRAW_STATE[0]);
    expect((await loadBalances(t.ctx.db, user.id)).availableFen).toBe(3_000_000);
    expect((await client.ok(c.staffWithdrawList, { keyWord: withdrawSn })).list[0]).toMatchObject({
      status: 3,
      note: '收款账户有误',
    });
    expect(await auditActions(`withdrawal:${withdrawSn}`)).toEqual([`withdrawal.refuse ${id}`]);
  });

  test('staff of another distributor can neither see nor decide', async () => {
    const { withdrawSn } = await requestedWithdrawal('90.00');
    const distStaff = await t.newStaff({ role: 'finance', distId: 2 });
    expect((await distStaff.client.ok(c.staffWithdrawList, {})).total).toBe(0);
    expect((await people.operator.client.ok(c.staffWithdrawList, {})).total).toBe(0);
    expect((await distStaff.client.call(c.approveWithdraw, { withdrawSn })).code).toBe(codes.NOT_FOUND[0]);
    expect((await distStaff.client.call(c.rejectWithdraw, { withdrawSn, reason: '否' })).code).not.toBe(0);
    expect(await auditActions(`withdrawal:${withdrawSn}`)).toEqual([]);
  });
});

describe('holds', () => {
  test('is released early with a reason, once, exact to the fen', async () => {
    const { seller, holdId, netFen } = await held(20_000);
    const { client, id } = people.finance;
    const input = { holdId, reason: '买家书面确认' };
    const responses = await Promise.all(Array.from({ length: 4 }, () => client.call(releaseHoldEarly, input)));
    expect(responses.filter((a) => a.code === 0).map((a) => a.data)).toEqual([{ released: true, needsSecond: false }]);
    expect(await loadBalances(t.ctx.db, seller.id)).toMatchObject({ availableFen: netFen, frozenFen: 0 });
    expect(await auditActions(`hold:${holdId}`)).toEqual([`hold.release ${id}`]);
  });

  test('above the limit one requests and another releases', async () => {
    const { seller, holdId, netFen } = await held(900_000);
    const { client, id } = people.finance;
    const input = { holdId, reason: '核实无误' };
    expect(await client.ok(releaseHoldEarly, input)).toEqual({ released: false, needsSecond: true });
    expect((await client.call(releaseHoldEarly, input)).code).toBe(codes.SECOND_PERSON[0]);
    expect((await loadBalances(t.ctx.db, seller.id)).frozenFen).toBe(netFen);
    const view = await people.admin.client.ok(staffHoldList, { keyWord: String(seller.id) });
    expect(view.list[0]).toMatchObject({ askedReason: '核实无误', isMine: false });
    expect(await people.admin.client.ok(releaseHoldEarly, input)).toEqual({ released: true, needsSecond: true });
    expect(await loadBalances(t.ctx.db, seller.id)).toMatchObject({ availableFen: netFen, frozenFen: 0 });
    expect(await auditActions(`hold:${holdId}`)).toEqual([`hold.release.ask ${id}`, `hold.release ${people.admin.id}`]);
  });

  test('of a sale that the clock completed takes two people for any amount, also among others', async () => {
    const { seller, buyer, holdId, netFen, orderSn } = await held(20_000, 'clock');
    const { client } = people.finance;
    const [item] = (await client.ok(staffHoldList, { keyWord: orderSn })).list;
    expect(item).toMatchObject({ canRelease: true, needsSecond: true });
    const many = { holdIds: [holdId], reason: '核实无误' };
    expect((await client.ok(releaseHolds, many)).refused[0]?.text).toBe('需要两人，已申请，等另一位同事复核');
    const input = { holdId, reason: '核实无误' };
    expect((await client.call(releaseHoldEarly, input)).code).toBe(codes.SECOND_PERSON[0]);
    expect((await loadBalances(t.ctx.db, seller.id)).frozenFen).toBe(netFen);
    // What the buyer does later is no confirmation.
    const later = await buyer.client.call(openDispute, {
      orderSn,
      reason: 'not_as_described',
      want: 'refund',
      answers: { field: '段位', found: '低两段' },
      text: '实际段位比描述低了两段',
    });
    await buyer.client.ok(withdrawDispute, { disputeSn: later.data?.disputeSn ?? '' });
    expect((await client.ok(staffHoldList, { keyWord: orderSn })).list[0]).toMatchObject({ needsSecond: true });
    expect(await people.admin.client.ok(releaseHoldEarly, input)).toEqual({ released: true, needsSecond: true });
    expect(await loadBalances(t.ctx.db, seller.id)).toMatchObject({ availableFen: netFen, frozenFen: 0 });
  });

  test('that a claim has stopped is not offered and not released', async () => {
    const { seller, holdId, netFen, orderSn } = await held(20_000);
    await sql`update hold set release_at = null where id = ${holdId}`.execute(t.ctx.db);
    expect((await people.finance.client.ok(staffHoldList, { keyWord: orderSn })).list[0]?.canRelease).toBe(false);
    const { code } = await people.finance.client.call(releaseHoldEarly, { holdId, reason: '核实无误' });
    expect(code).toBe(codes.ORDER_STATE[0]);
    expect((await loadBalances(t.ctx.db, seller.id)).frozenFen).toBe(netFen);
    await sql`update hold set release_at = now() + interval '1 day' where id = ${holdId}`.execute(t.ctx.db);
  });

  test('a disputed order’s hold cannot be released', async () => {
    const { seller, holdId, netFen, orderSn } = await held(30_000);
    await sql`update orders set disputed = true where sn = ${orderSn}`.execute(t.ctx.db);
    const { code } = await people.finance.client.call(releaseHoldEarly, { holdId, reason: '核实无误' });
    expect(code).toBe(codes.ORDER_STATE[0]);
    expect((await loadBalances(t.ctx.db, seller.id)).frozenFen).toBe(netFen);
    await sql`update orders set disputed = false where sn = ${orderSn}`.execute(t.ctx.db);
  });

  test('a withdrawal’s hold cannot be released', async () => {
    const { user } = await requestedWithdrawal('70.00');
    const item = (await people.finance.client.ok(staffHoldList, { keyWord: String(user.id) })).list[0];
    expect(item).toMatchObject({ code: 'withdrawal', canRelease: false });
    const response = await people.finance.client.call(releaseHoldEarly, {
      holdId: item?.holdId ?? 0,
      reason: '试试',
    });
    expect(response.code).toBe(codes.NOT_FOUND[0]);
  });
});

test('the ledger is balanced, every rule holds, and an order’s transfers are explained', async () => {
  const { orderSn, seller } = await held(10_000);
  const { client } = people.finance;
  const sheet = await client.ok(trialBalanceSheet, {});
  expect([sheet.balanced, sheet.total]).toEqual([true, '0.00']);
  expect((await client.ok(checkBooks, {})).breaches).toEqual([]);
  const { list } = await client.ok(c.transferList, { keyWord: orderSn });
  expect(list.map((l) => [l.title, l.amount])).toEqual(
    expect.arrayContaining([
      ['支付订单', '101.00'],
      ['卖出货款（保护期冻结）', '95.00'],
      ['卖家佣金', '5.00'],
      ['买家服务费', '1.00'],
    ]),
  );
  const { rows } = await sql<{ name: string }>`select nick_name as name from app_user where id = ${seller.id}`.execute(
    t.ctx.db,
  );
  expect(list.map((l) => l.to)).toContain(`用户冻结款 ${rows[0]?.name} ${seller.id}`);
});

test('the log names users and the owner of a hold next to their numbers', async () => {
  const { holdId, seller } = await held(12_000);
  await people.finance.client.ok(releaseHoldEarly, { holdId, reason: '买家书面确认' });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, status: 1 });
  await people.reviewer.client.ok(rejectReview, { goodsSn: goods.sn, version: 1, reason: '图片不清晰' });
  const { rows } = await sql<{ name: string }>`select nick_name as name from app_user where id = ${seller.id}`.execute(
    t.ctx.db,
  );
  const name = rows[0]?.name ?? '';
  const [released] = (await people.admin.client.ok(auditList, { keyWord: `hold:${holdId}` })).list;
  expect(released?.target).toBe(`冻结款 ${name} ${holdId}`);
  const [rejected] = (await people.admin.client.ok(auditList, { keyWord: goods.sn })).list;
  expect(rejected?.detail).toBe(`卖家 ${name} ${seller.id}，原因 图片不清晰`);
});

test('administrators can read the actions of staff, by person and by kind', async () => {
  const { withdrawSn } = await requestedWithdrawal('60.00');
  await people.finance.client.ok(c.rejectWithdraw, { withdrawSn, reason: '请换账户' });
  const { list } = await people.admin.client.ok(auditList, {
    staffId: people.finance.id,
    group: 'withdrawal',
    keyWord: withdrawSn,
  });
  expect(list).toMatchObject([{ actName: '提现退回', target: `提现 ${withdrawSn}`, ip: people.finance.client.ip }]);
  expect(list[0]?.detail).toContain('金额 60.00 元，原因 请换账户');
});
