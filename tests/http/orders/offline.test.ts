/** Orders marked as handed over outside the site: neither party gains by the mark, and it counts only with the buyer's consent (decision 303). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDispute } from '#subjects/disputes/contract/dispute.ts';
import { codes } from '#contract/codes.ts';
import {
  confirmRecGoods,
  handoverDone,
  offlineTranAnswer,
  offlineTranSub,
  orderDetail,
  queryOrderList,
} from '#subjects/orders/contract/order.ts';
import { loadBalances } from '#subjects/ledger/server/service.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { complaint } from '#tests/support/orders/disputes.ts';
import {
  addStepsGame,
  shippedWithOpenStep,
  stepsDone,
  timeOver,
  type Trade,
  trade,
  userPicture,
} from '#tests/support/orders/orders.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp({ env: { DATABASE_POOL: '20' } });
  await addStepsGame(t);
});
afterAll(async () => await t.close());

/** An order of items whose steps before shipping are done. */
async function readyToShip() {
  const at = await trade(t, { typeId: 27 });
  await at.seller.client.ok(handoverDone, { orderId: at.orderId, step: 1 });
  const pictures = [await userPicture(at.seller)];
  await at.seller.client.ok(handoverDone, { orderId: at.orderId, step: 2, pictures });
  return at;
}
const offlineOf = async (at: Pick<Trade, 'orderSn' | 'buyer'>) =>
  (await at.buyer.client.ok(orderDetail, { orderSn: at.orderSn })).offline;
const exclusion = async (orderId: number) =>
  (await sql<{ why: string | null }>`select review_exclusion(${orderId}) as why`.execute(t.ctx.db)).rows[0]?.why;

test('is marked at shipping, shown to the buyer, and confirmed by the buyer only', async () => {
  const at = await readyToShip();
  const { orderId, orderSn, seller, buyer } = at;
  expect((await buyer.client.call(offlineTranSub, { orderId, isRecovery: 1 })).code).toBe(codes.ORDER_FORBIDDEN[0]);
  expect(await offlineOf(at)).toEqual({ state: 'none', method: 0, name: '' });
  const options = { idempotencyKey: `offline-${orderId}` };
  const shipped = await seller.client.ok(offlineTranSub, { orderId, isRecovery: 2 }, options);
  expect(shipped.status).toBe(2);
  expect(await seller.client.ok(offlineTranSub, { orderId, isRecovery: 2 }, options)).toEqual(shipped);
  expect(await offlineOf(at)).toEqual({ state: 'pending', method: 2, name: '游戏内当面交付' });
  const of = async (isRecovery: number) =>
    (await buyer.client.ok(queryOrderList, { isRecovery: String(isRecovery) })).orderList.map((o) => o.orderSn);
  expect([await of(1), await of(0)]).toEqual([[], [orderSn]]);
  // A second mark, also another one, changes nothing.
  expect((await seller.client.call(offlineTranSub, { orderId, isRecovery: 1 })).code).toBe(codes.ORDER_STATE[0]);
  expect((await seller.client.call(offlineTranAnswer, { orderId, agree: 1 })).code).toBe(codes.ORDER_FORBIDDEN[0]);
  await t.relay();
  const noticeCount = async (userId: number) =>
    (
      await sql<{
        title: string;
      }>`select title from notice where user_id = ${userId} and kind = 'order.offline'`.execute(t.ctx.db)
    ).rows.map(({ title }) => title);
  expect(await noticeCount(buyer.id)).toEqual(['卖家标明：游戏内当面交付']);
  await buyer.client.ok(offlineTranAnswer, { orderId, agree: 1 });
  expect([await of(1), await of(0)]).toEqual([[orderSn], []]);
  await t.relay();
  expect(await noticeCount(seller.id)).toEqual(['买家确认是线下交付']);
  const cards = await sql<{ n: number }>`
    select count(*)::int as n from chat_message m join chat_group g on g.id = m.group_id
    where g.order_id = ${orderId} and m.content->>'card' = 'order.offline'`.execute(t.ctx.db);
  expect(cards.rows[0]?.n).toBe(2);
  // The buyer's agreement is no receipt: the money is where it was.
  expect((await buyer.client.ok(orderDetail, { orderSn })).status).toBe(2);
  expect((await loadBalances(t.ctx.db, seller.id)).frozenFen).toBe(0);
  await stepsDone(t, orderId, 'count');
  await buyer.client.ok(confirmRecGoods, { orderId });
  expect(await exclusion(orderId)).toBe('private');
});

