import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminQueryUserList } from '#subjects/accounts/contract/staff-user-search.ts';
import * as c from '#subjects/orders/contract/staff-orders.ts';
import { setUserStatus } from '#subjects/accounts/contract/staff-users.ts';
import { staffDisputeList } from '#subjects/disputes/contract/staff-disputes.ts';
import { codes } from '#contract/codes.ts';
import { staffImHistory, staffImTransfer } from '#subjects/chat/contract/im-staff.ts';
import type { Endpoint, Input } from '#contract/endpoint.ts';
import { orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import {
  type StaffPermission,
  type StaffRole,
  staffPermissions,
  staffRoles,
} from '#subjects/back-office/rules/staff.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';
import { assign, staffPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let seller: TestUser;
/** Evidence of the assigned member of staff. */
let pictures: string[];
const people = {} as Record<StaffRole, TestStaff>;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx, { handover: true });
  seller = await t.newUser({ soldCount: 9 });
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  for (const role of staffRoles) people[role] = await t.newStaff(role === 'operator' ? { role, distId: 2 } : { role });
  pictures = [await staffPicture(people.service)];
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

/** A paid order: an account with hand-over steps (type 1), or an item without (type 27). */
async function paid(typeId: number, priceFen = 10_000) {
  const buyer = await t.newUser({ balanceFen: priceFen * 5 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId, priceFen });
  const order = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId: order.orderId });
  await assign(t, order.orderId, people.service);
  return { ...order, buyer };
}

describe('permissions', () => {
  const guarded: readonly [StaffPermission, Endpoint, Input<Endpoint>][] = [
    ['order.read', c.staffOrderList, {}],
    ['order.read', c.staffOrderDetail, { orderSn: '26112000000000' }],
    ['order.act', c.staffOrderStep, { orderId: 999_999, act: 'ship', reason: '核实无误' }],
    ['order.act', c.staffHandoverDone, { orderId: 999_999, step: 1 }],
    ['order.act', c.staffReveal, { orderId: 999_999, step: 1 }],
    ['order.act', c.staffRevealSecond, { orderId: 999_999, decision: 'allow', reason: '核实无误' }],
    ['order.act', c.staffSealAgain, { orderId: 999_999, step: 1, reason: '登录不上' }],
    ['user.freeze', setUserStatus, { userId: '999999', status: '2', reason: '违规' }],
  ];

  test.each(guarded)('%s by its roles only', async (permission, endpoint, input) => {
    for (const role of staffRoles) {
      const { code } = await people[role].client.call(endpoint, input);
      expect([role, code === codes.FORBIDDEN[0]]).toEqual([
        role,
        !(staffPermissions[permission] as readonly string[]).includes(role),
      ]);
    }
  });
});

