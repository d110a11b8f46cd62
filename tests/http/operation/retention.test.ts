/** Data that is deleted after its retention time, data that is kept, and the page that shows both. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retentionList } from '#subjects/back-office/contract/retention.ts';
import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { passTime } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let admin: Awaited<ReturnType<TestApp['newStaff']>>;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  seller = await t.newUser();
  admin = await t.newStaff({ role: 'admin' });
});
afterAll(async () => await t.close());

async function sweep(): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) values ('retention.sweep', 'all', now()) on conflict (kind, ref) do update set due_at = now()`.execute(
    t.ctx.db,
  );
  await t.timers();
}

const count = async (table: string): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(t.ctx.db)).rows[0]?.n ?? 0;

test('a key is deleted after thirty days and not a day before', async () => {
  const buyer = await t.newUser({ balanceFen: 1_000_000 });
  const [first, second] = await Promise.all([1, 2].map(() => addGoods(t.ctx, { sellerId: seller.id })));
  const order = await buyer.client.ok(placeOrder, { goodsSn: first?.sn ?? '' }, { idempotencyKey: 'kept-key' });
  await buyer.client.ok(placeOrder, { goodsSn: second?.sn ?? '' }, { idempotencyKey: 'old-key' });
  await passTime(t.ctx.db, 'idempotency', { key: 'kept-key' }, { days: 29 });
  await passTime(t.ctx.db, 'idempotency', { key: 'old-key' }, { days: 31 });
  await sweep();
  const { rows } = await sql<{ key: string }>`select key from idempotency where key in ('kept-key', 'old-key')`.execute(
    t.ctx.db,
  );
  expect(rows.map((r) => r.key)).toEqual(['kept-key']);
  // Asking again under the kept key is still the same order.
  expect(
    (await buyer.client.ok(placeOrder, { goodsSn: first?.sn ?? '' }, { idempotencyKey: 'kept-key' })).orderSn,
  ).toBe(order.orderSn);
});

test('views, notices and rows of imports are deleted after their time, in batches, by two concurrent processes', async () => {
  const reader = await t.newUser();
  const goods = await addGoods(t.ctx, { sellerId: seller.id });
  await reader.client.ok(goodsInfo, { goodsSn: goods.sn });
  await sql`insert into goods_view (user_id, goods_id, viewed_at) select ${seller.id}, ${goods.id}, now() - interval '181 days'`.execute(
    t.ctx.db,
  );
  await sql`insert into notice (dist_id, user_id, kind, ref, title, body, created_at)
    select 1, ${reader.id}, (select code from notice_kind limit 1), 'r' || n, '标题', '内容', now() - make_interval(days => case when n <= 1500 then 366 else 1 end) from generate_series(1, 1600) n`.execute(
    t.ctx.db,
  );
  await Promise.all([sweep(), sweep()]);
  await sweep();
  const { rows } = await sql<{ old: number; young: number; views: number }>`
    select count(*) filter (where created_at < now() - interval '365 days') as old, count(*) filter (where ref like 'r%' and created_at >= now() - interval '365 days') as young,
      (select count(*) from goods_view where viewed_at < now() - interval '180 days') as views from notice`.execute(
    t.ctx.db,
  );
  expect(rows[0]).toEqual({ old: 0, young: 100, views: 0 });
});

test('the page shows rule, size, oldest row and last run of each table, and what is kept permanently', async () => {
  const page = await admin.client.ok(retentionList, {});
  const tables = page.deleted.map((row) => row.table);
  expect(tables).toEqual([
    'goods_view',
    'goods_week',
    'notice_delivery',
    'notice',
    'link_push',
    'listing_import_row',
    'listing_import',
    'idempotency',
    'import_row',
  ]);
  const notice = page.deleted.find((row) => row.table === 'notice');
  expect(notice).toMatchObject({ days: 365, error: null });
  expect(notice?.totalDeleted).toBeGreaterThanOrEqual(1500);
  expect(notice?.runTime).not.toBeNull();
  expect(notice?.oldestTime).not.toBeNull();
  expect(page.kept.map((row) => row.table)).toContain('ledger_entry');
  expect(page.kept.every((row) => row.rule.includes('永久保存'))).toBe(true);
  expect(page.kept.some((row) => tables.includes(row.table))).toBe(false);
});

test('rows that money and records depend on cannot be deleted', async () => {
  const before = await count('orders');
  const { kept } = await admin.client.ok(retentionList, {});
  expect(kept.length).toBeGreaterThan(0);
  for (const { table } of kept)
    await expect(sql`delete from ${sql.table(table)}`.execute(t.ctx.db)).rejects.toThrow(/permission denied/);
  expect(await count('orders')).toBe(before);
});
