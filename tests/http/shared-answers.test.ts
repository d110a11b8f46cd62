/** Visitors share answers for a moment: by distributor, never with a signed-in user, and each of them still counts. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getGoodsList, goodsInfo } from '#contract/goods.ts';
import { reindexGoods } from '#server/slices/goods/service.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/build.ts';
import { addGame, addGoods } from '#tests/support/goods.ts';

let t: TestApp;
let seller: TestUser;
let goods: { id: number; sn: string };

beforeAll(async () => {
  t = await testApp({ env: { SHARED_ANSWER_MS: '400' } });
  await addGame(t.ctx);
  seller = await t.newUser();
  goods = await addGoods(t.ctx, { sellerId: seller.id });
  await reindexGoods(t.ctx, t.ctx.db, goods.id);
});
afterAll(async () => await t.close());

const titleFor = async (client: ReturnType<TestApp['client']>): Promise<string | undefined> =>
  (await client.ok(getGoodsList, { gameId: 1, sort: 'newest' })).list[0]?.bigTitle;

test('a visitor may read what another has just read; a signed-in user never does; it is soon over', async () => {
  const before = await titleFor(t.client());
  await sql`update goods set title = '刚刚改过的标题' where id = ${goods.id}`.execute(t.ctx.db);
  expect(await titleFor(t.client())).toBe(before);
  expect(await titleFor((await t.newUser()).client)).toBe('刚刚改过的标题');
  await expect.poll(() => titleFor(t.client()), { timeout: 1500 }).toBe('刚刚改过的标题');
});

test('every visitor of a kept goods counts, and a refusal is not kept', async () => {
  const { sn } = goods;
  for (let i = 0; i < 4; i++) await t.client().ok(goodsInfo, { goodsSn: sn });
  const views = async (): Promise<number> => {
    const { rows } = await sql<{ views: number }>`select views from goods_stat where goods_id = ${goods.id}`.execute(
      t.ctx.db,
    );
    return rows[0]?.views ?? 0;
  };
  await expect.poll(views, { timeout: 4000 }).toBe(4);
  const hidden = await addGoods(t.ctx, { sellerId: seller.id, status: 1 });
  expect((await t.client().call(goodsInfo, { goodsSn: hidden.sn })).status).toBe(404);
  await sql`update goods set status = 2 where id = ${hidden.id}`.execute(t.ctx.db);
  expect((await t.client().call(goodsInfo, { goodsSn: hidden.sn })).status).toBe(200);
});
