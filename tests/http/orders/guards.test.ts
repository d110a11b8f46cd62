/** Guards that protect money, goods and the market's stock from users who abuse an order; each guard applies on every path. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codes } from '#contract/codes.ts';
import { pushOrPullGoods } from '#subjects/goods/contract/goods.ts';
import * as c from '#subjects/orders/contract/order.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { loadBalances, brokenInvariants } from '#subjects/ledger/server/service.ts';
import { termsForSystem } from '#subjects/orders/server/service.ts';
import { makeDue, passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import {
  addStepsGame,
  clockEnds,
  shippedWithOpenStep,
  stepsDone,
  timeOver,
  type Trade,
  trade,
  userPicture,
} from '#tests/support/orders/orders.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addStepsGame(t);
});
afterAll(async () => {
  await t.relay();
  expect(await brokenInvariants(t.ctx.db)).toEqual([]);
  await t.close();
});

interface Row {
  status: number;
  stopped: boolean;
  left: number | null;
  timers: number;
}

async function orderRow(orderId: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select status, confirm_stopped_at is not null as stopped, extract(epoch from auto_confirm_at - now())::int as left,
      (select count(*)::int from timer where kind = 'order.autoConfirm' and ref = orders.id::text) as timers
    from orders where id = ${orderId}`.execute(t.ctx.db);
  if (!rows[0]) throw new Error('no order');
  return rows[0];
}

async function noticesOf(userId: number, kind: string): Promise<string[]> {
  const { rows } = await sql<{
    body: string;
  }>`select body from notice where user_id = ${userId} and kind = ${kind}`.execute(t.ctx.db);
  return rows.map((r) => r.body);
}

const frozen = async (userId: number): Promise<number> => (await loadBalances(t.ctx.db, userId)).frozenFen;

describe('P7: money stays in escrow while a required step of the seller or of staff is open', () => {
  test('the timer pauses confirmation, calls customer service and tells both parties what is missing, once', async () => {
    const at = await shippedWithOpenStep(t);
    await timeOver(t, at.orderId);
    expect(await orderRow(at.orderId)).toEqual({ status: 2, stopped: true, left: null, timers: 0 });
    expect(await frozen(at.seller.id)).toBe(0);
    await t.relay();
    for (const { id } of [at.buyer, at.seller])
      expect((await noticesOf(id, 'order.steps')).join()).toContain('「步骤phone」');
    const seen = await at.buyer.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(seen.deadlineText).toContain('步骤phone');
    expect(seen.money.reason).toContain('卖家或客服还有必做步骤没有完成，自动确认已停止');
    const sellers = await at.seller.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(sellers.money.reason).toContain('您或客服还有必做步骤没有完成，自动确认已停止');
    expect(seen.process.at(-1)?.explain).toContain('自动确认已停止');
    const { rows } = await sql`select from chat_message m join chat_group g on g.id = m.group_id
      where g.order_id = ${at.orderId} and m.content->>'card' = 'order.stepMissing'`.execute(t.ctx.db);
    expect(rows).toHaveLength(1);
  });

  test('the last missing step restarts the period with at least a day, after which the order completes', async () => {
    const at = await shippedWithOpenStep(t);
    await timeOver(t, at.orderId);
    await at.seller.client.ok(c.handoverDone, {
      orderId: at.orderId,
      step: 3,
      pictures: [await userPicture(at.seller)],
    });
    const again = await orderRow(at.orderId);
    expect(again).toMatchObject({ status: 2, stopped: false, timers: 1 });
    expect(again.left).toBeGreaterThan(86_000);
    await t.relay();
    expect((await noticesOf(at.buyer.id, 'order.steps')).join()).toContain('验收时间重新计算');
    await timeOver(t, at.orderId);
    expect((await orderRow(at.orderId)).status).toBe(3);
    expect(await frozen(at.seller.id)).toBe(9_500);
  });

  test('a step that is done just before the deadline also leaves a day', async () => {
    const at = await shippedWithOpenStep(t);
    await sql`update orders set auto_confirm_at = now() + interval '1 minute' where id = ${at.orderId}`.execute(
      t.ctx.db,
    );
    await at.seller.client.ok(c.handoverDone, {
      orderId: at.orderId,
      step: 3,
      pictures: [await userPicture(at.seller)],
    });
    expect((await orderRow(at.orderId)).left).toBeGreaterThan(86_000);
  });

  test('the buyer cannot confirm and gets the list of missing steps', async () => {
    const at = await shippedWithOpenStep(t);
    const rejected = await at.buyer.client.call(c.confirmRecGoods, { orderId: at.orderId });
    expect([rejected.code, rejected.msg]).toEqual([
      codes.ORDER_HANDOVER_OPEN[0],
      '请先完成「步骤phone」（卖家）、「步骤password」（买家）',
    ]);
  });

  test('confirming also confirms the receipt when that is the only open step', async () => {
    const at = await shippedWithOpenStep(t);
    await stepsDone(t, at.orderId, 'phone', 'password');
    const seen = await at.buyer.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(seen.acts.find((a) => a.act === 'confirm')).toMatchObject({ enabled: true });
    expect((await at.buyer.client.ok(c.confirmRecGoods, { orderId: at.orderId })).status).toBe(3);
    const done = await at.buyer.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(done.handover.find((s) => s.key === 'accept')).toMatchObject({ state: 'done', doneBy: '买家' });
  });

  test('a dispute that ends without a refund does not complete the order', async () => {
    const at = await shippedWithOpenStep(t);
    const order = await termsForSystem(t.ctx.db, { id: at.orderId });
    if (!order) throw new Error('no order');
    const { executeRuling, lockedOrder, stopClocks } = await import('#subjects/orders/server/service.ts');
    const { inTransaction } = await import('#server/db/client.ts');
    const done = await inTransaction(t.ctx.db, async (trx) => {
      const held = await lockedOrder(trx, at.orderId);
      const stopped = (await stopClocks(trx, held, '测试')) ?? {};
      return await executeRuling(t.ctx, trx, held, 0, { actor: 'staff:1', note: '不支持退款', by: 'ruled', stopped });
    });
    expect(done).toMatchObject({ continues: true, sellerFen: 0 });
    expect(await orderRow(at.orderId)).toMatchObject({ status: 2, timers: 1 });
    expect(await frozen(at.seller.id)).toBe(0);
  });

  test('the database rejects completing a shipped order with an open step or without recorded steps', async () => {
    const at = await shippedWithOpenStep(t);
    const plan = {
      orderId: at.orderId,
      sn: at.orderSn,
      from: [2],
      to: 3,
      explain: '',
      actor: 'timer',
      transfers: [],
      complete: true,
      only: {},
      timers: { set: [], clear: [] },
      events: [],
    };
    const run = () => sql`select order_step(${JSON.stringify(plan)}::jsonb)`.execute(t.ctx.db);
    await expect(run()).rejects.toMatchObject({ code: 'YS214' });
    await stepsDone(t, at.orderId, 'phone');
    await sql`update orders set handover_version = null where id = ${at.orderId}`.execute(t.ctx.db);
    await expect(run()).rejects.toMatchObject({ code: 'YS214' });
    await sql`update orders set handover_version = 1 where id = ${at.orderId}`.execute(t.ctx.db);
  });

  test('a step that is reopened during the timer keeps the order open; one that is done during it starts a new period', async () => {
    for (let n = 0; n < 4; n += 1) {
      const at = await shippedWithOpenStep(t);
      await stepsDone(t, at.orderId, 'phone');
      const reopen = t.ctx.db.transaction().execute(async (trx) => {
        await sql`select from orders where id = ${at.orderId} for update`.execute(trx);
        await sql`select pg_sleep(0.05)`.execute(trx);
        await sql`update order_handover set done_at = null, done_by = null where order_id = ${at.orderId} and key = 'phone'`.execute(
          trx,
        );
      });
      await Promise.all([reopen, timeOver(t, at.orderId)]);
      const { rows } = await sql<{ open: boolean }>`select done_at is null as open from order_handover
        where order_id = ${at.orderId} and key = 'phone'`.execute(t.ctx.db);
      // Whichever was first: an order that completed did so with the step done.
      const { status, stopped } = await orderRow(at.orderId);
      expect([status, stopped, rows[0]?.open]).toSatisfy(
        ([s, w, open]: [number, boolean, boolean]) => (s === 2 && w && open) || s === 3,
      );
    }
    for (let n = 0; n < 4; n += 1) {
      const at = await shippedWithOpenStep(t);
      const pictures = [await userPicture(at.seller)];
      await clockEnds(t, at.orderId);
      await Promise.all([at.seller.client.ok(c.handoverDone, { orderId: at.orderId, step: 3, pictures }), t.timers()]);
      expect(await orderRow(at.orderId)).toMatchObject({ status: 2, stopped: false, timers: 1 });
      expect((await orderRow(at.orderId)).left).toBeGreaterThan(86_000);
    }
  });

  test('a dispute during a pause keeps the pause; its end restarts the period when no step is missing', async () => {
    const at = await shippedWithOpenStep(t);
    await timeOver(t, at.orderId);
    const { orders } = { orders: await import('#subjects/orders/server/service.ts') };
    const { inTransaction } = await import('#server/db/client.ts');
    const stopped = await inTransaction(t.ctx.db, async (trx) => {
      const order = await orders.lockedOrder(trx, at.orderId);
      return (await orders.stopClocks(trx, order, '测试')) ?? {};
    });
    expect(stopped).not.toHaveProperty('confirmSeconds');
    await inTransaction(t.ctx.db, async (trx) => {
      await orders.resumeClocks(trx, await orders.lockedOrder(trx, at.orderId), stopped);
    });
    expect(await orderRow(at.orderId)).toMatchObject({ stopped: true, timers: 0 });
    await stepsDone(t, at.orderId, 'phone');
    await inTransaction(t.ctx.db, async (trx) => {
      await orders.resumeClocks(trx, await orders.lockedOrder(trx, at.orderId), stopped);
    });
    expect(await orderRow(at.orderId)).toMatchObject({ stopped: false, timers: 1 });
  });
});

/** As when the buyer has opened what the seller sealed. */
async function opened(orderId: number, by: 'buyer' | 'staff' = 'buyer'): Promise<void> {
  await sql`update orders set credential_opened_at = now(), buyer_opened_at = ${by === 'buyer' ? sql`now()` : sql`null`}, touched_at = now()
    where id = ${orderId}`.execute(t.ctx.db);
}

