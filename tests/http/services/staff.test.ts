/** Boosting and companion play in the back office: one list with filters and export, and figures by the week of payment. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIST_EXPORT_PATH, startListExport } from '#subjects/back-office/contract/lists.ts';
import { staffServiceList, staffServiceWeeks } from '#subjects/services/contract/staff-services.ts';
import { codes } from '#contract/codes.ts';
import { openDispute } from '#subjects/disputes/contract/dispute.ts';
import { confirmRecGoods } from '#subjects/orders/contract/order.ts';
import { answerMilestone, serviceAct, serviceProgress } from '#subjects/services/contract/services.ts';
import { addBoostGame, openedBooster, serviceTrade, type ServiceTrade } from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import {
  addPlayGame,
  companionTrade,
  type CompanionTrade,
  openedCompanion,
} from '#tests/support/services/companion.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let admin: TestStaff;
let done: ServiceTrade;
let gone: ServiceTrade;
let evening: CompanionTrade;

beforeAll(async () => {
  t = await testApp();
  await addBoostGame(t);
  await addPlayGame(t);
  admin = await t.newStaff({ role: 'admin' });
  const booster = await openedBooster(t, admin, { balanceFen: 200_000 });
  const companion = await openedCompanion(t, admin);
  done = await serviceTrade(t, booster);
  for (const seq of [1, 2, 3]) {
    const pictures = JSON.stringify([await userPicture(done.booster)]);
    await done.booster.client.ok(serviceProgress, { orderId: done.orderId, seq, percent: 100, pictures });
    if (seq < 3) await done.buyer.client.ok(answerMilestone, { orderId: done.orderId, seq, act: 'confirm' });
  }
  await done.buyer.client.ok(confirmRecGoods, { orderId: done.orderId });
  gone = await serviceTrade(t, booster);
  await gone.booster.client.ok(serviceAct, { orderId: gone.orderId, act: 'giveUp', reason: '身体不适，打不完' });
  await serviceTrade(t, booster, { accepted: false });
  evening = await companionTrade(t, companion, 'playing');
  await evening.buyer.client.ok(openDispute, {
    orderSn: evening.orderSn,
    reason: 'service_quality',
    want: 'continue',
    answers: { done: '才开始' },
    text: '请平台客服介入看一下',
  });
});
afterAll(async () => await t.close());

const list = async (query: object) => (await admin.client.ok(staffServiceList, query as never)).list;

test('every order of a service is listed with its income and refunds, and filters agree with the texts', async () => {
  const all = await list({});
  expect(all.map((o) => o.typeName).toSorted()).toEqual(['代练', '代练', '代练', '陪玩']);
  expect(all.find((o) => o.orderSn === done.orderSn)).toMatchObject({
    stateName: '已完成',
    donePercent: 100,
    income: '6.00',
    refunded: '0.00',
  });
  expect(all.find((o) => o.orderSn === gone.orderSn)).toMatchObject({
    stateName: '已结束',
    income: '0.00',
    refunded: '101.00',
    deposits: '30.00',
  });
  expect(await list({ typeId: '61' })).toMatchObject([
    { orderSn: evening.orderSn, stateName: '陪玩中', disputed: true, donePercent: null, orderedMinutes: 120 },
  ]);
  expect((await list({ disputed: '1' })).map((o) => o.orderSn)).toEqual([evening.orderSn]);
  expect((await list({ state: 'done,ended' })).map((o) => o.orderSn).toSorted()).toEqual(
    [done.orderSn, gone.orderSn].toSorted(),
  );
  expect((await list({ keyWord: evening.buyer.phone })).map((o) => o.orderSn)).toEqual([evening.orderSn]);
  expect(await list({ keyWord: String(done.booster.id) })).toHaveLength(3);
  expect(await list({ late: '1' })).toEqual([]);
  await sql`update service_order set due_at = now() - interval '1 hour' where order_id = ${evening.orderId}`.execute(
    t.ctx.db,
  );
  // An evening is never late: its end is by the minute.
  expect(await list({ late: '1' })).toEqual([]);
  for (const sort of ['dueTime', '-dueTime', 'totalPrice', '-totalPrice'])
    expect((await list({ sort })).map((o) => o.orderSn).toSorted()).toEqual(all.map((o) => o.orderSn).toSorted());
});

test('figures are by week of payment, and of one service when filtered', async () => {
  const { weeks } = await admin.client.ok(staffServiceWeeks, {});
  expect(weeks).toHaveLength(8);
  expect(weeks[0]).toMatchObject({ orders: 4, done: 1, onTime: 1, disputes: 1, income: '6.00', refunds: '101.00' });
  const boosting = await admin.client.ok(staffServiceWeeks, { typeId: '60' } as never);
  expect(boosting.weeks[0]).toMatchObject({ orders: 3, disputes: 0, paid: '303.00' });
  await sql`update orders set paid_at = paid_at - interval '7 days', created_at = created_at - interval '7 days' where id = ${done.orderId}`.execute(
    t.ctx.db,
  );
  const moved = (await admin.client.ok(staffServiceWeeks, { typeId: '60' } as never)).weeks;
  expect(moved.slice(0, 2).map((w) => [w.orders, w.done])).toEqual([
    [2, 0],
    [1, 1],
  ]);
});

test('a brand sees only its own orders, and exports like every list', async () => {
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  const moon = await t.newStaff({ role: 'operator', distId: 2 });
  expect((await moon.client.ok(staffServiceList, {})).total).toBe(0);
  expect((await moon.client.ok(staffServiceWeeks, {})).weeks.every((w) => w.orders === 0)).toBe(true);
  const ask = { list: 'services', format: 'csv', columns: '["orderSn","stateName","refunded","income"]' } as const;
  const { exportId } = await admin.client.ok(startListExport, ask);
  const response = await admin.client.raw({ method: 'GET', url: `${LIST_EXPORT_PATH}?exportId=${exportId}` });
  expect(response.statusCode).toBe(200);
  const lines = new TextDecoder().decode(response.rawPayload).trimEnd().split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines.some((line) => line.includes(gone.orderSn) && line.includes('101.00'))).toBe(true);
  const reviewer = await t.newStaff({ role: 'reviewer' });
  expect((await reviewer.client.call(staffServiceList, {})).code).toBe(codes.FORBIDDEN[0]);
});
