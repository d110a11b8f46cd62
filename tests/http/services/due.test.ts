/** The due action of a service, from acceptance to the receipt: one headline on the order, in its card, in the centre and for customer service. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffOrderDetail } from '#subjects/orders/contract/staff-orders.ts';
import { confirmRecGoods, orderDetail } from '#subjects/orders/contract/order.ts';
import {
  serviceAct,
  serviceCancel,
  serviceOrder,
  serviceProgress,
  answerMilestone,
} from '#subjects/services/contract/services.ts';
import { nextSteps } from '#subjects/notices/contract/todo.ts';
import {
  addBoostGame,
  openedBooster,
  seal,
  type ServiceTrade,
  serviceTrade,
} from '#tests/support/services/boosting.ts';
import { type TestApp, testApp, type TestStaff, type TestUser } from '#tests/support/servers/build.ts';
import { userPicture } from '#tests/support/orders/orders.ts';

let t: TestApp;
let staff: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await addBoostGame(t);
  staff = await t.newStaff();
});
afterAll(async () => await t.close());

const titlesOf = async ({ client }: TestUser): Promise<string[]> =>
  (await client.ok(nextSteps, {})).steps.flatMap(({ order }) => (order ? [order.title] : []));

/** Every place says the same: the order, the service, the list of what is next, and the back office. */
async function expectDue(
  { orderSn, buyer, booster }: ServiceTrade,
  due: { buyer: string; seller: string; staff: string; turn: 'buyer' | 'seller' | null },
): Promise<void> {
  for (const [party, user] of [
    ['buyer', buyer],
    ['seller', booster],
  ] as const) {
    const [order, service] = [
      await user.client.ok(orderDetail, { orderSn }),
      await user.client.ok(serviceOrder, { orderSn }),
    ];
    expect(order.due, party).toMatchObject({ title: due[party], turn: due.turn });
    expect(service.due, party).toEqual(order.due);
    expect(await titlesOf(user), party).toEqual(due.turn === party ? [due[party]] : []);
  }
  const { due: seen } = await staff.client.ok(staffOrderDetail, { orderSn });
  expect(seen).toMatchObject({ title: due.staff, turn: due.turn });
}

async function report({ booster, orderId }: ServiceTrade, seq: number): Promise<void> {
  const pictures = JSON.stringify([await userPicture(booster)]);
  await booster.client.ok(serviceProgress, { orderId, seq, percent: 100, pictures });
}

test('every place has the same headline, from acceptance to the receipt', async () => {
  const one = await openedBooster(t, staff, { balanceFen: 50_000 });
  const trade = await serviceTrade(t, one, { accepted: false });
  const { orderId, buyer, booster } = trade;
  const wait = (title: string) => ({ staff: title, turn: 'seller' as const, buyer: title });
  await expectDue(trade, { ...wait('等待打手接单'), seller: '请接单' });

  // Nobody has accepted: no step of the hand-over is due, and a service has no seller.
  const { handover } = await buyer.client.ok(orderDetail, { orderSn: trade.orderSn });
  expect(handover.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting']);
  expect(handover.map(({ actorName }) => actorName)).toEqual(['买家', '打手', '买家']);

  await booster.client.ok(serviceAct, { orderId, act: 'accept' });
  const missing = '等待买家提交账号资料';
  await expectDue(trade, { buyer: '请提交账号资料', seller: missing, staff: missing, turn: 'buyer' });

  await seal(trade);
  await t.relay();
  await expectDue(trade, { ...wait('正在代练'), seller: '正在代练' });

  await report(trade, 1);
  const stage = '等待买家确认第 1 段';
  await expectDue(trade, { buyer: '请确认第 1 段', seller: stage, staff: stage, turn: 'buyer' });

  await buyer.client.ok(answerMilestone, { orderId, seq: 1, act: 'confirm' });
  await buyer.client.ok(serviceCancel, { orderId, act: 'ask', reason: 'plan' });
  await expectDue(trade, { ...wait('等待打手答复取消申请'), seller: '请答复取消申请' });
  await buyer.client.ok(serviceCancel, { orderId, act: 'withdraw' });

  await buyer.client.ok(serviceAct, { orderId, act: 'pause' });
  await expectDue(trade, { buyer: '服务已暂停', seller: '服务已暂停', staff: '服务已暂停', turn: null });
  await buyer.client.ok(serviceAct, { orderId, act: 'resume' });

  await report(trade, 2);
  await buyer.client.ok(answerMilestone, { orderId, seq: 2, act: 'confirm' });
  await report(trade, 3);
  await t.relay();
  const check = '等待买家验收代练结果';
  await expectDue(trade, { buyer: '请验收代练结果', seller: check, staff: check, turn: 'buyer' });

  await buyer.client.ok(confirmRecGoods, { orderId });
  const { due, process } = await buyer.client.ok(orderDetail, { orderSn: trade.orderSn });
  expect(due).toMatchObject({ title: '交易成功', turn: null });
  expect(process.map(({ explain }) => explain).join()).not.toMatch(/卖家|发货|收货/);
});

test('the seller is not asked for a form: the pictures of a service belong to its progress', async () => {
  const { orderId } = await serviceTrade(t, await openedBooster(t, staff, { balanceFen: 50_000 }), { accepted: false });
  await sql`update order_handover set evidence = true where order_id = ${orderId} and actor = 'seller'`.execute(
    t.ctx.db,
  );
  const payload = JSON.stringify({ orderId });
  await sql`insert into outbox (topic, payload) values ('order.paid', ${payload}::jsonb)`.execute(t.ctx.db);
  await t.relay();
  const { rows } = await sql`select from timer where kind = 'chat.form' and ref = ${String(orderId)}`.execute(t.ctx.db);
  expect(rows).toHaveLength(0);
});

test('the provider reads what there is to accept: the price, the share, the time and the deposits', async () => {
  const one = await openedBooster(t, staff, { balanceFen: 50_000 });
  const { orderSn, buyer } = await serviceTrade(t, one, { accepted: false });
  const { offer, safetyDeposit, efficiencyDeposit } = await one.booster.client.ok(serviceOrder, { orderSn });
  expect(offer).toEqual({ price: '100.00', net: '95.00', minutes: 600, startTime: null });
  expect([safetyDeposit, efficiencyDeposit]).toEqual(['20.00', '10.00']);
  const shown = await buyer.client.ok(serviceOrder, { orderSn });
  expect(shown.offer, 'the share is the provider’s').toEqual({ ...offer, net: null });
});
