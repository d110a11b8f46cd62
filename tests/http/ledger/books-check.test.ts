import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookCheckList } from '#subjects/ledger/contract/staff-ledger.ts';
import { codes } from '#contract/codes.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { balancePay } from '#subjects/payments/contract/pay.ts';
import { startNightly } from '#subjects/ledger/server/service.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { asSuperuser, databaseOf } from '#tests/support/database/database.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
});
afterAll(async () => await t.close());

async function plant(fen: number, key: string): Promise<void> {
  await asSuperuser(databaseOf(t.ctx), 'update ledger_account set balance = balance + $1 where key = $2', [fen, key]);
}

const night = async () => await (await startNightly(t.ctx)).done;

test('the nightly check passes a consistent ledger and reports a planted error', async () => {
  const seller = await t.newUser({});
  const buyer = await t.newUser({ balanceFen: 50_000 });
  const goods = await addGoods(t.ctx, { sellerId: seller.id, priceFen: 10_000 });
  const { orderId } = await buyer.client.ok(placeOrder, { goodsSn: goods.sn });
  await buyer.client.ok(balancePay, { orderId });
  expect(await night()).toEqual([]);

  // The same day is checked once, however often its timer comes.
  expect(await night()).toBeUndefined();

  await sql`update books_check set day = day - 1`.execute(t.ctx.db);
  await plant(7, `user:${buyer.id}:available`);
  const found = (await night()) ?? [];
  expect(found.some((breach) => breach.startsWith('L1'))).toBe(true);
  expect(found.some((breach) => breach.startsWith('L2') && breach.includes(`user:${buyer.id}:available`))).toBe(true);
  await plant(-7, `user:${buyer.id}:available`);

  const finance = await t.newStaff({ role: 'finance' });
  const { list } = await finance.client.ok(bookCheckList, {});
  expect(list.map((check) => check.breaches.length > 0)).toEqual([true, false]);
  const service = await t.newStaff({ role: 'service' });
  expect((await service.client.call(bookCheckList, {})).code).toBe(codes.FORBIDDEN[0]);
});

test('an interrupted run continues, and the timer is set for the next night', async () => {
  await asSuperuser(databaseOf(t.ctx), 'delete from books_check');
  await sql`insert into books_check (day, started_at) values ((now() at time zone 'Asia/Shanghai')::date, now() - interval '46 minutes')`.execute(
    t.ctx.db,
  );
  await makeDue(t.ctx.db, 'ledger.nightly');
  await t.timers();
  const isEnded = async (): Promise<boolean> =>
    (await sql`select 1 from books_check where ended_at is not null`.execute(t.ctx.db)).rows.length > 0;
  await expect.poll(isEnded).toBe(true);
  const { rows } = await sql<{ ended: boolean; hours: number }>`
    select ended_at is not null as ended, (select extract(epoch from due_at - now()) / 3600 from timer where kind = 'ledger.nightly')::float as hours
    from books_check`.execute(t.ctx.db);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.ended).toBe(true);
  expect(rows[0]?.hours).toBeGreaterThan(0);
  expect(rows[0]?.hours).toBeLessThanOrEqual(24.1);
});
