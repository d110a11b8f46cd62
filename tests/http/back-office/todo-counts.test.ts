/** The numbers and roles of the centre's menu and the next steps of its start page: of this user, and nothing of anybody else's. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelOrder, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { answerQuestion, askSeller } from '#subjects/questions/contract/question.ts';
import { nextSteps, todoCounts } from '#subjects/notices/contract/todo.ts';
import { testApp, type TestApp } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
});
afterAll(async () => await t.close());

const NONE = {
  bought: 0,
  sold: 0,
  questions: 0,
  bargainsReceived: 0,
  bargainsMade: 0,
  disputes: 0,
  coupons: 0,
  roles: [] as string[],
};

test('a question and an unpaid order count for the user who has to act, until they are settled', async () => {
  const [seller, buyer, other] = await Promise.all([t.newUser(), t.newUser({ verified: true }), t.newUser()]);
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, stock: 5, status: 2 });
  const counts = async (who: typeof seller) => await who.client.ok(todoCounts, {});
  expect(await counts(buyer)).toEqual(NONE);
  const { question } = await buyer.client.ok(askSeller, { goodsSn: goods.sn, content: '现在拍下多久能发货？' });
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  expect(await counts(seller)).toEqual({ ...NONE, questions: 1, roles: ['seller'] });
  expect(await counts(buyer)).toEqual({ ...NONE, bought: 1 });
  expect(await counts(other)).toEqual(NONE);
  await seller.client.ok(answerQuestion, { questionId: question.questionId, content: '十分钟内发货' });
  await buyer.client.ok(cancelOrder, { orderId });
  expect(await counts(seller)).toEqual({ ...NONE, roles: ['seller'] });
  expect(await counts(buyer)).toEqual(NONE);
  expect((await t.client().call(todoCounts, {})).status).toBe(401);
});

test('roles come from listings and approved applications, not from the browser', async () => {
  const person = await t.newUser();
  const roles = async () => (await person.client.ok(todoCounts, {})).roles;
  expect(await roles()).toEqual([]);
  await sql`update app_user set is_booster = true, is_accompanyer = true where id = ${person.id}`.execute(t.ctx.db);
  expect(await roles()).toEqual(['booster', 'companion']);
  await addGoods(t.ctx, { sellerId: person.id, status: 7 });
  expect(await roles()).toEqual(['seller', 'booster', 'companion']);
});

test('next steps: the nearest deadline first, only the party whose turn it is, gaps of the account last', async () => {
  const [seller, buyer, fresh] = await Promise.all([
    t.newUser(),
    t.newUser({ verified: true, balanceFen: 100_000 }),
    t.newUser({ verified: false }),
  ]);
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, stock: 5, status: 2 });
  const next = async (who: typeof seller) => await who.client.ok(nextSteps, {});
  const kinds = async (who: typeof seller) => (await next(who)).steps.map(({ kind }) => kind);
  expect(await kinds(fresh)).toEqual(['identity', 'payPassword']);
  expect(await kinds(buyer)).toEqual(['payPassword']);

  const first = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  const due = await next(buyer);
  expect(due.orders).toBe(1);
  expect(due.steps[0]).toMatchObject({ kind: 'order', order: { orderSn: first.orderSn, title: '请付款', belong: 0 } });
  expect(Date.parse(due.steps[0]?.due ?? '')).toBeGreaterThan(Date.now());
  expect((await next(seller)).orders).toBe(0);

  await buyer.client.ok(balancePay, { orderId: first.orderId });
  expect((await next(buyer)).orders).toBe(0);
  await buyer.client.ok(askSeller, { goodsSn: goods.sn, content: '在线吗，什么时候可以交付？' });
  const sold = (await next(seller)).steps;
  expect(sold.map(({ kind }) => kind)).toEqual(['order', 'questions', 'payPassword']);
  expect(sold[0]?.order).toMatchObject({ title: '请交付道具', belong: 1, goods: '王者荣耀 测试账号 皮肤齐全' });
  expect(sold[1]).toMatchObject({ count: 1, due: null });
  // A title that names the game already is not preceded by it.
  await sql`update orders set snapshot = snapshot || '{"title": "王者荣耀 钻石一 打到 星耀五"}' where id = ${first.orderId}`.execute(
    t.ctx.db,
  );
  expect((await next(seller)).steps[0]?.order?.goods).toBe('王者荣耀 钻石一 打到 星耀五');
  expect(await kinds(fresh)).toEqual(['identity', 'payPassword']);
  expect((await t.client().call(nextSteps, {})).status).toBe(401);
});
