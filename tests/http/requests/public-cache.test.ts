/** Answers to visitors are kept for a minute here, so that nothing of what is proved depends on time. */
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '#contract/endpoint.ts';
import * as g from '#subjects/goods/contract/goods.ts';
import { placeOrder } from '#subjects/orders/contract/order.ts';
import { goodsUserFollow } from '#subjects/goods/contract/follows.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { accountBody, accountOffer, coinOffer, type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';

/** A site that shows only the first game. */
const MOON = 'moon.test';

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;

beforeAll(async () => {
  t = await testApp({ env: { PUBLIC_CACHE_TTL_MS: '60000' } });
  offers = await offerFixture(t);
  await sql`with d as (insert into distributor (code, name, conf, theme, games) select 'moon', '月', conf, theme, '{1}' from distributor where id = 1 returning id)
    insert into dist_host (host, dist_id) select ${MOON}, id from d`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  seller = await offers.sellerWith(5);
});
afterAll(async () => await t.close());

const visitor = () => t.client();
const numbers = async (input: Partial<Input<typeof g.getGoodsList>> = {}): Promise<string[]> =>
  (await visitor().ok(g.getGoodsList, { gameId: 2, sort: 'newest', ...input })).list.map(({ goodsSn }) => goodsSn);

test('a cached response is returned again: a row changed outside the server is not seen', async () => {
  const goodsSn = await offers.onSale(seller);
  const before = await visitor().ok(g.goodsInfo, { goodsSn });
  await sql`update goods set title = '背后改过的标题' where sn = ${goodsSn}`.execute(t.ctx.db);
  expect((await visitor().ok(g.goodsInfo, { goodsSn })).bigTitle).toBe(before.bigTitle);
  // The same by the other form of the address: one question.
  const { body } = await visitor().raw({ method: 'GET', url: `/api/goods/goodsInfo/${goodsSn}/` });
  expect(body).toContain(before.bigTitle);
});

test('a published listing is found immediately, by game and in total, and one taken off sale disappears immediately', async () => {
  const anywhere = { gameId: undefined, keyWord: '贵族八级' };
  const before = [await numbers(), await numbers(anywhere)];
  const goodsSn = await offers.onSale(seller);
  expect(await numbers()).toEqual([goodsSn, ...(before[0] ?? [])].slice(0, 20));
  expect(await numbers(anywhere)).toContain(goodsSn);
  await seller.client.ok(g.pushOrPullGoods, { goodsSn, act: 'pull' });
  expect(await numbers()).toEqual(before[0]);
  expect(await numbers(anywhere)).toEqual(before[1]);
  expect((await visitor().ok(g.goodsInfo, { goodsSn })).status).toBe(3);
});

test('a price, an edit and an order are visible immediately to earlier readers', async () => {
  const goodsSn = await offers.onSale(seller);
  const view = async () => {
    const listed = await visitor().ok(g.getGoodsList, { gameId: 2, sort: 'newest' });
    const { price, status } = await visitor().ok(g.goodsInfo, { goodsSn });
    return { price, status, listed: listed.list.find((card) => card.goodsSn === goodsSn)?.price };
  };
  expect(await view()).toEqual({ price: '1288.00', status: 2, listed: '1288.00' });
  await seller.client.ok(g.onlySetupGoodsPrice, { goodsSn, price: '999.00' });
  expect(await view()).toEqual({ price: '999.00', status: 2, listed: '999.00' });
  const buyer = await t.newUser({ balanceFen: 1_000_000 });
  await buyer.client.ok(placeOrder, { goodsSn });
  expect(await view()).toEqual({ price: '999.00', status: 4, listed: undefined });
  const other = await offers.onSale(seller);
  expect((await visitor().ok(g.goodsInfo, { goodsSn: other })).status).toBe(2);
  await seller.client.ok(g.updatetGoods, { goodsSn: other, ...accountBody({ bigTitle: '改过的标题 全英雄' }) });
  expect((await visitor().call(g.goodsInfo, { goodsSn: other })).status).toBe(404);
});

