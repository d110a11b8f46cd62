import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminQueryUserList } from '#contract/backstage.ts';
import { staffHome } from '#contract/backstage-home.ts';
import * as c from '#contract/backstage-orders.ts';
import { setUserStatus } from '#contract/backstage-users.ts';
import { codes } from '#contract/codes.ts';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { orderDetail, placeOrder } from '#contract/order.ts';
import { balancePay } from '#contract/pay.ts';
import { type StaffPower, type StaffRole, staffPowers, staffRoles } from '#contract/rules/staff.ts';
import { balancesOf, brokenInvariants } from '#server/slices/ledger/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/build.ts';
import { addGame, addGoods } from '#tests/support/goods.ts';

let t: TestApp;
let seller: TestUser;
const people = {} as Record<StaffRole, TestStaff>;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx, { handover: true });
  seller = await t.newUser({ soldCount: 9 });
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  for (const role of staffRoles) people[role] = await t.newStaff(role === 'operator' ? { role, distId: 2 } : { role });
});
afterAll(async () => {
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

async function acts(target: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select act || ' ' || staff_id as line from audit_log where target = ${target} order by id`.execute(t.ctx.db);
  return rows.map((r) => r.line);
}

/** A paid order: an account with hand-over steps (type 1), or an item without (type 27). */
async function paid(typeId: number, priceFen = 10_000) {
  const buyer = await t.newUser({ balanceFen: priceFen * 5 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId, priceFen });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  return { ...order, buyer };
}

describe('who may do what', () => {
  const guarded: readonly [StaffPower, Endpoint, Input<Endpoint>][] = [
    ['order.read', c.staffOrderList, {}],
    ['order.read', c.staffOrderDetail, { orderSn: '26112000000000' }],
    ['order.act', c.staffOrderStep, { orderId: 999_999, act: 'ship', reason: '核实无误' }],
    ['order.act', c.staffHandoverDone, { orderId: 999_999, step: 1 }],
    ['order.act', c.staffReveal, { orderId: 999_999, step: 1 }],
    ['user.freeze', setUserStatus, { userId: '999999', status: '2', reason: '违规' }],
  ];

  test.each(guarded)('%s by its roles alone', async (power, endpoint, input) => {
    for (const role of staffRoles) {
      const { code } = await people[role].client.call(endpoint, input);
      expect([role, code === codes.FORBIDDEN[0]]).toEqual([
        role,
        !(staffPowers[power] as readonly string[]).includes(role),
      ]);
    }
  });
});

describe('orders', () => {
  test('found by number, by buyer, by phone; a party’s view and the staff’s agree on the money', async () => {
    const { orderSn, buyer } = await paid(27);
    const { client } = people.service;
    for (const keyWord of [orderSn, String(buyer.id), buyer.phone])
      expect((await client.ok(c.staffOrderList, { keyWord })).list.map((o) => o.orderSn)).toEqual([orderSn]);
    const seen = await client.ok(c.staffOrderDetail, { orderSn });
    expect(seen).toMatchObject({ buyerId: String(buyer.id), sellerId: String(seller.id), canAct: true, status: 1 });
    expect(seen.totalPrice).toBe((await buyer.client.ok(orderDetail, { orderSn })).totalPrice);
    expect(seen.acts.map((a) => [a.act, a.enabled])).toEqual([
      ['staffClose', true],
      ['ship', false],
    ]);
    expect((await people.finance.client.ok(c.staffOrderDetail, { orderSn })).acts).toEqual([]);
  });

  test('closed by staff: refunded in full, once, with the reason on both records', async () => {
    const { orderId, orderSn, buyer } = await paid(27);
    const input = { orderId, act: 'staffClose' as const, reason: '卖家失联' };
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => people.service.client.call(c.staffOrderStep, input)),
    );
    expect(answers.some((a) => a.code === 0 && a.data.status === 9)).toBe(true);
    expect((await balancesOf(t.ctx.db, buyer.id)).availableFen).toBe(50_000);
    const seen = await buyer.client.ok(orderDetail, { orderSn });
    expect(seen.process.filter((p) => p.orderStatus === 9).map((p) => p.explain)).toEqual([
      '平台关闭了订单，货款已全额退回买家余额：卖家失联',
    ]);
    expect((await acts(`order:${orderSn}`))[0]).toBe(`order.close ${people.service.id}`);
  });

  test('a large refund needs two people, and nothing moves before the second', async () => {
    const { orderId, orderSn, buyer } = await paid(27, 900_000);
    const { client, id } = people.service;
    const input = { orderId, act: 'staffClose' as const, reason: '卖家失联' };
    expect(await client.ok(c.staffOrderStep, input)).toMatchObject({ status: 1, waits: true });
    expect((await client.call(c.staffOrderStep, input)).code).toBe(codes.SECOND_PERSON[0]);
    expect((await balancesOf(t.ctx.db, buyer.id)).availableFen).toBeLessThan(4_500_000);
    expect((await client.ok(c.staffOrderList, { second: '1' })).list.map((o) => o.orderSn)).toEqual([orderSn]);
    const other = people.admin.client;
    expect((await other.ok(c.staffOrderDetail, { orderSn })).closeAsked).toMatchObject({
      reason: '卖家失联',
      isMine: false,
    });
    expect(await other.ok(c.staffOrderStep, input)).toMatchObject({ status: 9, waits: false });
    expect((await balancesOf(t.ctx.db, buyer.id)).availableFen).toBe(4_500_000);
    expect(await acts(`order:${orderSn}`)).toEqual([`order.close.ask ${id}`, `order.close ${people.admin.id}`]);
    expect((await client.ok(c.staffOrderList, { second: '1' })).total).toBe(0);
  });

  test('shipped for the seller only when the steps before it are done, which staff can do as well', async () => {
    const { orderId, orderSn, buyer } = await paid(1);
    const { client, id } = people.service;
    const ship = { orderId, act: 'ship' as const, reason: '卖家已在群内交付' };
    expect((await client.call(c.staffOrderStep, ship)).code).toBe(codes.ORDER_HANDOVER_OPEN[0]);
    expect((await client.call(c.staffHandoverDone, { orderId, step: 2 })).code).toBe(codes.ORDER_STATE[0]);
    await client.ok(c.staffHandoverDone, { orderId, step: 1 });
    expect((await client.ok(c.staffOrderStep, ship)).status).toBe(2);
    expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(2);
    expect(await acts(`order:${orderSn}`)).toEqual([`order.handover ${id}`, `order.ship ${id}`]);
  });

  test('another distributor’s staff find nothing and can do nothing', async () => {
    const { orderId, orderSn } = await paid(27);
    const bound = await t.newStaff({ role: 'service', distId: 2 });
    expect((await bound.client.ok(c.staffOrderList, { keyWord: orderSn })).total).toBe(0);
    expect((await people.operator.client.ok(c.staffOrderList, {})).total).toBe(0);
    for (const answer of [
      await bound.client.call(c.staffOrderDetail, { orderSn }),
      await bound.client.call(c.staffOrderStep, { orderId, act: 'staffClose', reason: '试试' }),
      await bound.client.call(c.staffHandoverDone, { orderId, step: 1 }),
      await bound.client.call(c.staffReveal, { orderId, step: 1 }),
    ])
      expect(answer.code).toBe(codes.ORDER_NOT_FOUND[0]);
    expect(await acts(`order:${orderSn}`)).toEqual([]);
  });
});

describe('users', () => {
  test('restricted accounts read and do nothing else, until it is lifted', async () => {
    const user = await t.newUser({ balanceFen: 50_000 });
    const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27 });
    const { client, id } = people.admin;
    await client.ok(setUserStatus, { userId: String(user.id), status: '2', reason: '多次恶意退款' });
    expect((await user.client.call(placeOrder, { goodsSn: goods.sn })).code).toBe(codes.USER_BANNED[0]);
    const again = await client.call(setUserStatus, { userId: String(user.id), status: '2', reason: '再来' });
    expect([again.code, again.msg]).toEqual([codes.ORDER_STATE[0], '该账号已被限制']);
    const listed = await client.ok(adminQueryUserList, { keyWord: String(user.id), status: 2 });
    expect(listed.list.map((u) => u.userId)).toEqual([String(user.id)]);
    await client.ok(setUserStatus, { userId: String(user.id), status: '1', reason: '申诉成立' });
    expect((await user.client.call(placeOrder, { goodsSn: goods.sn })).code).toBe(0);
    expect(await acts(`user:${user.id}`)).toEqual([`user.freeze ${id}`, `user.unfreeze ${id}`]);
  });

  test('an administrator of one distributor cannot restrict another’s user', async () => {
    const bound = await t.newStaff({ role: 'admin', distId: 2 });
    const answer = await bound.client.call(setUserStatus, { userId: String(seller.id), status: '2', reason: '试试' });
    expect(answer.code).toBe(codes.NOT_FOUND[0]);
  });
});

describe('the first page', () => {
  test('counts what waits for the role, and nothing that it may not see', async () => {
    await addGoods(t.ctx, { sellerId: seller.id, status: 1 });
    const keys = async (role: StaffRole) => {
      const home = await people[role].client.ok(staffHome, {});
      return [home.todos.map((x) => x.key), home.today !== null];
    };
    expect(await keys('reviewer')).toEqual([['goods'], false]);
    expect(await keys('finance')).toEqual([
      ['withdrawals', 'late', 'cancel', 'disputes', 'claims', 'holds', 'topups'],
      true,
    ]);
    expect(await keys('content')).toEqual([['adverts', 'business'], false]);
    const admin = await people.admin.client.ok(staffHome, {});
    expect(admin.todos.find((x) => x.key === 'goods')?.count).toBe(1);
    expect(admin.today?.ordersPaid).toBeGreaterThan(0);
    expect(admin.days).toHaveLength(7);
    expect(admin.days.at(-1)).toMatchObject({ orders: admin.today?.ordersPaid, paid: admin.today?.paid });
  });

  test('an operator sees the figures of its own site', async () => {
    const home = await people.operator.client.ok(staffHome, {});
    expect(home.today).toMatchObject({ ordersPlaced: 0, ordersPaid: 0, paid: '0.00', newGoods: 0 });
    expect(home.todos.filter((x) => x.count !== 0)).toEqual([]);
  });
});
