/** The numbers of the centre's menu: what waits for this user, and nothing of anybody else's. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelOrder, placeOrder } from '#contract/order.ts';
import { answerQuestion, askSeller } from '#contract/question.ts';
import { todoCounts } from '#contract/todo.ts';
import { testApp, type TestApp } from '#tests/support/build.ts';
import { addGame, addGoods } from '#tests/support/goods.ts';

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
};

test('a question and an unpaid order count for the user who has to act, until they are settled', async () => {
  const [seller, buyer, other] = await Promise.all([t.newUser(), t.newUser({ verified: true }), t.newUser()]);
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 27, stock: 5, status: 2 });
  const counts = async (who: typeof seller) => await who.client.ok(todoCounts, {});
  expect(await counts(buyer)).toEqual(NONE);
  const { question } = await buyer.client.ok(askSeller, { goodsSn: goods.sn, content: '现在拍下多久能发货？' });
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  expect(await counts(seller)).toEqual({ ...NONE, questions: 1 });
  expect(await counts(buyer)).toEqual({ ...NONE, bought: 1 });
  expect(await counts(other)).toEqual(NONE);
  await seller.client.ok(answerQuestion, { questionId: question.questionId, content: '十分钟内发货' });
  await buyer.client.ok(cancelOrder, { orderId });
  expect(await counts(seller)).toEqual(NONE);
  expect(await counts(buyer)).toEqual(NONE);
  expect((await t.client().call(todoCounts, {})).status).toBe(401);
});