test('changes in one game keep cached responses of others; an error is not cached', async () => {
  const goodsSn = await offers.onSale(seller);
  await visitor().ok(g.goodsInfo, { goodsSn });
  await sql`update goods set title = '背后改过的标题' where sn = ${goodsSn}`.execute(t.ctx.db);
  const coin = (await seller.client.ok(g.releaseGoods, coinOffer())).goodsSn;
  expect((await visitor().call(g.goodsInfo, { goodsSn: coin })).status).toBe(404);
  await offers.approve(coin);
  expect((await visitor().ok(g.goodsInfo, { goodsSn: coin })).status).toBe(2);
  expect((await visitor().ok(g.goodsInfo, { goodsSn })).bigTitle).not.toBe('背后改过的标题');
});

test('one site’s responses are never used for another', async () => {
  const goodsSn = await offers.onSale(seller);
  const moon = t.client({ host: MOON });
  const requested = { keyWord: '贵族八级' };
  const here = (await visitor().ok(g.getGoodsList, requested)).list;
  expect(here.length).toBeGreaterThan(0);
  expect((await moon.ok(g.getGoodsList, requested)).list).toEqual([]);
  expect((await visitor().ok(g.getGoodsList, requested)).list).toEqual(here);
  await visitor().ok(g.goodsInfo, { goodsSn });
  expect((await moon.call(g.goodsInfo, { goodsSn })).status).toBe(404);
});

test('a response computed before a configuration was reloaded is not served afterwards', async () => {
  const { goodsSn } = await seller.client.ok(g.releaseGoods, coinOffer());
  await offers.approve(goodsSn);
  const allIn = async () => (await t.client({ host: MOON }).ok(g.goodsInfo, { goodsSn })).allInPrice;
  const before = await allIn();
  await sql`insert into brand_terms (dist_id, version, mark_up_bp, commission_bp, starts_at, reason)
    select id, 1, mark_up_bp + 500, commission_bp, now(), '涨价' from distributor where code = 'moon'`.execute(
    t.ctx.db,
  );
  expect(await allIn()).toBe(before);
  await t.ctx.dir.reload();
  expect(Number(await allIn())).toBeGreaterThan(Number(before));
});

test('a logged-in user gets their own data, and no visitor does', async () => {
  const goodsSn = await offers.onSale(seller);
  const buyer = await t.newUser();
  expect(await visitor().ok(g.goodsInfo, { goodsSn })).toMatchObject({ followed: false, isMine: false });
  await buyer.client.ok(goodsUserFollow, { goodsSn, status: 1 });
  expect(await buyer.client.ok(g.goodsInfo, { goodsSn })).toMatchObject({ followed: true, isMine: false });
  expect(await seller.client.ok(g.goodsInfo, { goodsSn })).toMatchObject({ followed: false, isMine: true });
  expect(await visitor().ok(g.goodsInfo, { goodsSn })).toMatchObject({ followed: false, isMine: false });
  // Own goods under review are displayed to the seller only, also when the seller filled the cache.
  const pending = (await seller.client.ok(g.releaseGoods, accountOffer())).goodsSn;
  await seller.client.ok(g.goodsInfo, { goodsSn: pending });
  expect((await visitor().call(g.goodsInfo, { goodsSn: pending })).status).toBe(404);
});

test('a view counts per viewer, also with a cached response', async () => {
  const goodsSn = await offers.onSale(seller);
  for (let i = 0; i < 3; i++) await visitor().ok(g.goodsInfo, { goodsSn });
  const buyer = await t.newUser();
  await buyer.client.ok(g.getUserLookGoodsHistory, {});
  expect((await buyer.client.ok(g.goodsInfo, { goodsSn })).views).toBe(3);
});

test('the same bytes are sent plain or compressed, as each client accepts', async () => {
  await offers.onSale(seller);
  const url = '/api/goods/getGoodsList?gameId=2';
  const plain = await visitor().raw({ method: 'GET', url });
  const packed = await visitor().raw({ method: 'GET', url, headers: { 'accept-encoding': 'gzip' } });
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  expect(packed.headers['cache-control']).toBe('no-store');
  expect(packed.headers.vary).toContain('accept-encoding');
});
