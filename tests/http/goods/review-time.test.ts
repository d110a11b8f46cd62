/** The review time shown to sellers is measured: only by staff's decisions, and only from enough of them. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reviewTime } from '#subjects/goods/contract/front-page.ts';
import { testApp, type TestApp } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
});
afterAll(async () => await t.close());

test('is the median of the last week’s decisions by staff, and null with fewer than ten', async () => {
  const seller = await t.newUser();
  const median = async () => (await seller.client.ok(reviewTime, {})).medianMinutes;
  const decide = async (minutes: number, actor: string, daysAgo = 1) => {
    const { id } = await addGoods(t.ctx, { sellerId: seller.id });
    await sql`insert into goods_event (goods_id, kind, actor, created_at) values
      (${id}, 'submitted', ${`user:${seller.id}`}, now() - make_interval(days => ${daysAgo}, mins => ${minutes})),
      (${id}, 'approved', ${actor}, now() - make_interval(days => ${daysAgo}))`.execute(t.ctx.db);
  };
  for (let i = 1; i <= 9; i += 1) await decide(i * 10, 'staff:1');
  // Approved by a rule, and before the week: neither counts.
  await decide(0, `user:${seller.id}`);
  await decide(5000, 'staff:1', 9);
  expect(await median()).toBeNull();
  await decide(100, 'staff:2');
  expect(await median()).toBe(55);
  expect((await t.client().call(reviewTime, {})).status).toBe(401);
});
