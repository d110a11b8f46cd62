/** The clocks of orders, holds, rulings and messages at their limits, with the clock stopped. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { staffDisputeRule } from '#subjects/disputes/contract/staff-disputes.ts';
import { codes } from '#contract/codes.ts';
import { getImGroupIdMap, recallMessage, sendMessage } from '#subjects/chat/contract/im.ts';
import { confirmRecGoods, placeOrder } from '#subjects/orders/contract/order.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { brokenInvariants } from '#subjects/ledger/server/service.ts';
import { atBoundary, wholeSecond } from '#tests/support/time/boundary.ts';
import { type Court, openCourt, ruling } from '#tests/support/orders/disputes.ts';
import { addGoods } from '#tests/support/goods/goods.ts';
import { putSetting } from '#tests/support/market/settings.ts';
import { type StoppedClock, stoppedClock } from '#tests/support/time/stopped-clock.ts';

let court: Court;
let clock: StoppedClock;
let from: number;

beforeAll(async () => {
  court = await openCourt();
  clock = await stoppedClock(court.t);
  // Settings are read anew only with sites whose pages are complete.
  await sql`update distributor m set conf = d.conf, theme = d.theme from distributor d where d.id = 1 and m.id = 2`.execute(
    court.t.ctx.db,
  );
  from = wholeSecond();
});
beforeEach(async () => await clock.stopAt(from));
afterAll(async () => {
  await clock.run();
  expect(await brokenInvariants(court.t.ctx.db)).toEqual([]);
  await court.t.close();
});

const HOUR_S = 3600;

/** Returns the state a second before a limit, at it and a second after it, once the due jobs have run. */
async function around<T>(limitMs: number, see: () => Promise<T>): Promise<T[]> {
  const seen: T[] = [];
  for (const [, ms] of atBoundary(limitMs)) {
    await clock.stopAt(ms);
    await court.t.timers();
    seen.push(await see());
  }
  return seen;
}
async function statusOf(orderId: number): Promise<number | undefined> {
  const { rows } = await sql<{ status: number }>`select status from orders where id = ${orderId}`.execute(
    court.t.ctx.db,
  );
  return rows[0]?.status;
}

const times = () => court.t.ctx.dir.setting('order');

describe('an order', () => {
  test('ends at the payment deadline', async () => {
    const [buyer, seller] = [await court.t.newUser(), await court.t.newUser()];
    const goods = await addGoods(court.t.ctx, { sellerId: seller.id, typeId: 27 });
    const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
    const open = await statusOf(orderId);
    const [before, at, after] = await around(from + times().unpaidSeconds * 1000, () => statusOf(orderId));
    expect(before).toBe(open);
    expect(at).not.toBe(open);
    expect(after).toBe(at);
  });

  test('is accepted at the confirmation deadline after shipping, and its money is held until protection ends', async () => {
    const trade = await court.trade('shipped');
    const limit = from + (times().confirmSeconds['27'] ?? 0) * 1000;
    const { Completed } = OrderStatus;
    const open = await statusOf(trade.orderId);
    expect(open).not.toBe(Completed);
    expect(await around(limit, () => statusOf(trade.orderId))).toEqual([open, Completed, Completed]);
    const [hours = 0] = court.t.ctx.dir.setting('hold_hours');
    const money = await around(limit + hours * HOUR_S * 1000, async () => (await court.money(trade)).seller);
    expect(money).toEqual([0, 9500, 9500]);
  });

  test('is one of so many unpaid ones of a buyer, and no more', async () => {
    await putSetting(court.t, 'order', { maxUnpaid: 2 });
    const [buyer, seller] = [await court.t.newUser(), await court.t.newUser()];
    const answers = [];
    for (let n = 1; n <= 3; n++) {
      const goods = await addGoods(court.t.ctx, { sellerId: seller.id, typeId: 27 });
      answers.push((await buyer.client.call(placeOrder, { goodsSn: goods.sn })).code);
    }
    expect(answers).toEqual([0, 0, codes.ORDER_TOO_MANY_UNPAID[0]]);
    await putSetting(court.t, 'order', { maxUnpaid: 20 });
  });
});

test('a ruling is carried out when the time to appeal is over', async () => {
  const trade = await court.trade('shipped');
  const disputeSn = await court.answered(trade);
  const service = await court.t.newStaff({ role: 'service' });
  await service.client.ok(staffDisputeRule, ruling(disputeSn, '40.00'));
  const { appealSeconds } = court.t.ctx.dir.setting('disputes');
  const before = (await court.money(trade)).buyer;
  const buyers = await around(from + appealSeconds * 1000, async () => (await court.money(trade)).buyer);
  expect(buyers.map((fen) => fen - before)).toEqual([0, 4040, 4040]);
});

test('a message can be recalled within two minutes', async () => {
  const trade = await court.trade('paid');
  await court.t.relay();
  const groups = await trade.buyer.client.ok(getImGroupIdMap, { orderSnList: trade.orderSn });
  const groupId = groups[trade.orderSn]?.[0]?.groupId ?? '0';
  const answers = [];
  for (const [index, [, ms]] of atBoundary(from + 120_000).entries()) {
    await clock.stopAt(from);
    const message = { groupId, clientMsgId: `boundary-${index}`, messageType: 'text', content: '你好' };
    const { seq } = await trade.buyer.client.ok(sendMessage, message as never);
    await clock.stopAt(ms);
    answers.push((await trade.buyer.client.call(recallMessage, { groupId, seq } as never)).code === 0);
  }
  expect(answers).toEqual([true, false, false]);
});

test('a buyer’s own acceptance starts the protection at that moment', async () => {
  const trade = await court.trade('shipped');
  const accepted = from + 1000;
  await clock.stopAt(accepted);
  await trade.buyer.client.ok(confirmRecGoods, { orderId: trade.orderId });
  const [hours = 0] = court.t.ctx.dir.setting('hold_hours');
  const money = await around(accepted + hours * HOUR_S * 1000, async () => (await court.money(trade)).seller);
  expect(money).toEqual([0, 9500, 9500]);
});