describe('orders', () => {
  test('are found by number, buyer and phone; party’s view and staff’s view show the same money', async () => {
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

  test('a close by staff refunds in full, once, with the reason on both records', async () => {
    const { orderId, orderSn, buyer } = await paid(27);
    const input = { orderId, act: 'staffClose' as const, reason: '卖家失联', pictures };
    const responses = await Promise.all(
      Array.from({ length: 3 }, () => people.service.client.call(c.staffOrderStep, input)),
    );
    expect(responses.some((a) => a.code === 0 && a.data.status === OrderStatus.ClosedByPlatform)).toBe(true);
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(50_000);
    const seen = await buyer.client.ok(orderDetail, { orderSn });
    expect(seen.process.filter((p) => p.orderStatus === OrderStatus.ClosedByPlatform).map((p) => p.explain)).toEqual([
      '平台关闭了订单，货款全额退还买家：卖家失联',
    ]);
    expect((await auditActions(`order:${orderSn}`))[0]).toBe(`order.close ${people.service.id}`);
  });

  test('a large refund needs two people, and moves nothing before the second', async () => {
    const { orderId, orderSn, buyer } = await paid(27, 900_000);
    const { client, id } = people.service;
    const input = { orderId, act: 'staffClose' as const, reason: '卖家失联', pictures };
    expect(await client.ok(c.staffOrderStep, input)).toMatchObject({ status: 1, waits: true });
    expect((await client.call(c.staffOrderStep, input)).code).toBe(codes.SECOND_PERSON[0]);
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBeLessThan(4_500_000);
    expect((await client.ok(c.staffOrderList, { second: '1' })).list.map((o) => o.orderSn)).toEqual([orderSn]);
    const other = people.admin.client;
    expect((await other.ok(c.staffOrderDetail, { orderSn })).secondAsked).toMatchObject({
      act: 'staffClose',
      reason: '卖家失联',
      isMine: false,
    });
    expect(await other.ok(c.staffOrderStep, input)).toMatchObject({ status: 9, waits: false });
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(4_500_000);
    expect(await auditActions(`order:${orderSn}`)).toEqual([`order.close.ask ${id}`, `order.close ${people.admin.id}`]);
    expect((await client.ok(c.staffOrderList, { second: '1' })).total).toBe(0);
  });

  test('closing an order that may have been handed over needs two people for any amount', async () => {
    const { orderId, orderSn, buyer } = await paid(1);
    const { client, id } = people.service;
    await client.ok(c.staffHandoverDone, { orderId, step: 1, reason: '卖家在电话里逐项确认', pictures });
    await client.ok(c.staffOrderStep, { orderId, act: 'ship', reason: '卖家已在群内交付', pictures });
    const before = (await loadBalances(t.ctx.db, buyer.id)).availableFen;
    const close = { orderId, act: 'staffClose' as const, reason: '买家说账号有问题', pictures };
    expect(await client.ok(c.staffOrderStep, close)).toMatchObject({ status: 2, waits: true });
    expect((await client.call(c.staffOrderStep, close)).code).toBe(codes.SECOND_PERSON[0]);
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(before);
    expect(await people.admin.client.ok(c.staffOrderStep, close)).toMatchObject({ status: 9, waits: false });
    expect((await loadBalances(t.ctx.db, buyer.id)).availableFen).toBe(50_000);
    expect((await auditActions(`order:${orderSn}`)).slice(-2)).toEqual([
      `order.close.ask ${id}`,
      `order.close ${people.admin.id}`,
    ]);
  });

  test('staff ship for the seller only after the earlier steps, which they can do as well', async () => {
    const { orderId, orderSn, buyer } = await paid(1);
    const { client, id } = people.service;
    const ship = { orderId, act: 'ship' as const, reason: '卖家已在群内交付', pictures };
    expect((await client.call(c.staffOrderStep, ship)).code).toBe(codes.ORDER_HANDOVER_OPEN[0]);
    expect((await client.call(c.staffHandoverDone, { orderId, step: 2 })).code).toBe(codes.ORDER_STATE[0]);
    await client.ok(c.staffHandoverDone, { orderId, step: 1, reason: '卖家在电话里逐项确认', pictures });
    expect((await client.ok(c.staffOrderStep, ship)).status).toBe(2);
    expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(2);
    expect(await auditActions(`order:${orderSn}`)).toEqual([`order.handover ${id}`, `order.ship ${id}`]);
  });

  test('staff of another distributor find and change nothing', async () => {
    const { orderId, orderSn } = await paid(27);
    const distStaff = await t.newStaff({ role: 'service', distId: 2 });
    expect((await distStaff.client.ok(c.staffOrderList, { keyWord: orderSn })).total).toBe(0);
    expect((await people.operator.client.ok(c.staffOrderList, {})).total).toBe(0);
    for (const response of [
      await distStaff.client.call(c.staffOrderDetail, { orderSn }),
      await distStaff.client.call(c.staffOrderStep, { orderId, act: 'staffClose', reason: '试试' }),
      await distStaff.client.call(c.staffHandoverDone, { orderId, step: 1 }),
      await distStaff.client.call(c.staffReveal, { orderId, step: 1 }),
      await distStaff.client.call(c.staffRevealSecond, { orderId, decision: 'allow', reason: '试试' }),
      await distStaff.client.call(c.staffSealAgain, { orderId, step: 1, reason: '试试' }),
    ])
      expect(response.code).toBe(codes.ORDER_NOT_FOUND[0]);
    expect(await auditActions(`order:${orderSn}`)).toEqual([]);
  });
});

describe('P10: staff act on their own orders, with evidence, and above the limit with a second person', () => {
  const errorOf = async (response: Promise<{ code: number; msg: string }>) => {
    const { code, msg } = await response;
    return [code, msg];
  };

  test('unassigned staff and administrators are rejected; an administrator takes an order over first, with an audit entry', async () => {
    const { orderId, orderSn } = await paid(1);
    await t.relay();
    for (const { client } of [await t.newStaff({ role: 'service' }), people.admin])
      for (const response of [
        client.call(c.staffOrderStep, { orderId, act: 'staffClose', reason: '试试', pictures }),
        client.call(c.staffOrderStep, { orderId, act: 'ship', reason: '试试', pictures }),
        client.call(c.staffHandoverDone, { orderId, step: 1, reason: '试试', pictures }),
      ])
        expect((await response).code).toBe(codes.ORDER_NOT_ASSIGNED[0]);
    const other = (await t.newStaff({ role: 'service' })).client;
    const { groupId, readsChat } = await people.admin.client.ok(c.staffOrderDetail, { orderSn });
    expect([readsChat, (await other.ok(c.staffOrderDetail, { orderSn })).readsChat]).toEqual([true, false]);
    const talk = { groupId: groupId ?? '' };
    await people.admin.client.ok(staffImHistory, talk);
    expect((await other.call(staffImHistory, talk)).code).toBe(codes.CHAT_NOT_MEMBER[0]);
    await people.admin.client.ok(staffImTransfer, { groupId: groupId ?? '', staffId: people.admin.id });
    const seen = await people.admin.client.ok(c.staffOrderDetail, { orderSn });
    expect(seen.isAssigned).toBe(true);
    expect(await auditActions(`group:${groupId}`)).toEqual([`chat.transfer ${people.admin.id}`]);
    const own = [await staffPicture(people.admin)];
    await people.admin.client.ok(c.staffOrderStep, { orderId, act: 'staffClose', reason: '卖家失联', pictures: own });
  });

  test('each action needs own pictures; a seller’s step needs a reason too; buyer’s steps are rejected', async () => {
    const { orderId } = await paid(1);
    const { client } = people.service;
    const bad = codes.BAD_INPUT[0];
    const foreign = [await staffPicture(people.admin)];
    expect((await client.call(c.staffOrderStep, { orderId, act: 'staffClose', reason: '试试' })).code).toBe(bad);
    expect((await client.call(c.staffHandoverDone, { orderId, step: 1, reason: '电话确认' })).code).toBe(bad);
    expect(await errorOf(client.call(c.staffHandoverDone, { orderId, step: 1, pictures }))).toEqual([
      bad,
      '代卖家完成这一步须填写原因',
    ]);
    const broken = codes.PICTURE_BROKEN[0];
    expect(
      (await client.call(c.staffHandoverDone, { orderId, step: 1, reason: '电话确认', pictures: foreign })).code,
    ).toBe(broken);
    await client.ok(c.staffHandoverDone, { orderId, step: 1, reason: '电话确认', pictures });
    await client.ok(c.staffOrderStep, { orderId, act: 'ship', reason: '卖家已在群内交付', pictures });
    expect(await errorOf(client.call(c.staffHandoverDone, { orderId, step: 2, reason: '电话确认', pictures }))).toEqual(
      [codes.ORDER_FORBIDDEN[0], '买家的步骤只能由买家本人完成'],
    );
    const { rows } = await sql<{ explain: string }>`
      select explain from order_process where order_id = ${orderId} and explain like '第 1 步%'`.execute(t.ctx.db);
    expect(rows[0]?.explain).toContain('由平台客服代卖家完成：电话确认');
  });

  test('shipping above the limit needs a colleague, who may be unassigned; the seller’s steps are rejected', async () => {
    const { orderId, orderSn } = await paid(27, 900_000);
    const { client } = people.service;
    await stepless(orderId);
    const ship = { orderId, act: 'ship' as const, reason: '平台已代为交付', pictures };
    expect(await client.ok(c.staffOrderStep, ship)).toMatchObject({ status: 1, waits: true });
    expect((await client.call(c.staffOrderStep, ship)).code).toBe(codes.SECOND_PERSON[0]);
    const seen = await people.admin.client.ok(c.staffOrderDetail, { orderSn });
    expect(seen.secondAsked).toMatchObject({ act: 'ship', isMine: false, reason: '平台已代为交付' });
    expect(seen.secondAsked?.pictures).toHaveLength(1);
    expect(
      await people.admin.client.ok(c.staffOrderStep, { orderId, act: 'ship', reason: '已核对凭证' }),
    ).toMatchObject({
      status: 2,
      waits: false,
    });
    expect(await auditActions(`order:${orderSn}`)).toEqual([
      `order.ship.ask ${people.service.id}`,
      `order.ship ${people.admin.id}`,
    ]);
    const large = await paid(1, 900_000);
    const forSeller = { orderId: large.orderId, step: 1, reason: '电话确认', pictures };
    expect((await client.call(c.staffHandoverDone, forSeller)).code).toBe(codes.ORDER_FORBIDDEN[0]);
  });

  test('searching a person among orders and disputes is audited, by phone without the number', async () => {
    const { buyer } = await paid(27);
    const lookups = async (): Promise<{ target: string; detail: unknown }[]> => {
      const { rows } = await sql<{ target: string; detail: unknown }>`
        select target, detail from audit_log where staff_id = ${people.finance.id} and act = 'user.search' order by id`.execute(
        t.ctx.db,
      );
      return rows;
    };
    const { client } = people.finance;
    await client.ok(c.staffOrderList, { keyWord: buyer.phone });
    await client.ok(c.staffOrderList, { keyWord: String(buyer.id) });
    await client.ok(staffDisputeList, { active: '1', keyWord: String(buyer.id) });
    await client.ok(c.staffOrderList, { keyWord: '26112212345678' });
    expect(await lookups()).toMatchObject([
      { target: 'user', detail: { list: 'order', byPhone: true } },
      { target: `user:${buyer.id}`, detail: { list: 'order', byPhone: false } },
      { target: `user:${buyer.id}`, detail: { list: 'dispute' } },
    ]);
    expect(JSON.stringify(await lookups())).not.toContain(buyer.phone);
  });
});

/** An order without hand-over steps, as of goods that have none. */
async function stepless(orderId: number): Promise<void> {
  await sql`update orders set handover_version = 0 where id = ${orderId}`.execute(t.ctx.db);
  await sql`update order_handover set required = false where order_id = ${orderId}`.execute(t.ctx.db);
}

describe('users', () => {
  test('restricted accounts can only read, until the restriction is lifted', async () => {
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
    expect(await auditActions(`user:${user.id}`)).toEqual([`user.freeze ${id}`, `user.unfreeze ${id}`]);
  });

  test('an administrator of one distributor cannot restrict another’s user', async () => {
    const distStaff = await t.newStaff({ role: 'admin', distId: 2 });
    const response = await distStaff.client.call(setUserStatus, {
      userId: String(seller.id),
      status: '2',
      reason: '试试',
    });
    expect(response.code).toBe(codes.NOT_FOUND[0]);
  });
});
