/** Lists of companions by when they are free beside the cache for visitors, which keeps responses for a minute here. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getGoodsList } from '#subjects/goods/contract/goods.ts';
import { reindexGoods } from '#subjects/goods/server/service.ts';
import { type TestApp, testApp } from '#tests/support/servers/build.ts';
import { memoryClock } from '#tests/support/time/clock.ts';
import { addPlayGame, openedCompanion } from '#tests/support/services/companion.ts';

let t: TestApp;
const clock = memoryClock();
beforeAll(async () => {
  t = await testApp({ env: { PUBLIC_CACHE_TTL_MS: '60000' }, overrides: { monotonicMs: clock.monotonicMs } });
  await addPlayGame(t);
});
afterAll(async () => {
  await t.close();
});

/** The answer is this old at most (decision 464). */
const CACHED_MS = 2_000;

test('a companion who rests is no longer among those who are free now, though no listing has changed', async () => {
  const { companion, goodsSn } = await openedCompanion(t, await t.newStaff());
  const { rows } = await sql<{ id: number }>`select id from goods where sn = ${goodsSn}`.execute(t.ctx.db);
  await reindexGoods(t.ctx, t.ctx.db, rows[0]?.id ?? 0);
  const found = async () =>
    (await t.client().ok(getGoodsList, { goodsTypeId: 61, free: 'now' } as never)).list.map((card) => card.goodsSn);
  expect(await found()).toEqual([goodsSn]);
  await sql`update provider set online = false where user_id = ${companion.id}`.execute(t.ctx.db);
  clock.pass(CACHED_MS);
  expect(await found()).toEqual([]);
});
