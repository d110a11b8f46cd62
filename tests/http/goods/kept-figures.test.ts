/** The figures of orders and listings that are kept as they change agree with a count of all rows, also after concurrent changes. */
import { chinaDay } from '#contract/rules/time/china-time.ts';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as c from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { foldOnSale, recountOnSale } from '#subjects/goods/server/service.ts';
import { foldFigures, recountDay } from '#subjects/orders/server/service.ts';
import { seededChance } from '#tests/support/time/chance.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let sellers: TestUser[];
let buyers: TestUser[];

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  sellers = [await t.newUser({ nickName: '卖家甲' }), await t.newUser({ nickName: '卖家乙' })];
  buyers = await Promise.all(Array.from({ length: 6 }, () => t.newUser({ balanceFen: 5_000_000 })));
});
afterAll(async () => await t.close());

/** Sums that differ between two statements of the same columns. */
async function differences(stored: RawBuilder<unknown>, counted: RawBuilder<unknown>): Promise<unknown[]> {
  const { rows } = await sql`
    with kept as (${stored}), counted as (${counted})
    (select 'kept' as side, * from kept except all select 'kept', * from counted)
    union all (select 'counted', * from counted except all select 'counted', * from kept)`.execute(t.ctx.db);
  return rows;
}

/** Every kept sum beside a count of all rows, in one snapshot each. */
async function allDifferences(): Promise<unknown[]> {
  return [
    ...(await differences(
      sql`select figure, day, dist_id, sum(n) as n, sum(amount) as amount from order_figure group by 1, 2, 3 having sum(n) <> 0`,
      sql`select figure, day, dist_id, sum(n) as n, sum(amount) as amount from (
          select f.figure, f.day, o.dist_id, f.n, f.amount from orders o cross join lateral order_figures(o) f
          union all select 'disputed', (o.created_at at time zone 'Asia/Shanghai')::date, o.dist_id, 1, o.total_fen from orders o where exists (select from dispute d where d.order_id = o.id)
        ) x group by 1, 2, 3`,
    )),
    ...(await differences(
      sql`select day, game_id, type_id, sum(deals) as n from deal_figure group by 1, 2, 3 having sum(deals) <> 0`,
      sql`select (completed_at at time zone 'Asia/Shanghai')::date, game_id, type_id, count(*)::numeric from orders where status = 3 and game_id is not null group by 1, 2, 3`,
    )),
    ...(await differences(
      sql`select game_id, type_id, sum(n) as n from on_sale_figure group by 1, 2 having sum(n) <> 0`,
      sql`select game_id, type_id, count(*)::numeric from goods_search group by 1, 2`,
    )),
  ];
}

/** One purchase that goes as far as chance has it: unpaid, cancelled, paid, shipped, completed, disputed. */
async function buySome(buyer: TestUser, chance: { next(): number }): Promise<void> {
  const seller = sellers[Math.floor(chance.next() * sellers.length)];
  if (!seller) return;
  const typeId = chance.next() < 0.5 ? 1 : 27;
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 20_000, typeId, stock: 3 });
  const end = chance.next();
  if (end < 0.15) {
    // A user who leaves an order unpaid has to pause, so another one buys.
    const { client } = await t.newUser();
    const { orderId } = await client.ok(c.placeOrder, { goodsSn: goods.sn });
    return void (await client.ok(c.cancelOrder, { orderId }));
  }
  const { orderId, orderSn } = await buyer.client.ok(c.placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  if (end < 0.35) return void (await seller.client.ok(c.cancelOrder, { orderId }));
  if (end < 0.5) return;
  await seller.client.ok(c.offlineTranSub, { orderId });
  if (end < 0.6) return;
  await buyer.client.ok(c.confirmRecGoods, { orderId });
  // Two disputes of one order, one after the other, are one disputed order.
  if (end > 0.9)
    for (const suffix of ['a', 'b'])
      await sql`insert into dispute (sn, dist_id, order_id, opener_id, opener_belong, reason_code, want, status, outcome, closed_at, first_look_by)
        select 'DS' || id || ${suffix}, dist_id, id, buyer_id, 0, 'other', 'refund', 'closed', 'withdrawn', now(), now() from orders where sn = ${orderSn}`.execute(
        t.ctx.db,
      );
}

test('after concurrent random actions with folds in between, every stored sum equals a count', async () => {
  const chance = seededChance('figures');
  let walking = true;
  const folding = (async () => {
    while (walking) await Promise.all([foldFigures(t.ctx.db), foldFigures(t.ctx.db), foldOnSale(t.ctx.db)]);
  })();
  const trading = Promise.all(
    buyers.map(async (buyer) => {
      for (let i = 0; i < 8; i++) await buySome(buyer, chance);
    }),
  ).finally(() => {
    walking = false;
  });
  await Promise.all([trading, folding]);
  await t.relay();
  expect(await allDifferences()).toEqual([]);
  const { rows } = await sql<{ done: number }>`select count(*) as done from orders where status = 3`.execute(t.ctx.db);
  expect(rows[0]?.done).toBeGreaterThan(5);
  while ((await foldFigures(t.ctx.db)) > 0);
  while ((await foldOnSale(t.ctx.db)) > 0);
  expect(await allDifferences()).toEqual([]);
});

test('pages show the stored sums', async () => {
  const { rows } = await sql<{ escrow: number; done: number; onSale: number }>`
    select (select coalesce(sum(total_fen), 0)::bigint from orders where status in (1, 2)) as escrow, (select count(*) from orders where status = 3) as done,
      (select count(*) from goods_search) as "onSale"`.execute(t.ctx.db);
  const counts = await t.client().ok(c.distCount, {});
  expect(counts).toMatchObject({ onSale: rows[0]?.onSale, dealsToday: rows[0]?.done });
  expect(Math.round(Number(counts.escrowTotal) * 100)).toBe(rows[0]?.escrow);
  const { days } = await t.client().ok(c.everydayDealOrderList, {});
  expect(days.at(-1)?.deals).toBe(rows[0]?.done);
});

test('a recount corrects and reports sums that a change outside the triggers made wrong', async () => {
  const day = chinaDay(new Date());
  expect(await recountDay(t.ctx.db, day)).toBe(0);
  await sql`update order_day set n = n + 1, amount = amount + 5 where figure = 'paid'`.execute(t.ctx.db);
  await sql`update on_sale set n = n + 2`.execute(t.ctx.db);
  expect((await allDifferences()).length).toBeGreaterThan(0);
  // Orders go on while the day is counted.
  const chance = seededChance('recount');
  const [wrong] = await Promise.all([recountDay(t.ctx.db, day), ...buyers.map((buyer) => buySome(buyer, chance))]);
  expect(wrong).toBe(1);
  await t.relay();
  let isLast = false;
  let found = 0;
  while (!isLast) {
    const part = await recountOnSale(t.ctx.db);
    isLast = part.isLast;
    found += part.differences;
  }
  expect(found).toBeGreaterThan(0);
  expect(await allDifferences()).toEqual([]);
});
