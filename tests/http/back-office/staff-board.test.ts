/** The panels of the back office's first page: what they say is what the orders say, and a site sees its own. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  boardDisputes,
  boardFunnel,
  boardMoney,
  boardParts,
  boardTrade,
} from '#subjects/back-office/contract/board.ts';
import { staffOrderList } from '#subjects/orders/contract/staff-orders.ts';
import { codes } from '#contract/codes.ts';
import type { Input } from '#contract/endpoint.ts';
import { confirmRecGoods, offlineTranSub, placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { refreshDays } from '#subjects/orders/server/service.ts';
import { type TestApp, testApp, type TestStaff } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let service: TestStaff;
let operator: TestStaff;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  await sql`insert into distributor (code, name, conf) values ('moon', '月光', '{}')`.execute(t.ctx.db);
  service = await t.newStaff({ role: 'service' });
  operator = await t.newStaff({ role: 'operator', distId: 2 });
});
afterAll(async () => await t.close());

/** An order that is placed, paid or completed. */
async function order(until: 'placed' | 'paid' | 'done'): Promise<string> {
  const seller = await t.newUser({ soldCount: 20 });
  const buyer = await t.newUser({ balanceFen: 100_000 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, typeId: 1, priceFen: 10_000 });
  const { orderId, orderSn } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  if (until !== 'placed') await buyer.client.ok(balancePay, { orderId });
  if (until === 'done') {
    await seller.client.ok(offlineTranSub, { orderId });
    await buyer.client.ok(confirmRecGoods, { orderId });
  }
  return orderSn;
}

test('stored days equal the orders, also after a recount', async () => {
  await order('placed');
  const paid = [await order('paid'), await order('done')];
  const old = await order('done');
  await sql`update orders set created_at = created_at - interval '16 days', paid_at = paid_at - interval '16 days' where sn = ${old}`.execute(
    t.ctx.db,
  );
  await refreshDays(t.ctx.db);
  await refreshDays(t.ctx.db);
  const { rows } = await sql<{
    fen: number;
  }>`select sum(total_fen)::bigint as fen from orders where sn = any(${paid})`.execute(t.ctx.db);
  const trade = await service.client.ok(boardTrade, { days: '14' });
  expect(trade.now.orders).toBe(2);
  expect(Number(trade.now.paid) * 100).toBe(rows[0]?.fen);
  expect(trade.before.orders).toBe(1);
  expect(trade.days).toHaveLength(14);
  expect(trade.days.at(-1)?.orders).toBe(2);
  expect(trade.days.reduce((sum, { orders0 }) => sum + orders0, 0)).toBe(1);

  const funnel = await service.client.ok(boardFunnel, { days: '14' });
  expect(funnel.now).toMatchObject({ placed: 3, paid: 2, shipped: 1, done: 1 });

  const today = trade.days.at(-1)?.day ?? '';
  const parts = await service.client.ok(boardParts, { days: '14', day: today, by: 'type' });
  expect(parts.list.map(({ id, orders, paid: sum }) => [id, orders, sum])).toEqual([[1, 2, trade.now.paid]]);
  // Every figure leads to its rows in the list of orders.
  const rowsOf = async (query: Input<typeof staffOrderList>) => (await service.client.ok(staffOrderList, query)).list;
  const paidToday = await rowsOf({ payTime: `${today}~${today}`, goodsTypeId: '1' });
  expect(paidToday.map(({ orderSn }) => orderSn).sort()).toEqual([...paid].sort());
  const createTime = `${funnel.fromDay}~${funnel.toDay}`;
  expect(await rowsOf({ createTime })).toHaveLength(funnel.now.placed);
  for (const reached of ['paid', 'shipped', 'done'] as const)
    expect(await rowsOf({ createTime, reached }), reached).toHaveLength(funnel.now[reached]);
  expect(await rowsOf({ createTime, reached: 'unpaid' })).toHaveLength(funnel.unpaid);
  expect(await rowsOf({ createTime, reached: 'undone' })).toHaveLength(funnel.undone);
  const brands = (await service.client.ok(boardFunnel, { days: '14' })).brands;
  expect(brands.map(({ distId, now }) => [distId, now.placed])).toEqual([[1, funnel.now.placed]]);
  expect(await rowsOf({ createTime, distId: '1' })).toHaveLength(funnel.now.placed);
});

test('an operator sees their own site, whichever brand is requested', async () => {
  await order('paid');
  await refreshDays(t.ctx.db);
  for (const distId of [undefined, 1]) {
    expect((await operator.client.ok(boardTrade, { distId })).now.orders).toBe(0);
    expect((await operator.client.ok(boardParts, { distId })).list).toEqual([]);
    expect((await operator.client.ok(boardFunnel, { distId })).brands).toEqual([]);
    expect((await operator.client.ok(boardFunnel, { distId })).now.placed).toBe(0);
    expect((await operator.client.ok(boardDisputes, { distId })).open).toBe(0);
  }
  expect((await operator.client.call(boardMoney, {})).code).toBe(codes.FORBIDDEN[0]);
  const one = await sql<{
    n: number;
  }>`update trade_day set dist_id = 2 where paid > 0 and day = (now() at time zone 'Asia/Shanghai')::date returning paid as n`.execute(
    t.ctx.db,
  );
  expect((await operator.client.ok(boardTrade, {})).now.orders).toBe(one.rows.reduce((sum, { n }) => sum + n, 0));
});

test('the fund and the holds equal the accounts', async () => {
  const finance = await t.newStaff({ role: 'finance' });
  const money = await finance.client.ok(boardMoney, {});
  const { rows } = await sql<{ fund: number; frozen: number }>`
    select (select coalesce(sum(balance), 0)::bigint from ledger_account where key like 'platform:guarantee_fund:%') as fund,
      (select coalesce(sum(balance), 0)::bigint from ledger_account where key like 'user:%:frozen') as frozen`.execute(
    t.ctx.db,
  );
  expect(Math.round(Number(money.fund) * 100)).toBe(rows[0]?.fund);
  expect(Math.round(Number(money.frozen) * 100)).toBe(rows[0]?.frozen);
  expect(money.fundDays.at(-1)?.balance).toBe(money.fund);
});