const makeOverdue = async (orderId: number): Promise<void> => {
  await passTime(t.ctx.db, 'orders', { id: orderId }, { until: 'ship_by' });
};

async function goodsRow(id: number): Promise<{ status: number; due: boolean; listed: boolean }> {
  const { rows } = await sql<{ status: number; due: boolean; listed: boolean }>`
    select status, password_due_at is not null as due, exists (select from goods_search s where s.goods_id = g.id) as listed
    from goods g where id = ${id}`.execute(t.ctx.db);
  if (!rows[0]) throw new Error('no goods');
  return rows[0];
}

describe('P1: a buyer who has received the goods cannot cancel without the seller', () => {
  const cancel = (at: Trade) => at.buyer.client.call(c.cancelOrder, { orderId: at.orderId });

  test('an overdue order is cancelled by the buyer while the credentials are unopened; after that it needs the seller', async () => {
    const free = await trade(t);
    await free.seller.client.ok(c.handoverDone, { orderId: free.orderId, step: 1 });
    await makeOverdue(free.orderId);
    expect((await cancel(free)).data).toMatchObject({ status: OrderStatus.BuyerCancelled });

    const distStaff = await trade(t);
    await opened(distStaff.orderId);
    await makeOverdue(distStaff.orderId);
    expect((await cancel(distStaff)).code).toBe(codes.ORDER_CANCEL_NEEDS_SELLER[0]);
    const seen = await distStaff.buyer.client.ok(c.orderDetail, { orderSn: distStaff.orderSn });
    expect(seen.acts.map((a) => a.act)).toContain('askCancel');
    expect(seen.deadlineText).not.toContain('可直接取消');
    await distStaff.buyer.client.ok(c.requestCancel, { orderId: distStaff.orderId, act: 'ask' });
    await distStaff.seller.client.ok(c.requestCancel, { orderId: distStaff.orderId, act: 'agree' });
    expect((await orderRow(distStaff.orderId)).status).toBe(7);
  });

  test('items delivered in the game are shipped by that step: the buyer cannot cancel them, even when overdue', async () => {
    const at = await trade(t, { typeId: 27 });
    await at.seller.client.ok(c.handoverDone, { orderId: at.orderId, step: 1 });
    await makeOverdue(at.orderId);
    const seen = await at.buyer.client.ok(c.orderDetail, { orderSn: at.orderSn });
    expect(seen.acts.map((a) => a.act)).toContain('cancel');
    await at.seller.client.ok(c.handoverDone, {
      orderId: at.orderId,
      step: 2,
      pictures: [await userPicture(at.seller)],
    });
    expect((await cancel(at)).code).toBe(codes.ORDER_STATE[0]);
  });

  test('opening and cancelling concurrently never both succeed', async () => {
    for (let n = 0; n < 4; n += 1) {
      const at = await trade(t);
      await makeOverdue(at.orderId);
      const [response] = await Promise.all([cancel(at), opened(at.orderId)]);
      const { rows } = await sql<{
        goods: number;
      }>`select g.status as goods from orders o join goods g on g.id = o.goods_id where o.id = ${at.orderId}`.execute(
        t.ctx.db,
      );
      expect([response.code, rows[0]?.goods]).toSatisfy(
        ([code, goods]: [number, number]) =>
          (code === 0 && goods === 2) ||
          (code === codes.ORDER_CANCEL_NEEDS_SELLER[0] && goods === 4) ||
          (code === codes.ORDER_STATE[0] && goods === 4),
      );
    }
  });

  test('a listing whose credentials were opened returns off sale until the seller declares a new password', async () => {
    const at = await trade(t);
    await opened(at.orderId, 'staff');
    await at.seller.client.ok(c.cancelOrder, { orderId: at.orderId });
    await t.relay();
    expect(await goodsRow(at.goods.id)).toEqual({ status: 3, due: true, listed: false });
    expect((await noticesOf(at.seller.id, 'goods.password')).join()).toContain('修改密码');
    const push = (passwordChanged?: boolean) =>
      at.seller.client.call(pushOrPullGoods, {
        goodsSn: at.goods.sn,
        act: 'push',
        ...(passwordChanged && { passwordChanged }),
      });
    expect((await push()).code).toBe(codes.GOODS_PASSWORD_DUE[0]);
    expect((await push(true)).data).toMatchObject({ status: 2 });
    expect(await goodsRow(at.goods.id)).toMatchObject({ status: 2, due: false });
    const { rows } =
      await sql`select from goods_event where goods_id = ${at.goods.id} and detail->>'passwordChanged' = 'true'`.execute(
        t.ctx.db,
      );
    expect(rows).toHaveLength(1);
  });

  test('a listing whose credentials were not opened returns on sale', async () => {
    const at = await trade(t);
    expect(await goodsRow(at.goods.id)).toMatchObject({ status: 4 });
    await at.seller.client.ok(c.cancelOrder, { orderId: at.orderId });
    expect(await goodsRow(at.goods.id)).toMatchObject({ status: 2, due: false });
  });
});