test('skips no step before shipping or before the money is released', async () => {
  const fresh = await trade(t);
  const early = await fresh.seller.client.call(offlineTranSub, { orderId: fresh.orderId, isRecovery: 1 });
  expect(early.code).toBe(codes.ORDER_HANDOVER_OPEN[0]);
  expect((await offlineOf(fresh)).state).toBe('none');
  expect((await fresh.buyer.client.ok(orderDetail, { orderSn: fresh.orderSn })).status).toBe(1);
  const unpaid = await trade(t, { unpaid: true });
  expect((await unpaid.seller.client.call(offlineTranSub, { orderId: unpaid.orderId, isRecovery: 1 })).code).toBe(
    codes.ORDER_STATE[0],
  );
  // Shipped, marked and agreed: the seller's open step still stops the release, by whatever path.
  const at = await shippedWithOpenStep(t);
  await at.seller.client.ok(offlineTranSub, { orderId: at.orderId, isRecovery: 3 });
  await at.buyer.client.ok(offlineTranAnswer, { orderId: at.orderId, agree: 1 });
  expect((await at.buyer.client.call(confirmRecGoods, { orderId: at.orderId })).code).toBe(
    codes.ORDER_HANDOVER_OPEN[0],
  );
  await timeOver(t, at.orderId);
  const after = await at.buyer.client.ok(orderDetail, { orderSn: at.orderSn });
  expect([after.status, after.stoppedTime === null]).toEqual([2, false]);
  expect((await loadBalances(t.ctx.db, at.seller.id)).frozenFen).toBe(0);
});

test('a sale is rated as usual without the buyer’s confirmation, or against it', async () => {
  const silent = await readyToShip();
  await silent.seller.client.ok(offlineTranSub, { orderId: silent.orderId, isRecovery: 1 });
  await stepsDone(t, silent.orderId, 'count');
  await timeOver(t, silent.orderId);
  expect(await offlineOf(silent)).toMatchObject({ state: 'lapsed' });
  expect(await exclusion(silent.orderId)).toBeNull();
  expect((await silent.buyer.client.call(offlineTranAnswer, { orderId: silent.orderId, agree: 1 })).code).toBe(
    codes.ORDER_STATE[0],
  );
  expect((await silent.seller.client.call(offlineTranSub, { orderId: silent.orderId, isRecovery: 1 })).code).toBe(
    codes.ORDER_STATE[0],
  );
  const denied = await readyToShip();
  await denied.seller.client.ok(offlineTranSub, { orderId: denied.orderId, isRecovery: 1 });
  await denied.buyer.client.ok(offlineTranAnswer, { orderId: denied.orderId, agree: 0 });
  expect(await offlineOf(denied)).toMatchObject({ state: 'denied' });
  await stepsDone(t, denied.orderId, 'count');
  await denied.buyer.client.ok(confirmRecGoods, { orderId: denied.orderId });
  expect(await exclusion(denied.orderId)).toBeNull();
  const forged = sql`update orders set is_recovery = 1 where id = ${denied.orderId}`.execute(t.ctx.db);
  await expect(forged).rejects.toThrow(/orders_offline_agreed/);
});

test('a disputed order accepts neither mark nor response; of two concurrent responses one counts', async () => {
  const at = await readyToShip();
  await at.seller.client.ok(offlineTranSub, { orderId: at.orderId, isRecovery: 1 });
  const answers = await Promise.all(
    [1, 0, 1, 0, 1, 0].map((agree) => at.buyer.client.call(offlineTranAnswer, { orderId: at.orderId, agree })),
  );
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
  const { rows } = await sql<{ same: boolean }>`
    select (is_recovery <> 0) = offline_agreed as same from orders where id = ${at.orderId}`.execute(t.ctx.db);
  expect(rows[0]?.same).toBe(true);
  const other = await readyToShip();
  const marks = await Promise.all(
    [1, 2, 3].map((isRecovery) => other.seller.client.call(offlineTranSub, { orderId: other.orderId, isRecovery })),
  );
  expect(marks.filter(({ code }) => code === 0)).toHaveLength(1);
  await other.buyer.client.ok(openDispute, complaint(other.orderSn));
  expect((await other.buyer.client.call(offlineTranAnswer, { orderId: other.orderId, agree: 1 })).code).toBe(
    codes.ORDER_STATE[0],
  );
});