describe('P13: unpaid orders are limited', () => {
  const lastEnd = (buyerId: number, ago: string) =>
    sql`update orders set unpaid_end_at = now() - ${ago}::interval where buyer_id = ${buyerId} and unpaid_end_at is not null`.execute(
      t.ctx.db,
    );

  test('at most three, also when eight are placed concurrently', async () => {
    const [seller, buyer] = [await t.newUser({ soldCount: 9 }), await t.newUser()];
    const goods = await Promise.all(Array.from({ length: 8 }, () => addGoods(t.ctx, { sellerId: seller.id })));
    const responses = await Promise.all(goods.map(({ sn }) => buyer.client.call(c.placeOrder, { goodsSn: sn })));
    expect(responses.filter((a) => a.code === 0)).toHaveLength(3);
    expect(new Set(responses.filter((a) => a.code !== 0).map((a) => a.code))).toEqual(
      new Set([codes.ORDER_TOO_MANY_UNPAID[0]]),
    );
  });

  test('each unpaid end lengthens the next wait, whose end is in the error; paying stays possible', async () => {
    const [seller, buyer] = [await t.newUser({ soldCount: 9 }), await t.newUser({ balanceFen: 90_000 })];
    const open = await trade(t, { seller, buyer, unpaid: true });
    const pending: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const at = await trade(t, { seller, buyer, unpaid: true });
      await buyer.client.ok(c.cancelOrder, { orderId: at.orderId });
      const { rows } = await sql<{ left: number }>`
        select round(extract(epoch from unpaid_pause_until(${buyer.id}, value->'unpaidPauseSeconds') - now()))::int as left
        from setting where key = 'order' order by version desc limit 1`.execute(t.ctx.db);
      pending.push(rows[0]?.left ?? 0);
      const { sn } = await addGoods(t.ctx, { sellerId: seller.id });
      const rejected = await buyer.client.call(c.placeOrder, { goodsSn: sn });
      expect([rejected.code, rejected.msg]).toEqual([
        codes.ORDER_PAUSE[0],
        expect.stringMatching(/请在 \d\d-\d\d \d\d:\d\d 之后再下单/),
      ]);
      await lastEnd(buyer.id, '4 hours 1 minute');
    }
    expect(pending.toSorted((a, b) => a - b)).toEqual(pending);
    expect(new Set(pending).size).toBe(3);
    await buyer.client.ok(balancePay, { orderId: open.orderId });
  });

  test('an expired order counts like a cancelled one', async () => {
    const at = await trade(t, { unpaid: true });
    await makeDue(t.ctx.db, 'order.expire', at.orderId);
    await t.timers();
    const { sn } = await addGoods(t.ctx, { sellerId: at.seller.id });
    expect((await at.buyer.client.call(c.placeOrder, { goodsSn: sn })).code).toBe(codes.ORDER_PAUSE[0]);
  });

  test('the same buyer reserves the same listing once a day; others can buy it immediately', async () => {
    const at = await trade(t, { unpaid: true });
    await at.buyer.client.ok(c.cancelOrder, { orderId: at.orderId });
    await lastEnd(at.buyer.id, '5 hours');
    const again = await at.buyer.client.call(c.placeOrder, { goodsSn: at.goods.sn });
    expect([again.code, again.msg]).toEqual([codes.ORDER_SAME_GOODS[0], expect.stringContaining('之后才能再次下单')]);
    const other = await t.newUser();
    const claimed = await other.client.ok(c.placeOrder, { goodsSn: at.goods.sn });
    await other.client.ok(c.cancelOrder, { orderId: claimed.orderId });
    await lastEnd(at.buyer.id, '25 hours');
    await at.buyer.client.ok(c.placeOrder, { goodsSn: at.goods.sn });
  });

  test('a paid order that is cancelled later does not count', async () => {
    const at = await trade(t);
    await at.buyer.client.ok(c.cancelOrder, { orderId: at.orderId });
    const again = await at.buyer.client.ok(c.placeOrder, { goodsSn: at.goods.sn });
    expect(again.orderId).not.toBe(at.orderId);
  });
});
