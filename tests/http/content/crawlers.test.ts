import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerCrawlers } from '#server/site-files/crawlers.ts';
import { hostsOf } from '#server/access/tenant.ts';
import { reindexGoods } from '#subjects/goods/server/service.ts';
import { goodsInfo } from '#subjects/goods/contract/goods.ts';
import { BACKSTAGE_HOST, type TestApp, testApp } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

let t: TestApp;
let http: FastifyInstance;
let visibleSn: string;
let hidden: string;

/** A second distributor that shows another game only. */
async function addNarrowDistributor(): Promise<void> {
  await sql`insert into distributor (code, name, games, conf, theme) select 'narrow', '窄站', '{2}', conf, theme from distributor where id = 1`.execute(
    t.ctx.db,
  );
  await sql`insert into dist_host (host, dist_id) select 'narrow.example', id from distributor where code = 'narrow'`.execute(
    t.ctx.db,
  );
  await t.ctx.dir.reload();
}

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  const seller = await t.newUser();
  const onSale = await addGoods(t.ctx, { sellerId: seller.id });
  const offSale = await addGoods(t.ctx, { sellerId: seller.id, status: 3 });
  for (const { id } of [onSale, offSale]) await reindexGoods(t.ctx, t.ctx.db, id);
  visibleSn = onSale.sn;
  hidden = offSale.sn;
  await addNarrowDistributor();
  http = Fastify();
  registerCrawlers(http, t.ctx, { ...hostsOf(t.ctx), publicPaths: () => Promise.resolve(['/', '/allgame']) });
});

afterAll(async () => {
  await http.close();
  await t.close();
});

const get = (url: string, host = 'localhost') => http.inject({ url, headers: { host } });

test('robots.txt names the sitemap of the requested host, and excludes personal pages', async () => {
  const { body } = await get('/robots.txt', 'narrow.example');
  expect(body).toContain('Sitemap: http://narrow.example/sitemap.xml');
  expect(body).toMatch(/^Disallow: \/center$/m);
});

test('the back office excludes all crawlers', async () => {
  expect((await get('/robots.txt', BACKSTAGE_HOST)).body).toBe('User-agent: *\nDisallow: /\n');
  for (const url of ['/sitemap.xml', '/sitemap-pages.xml', '/sitemap-goods-1.xml'])
    expect((await get(url, BACKSTAGE_HOST)).statusCode).toBe(404);
});

test('every file of the index exists, and a part beyond the last does not', async () => {
  const { body } = await get('/sitemap.xml');
  const files = [...body.matchAll(/<loc>http:\/\/localhost(.*?)<\/loc>/g)].map(([, path]) => path ?? '');
  expect(files).toEqual(['/sitemap-pages.xml', '/sitemap-goods-1.xml']);
  for (const file of files) expect((await get(file)).statusCode).toBe(200);
  expect((await get('/sitemap-goods-2.xml')).statusCode).toBe(404);
});

test('pages and lists with listings are included under the host, escaped', async () => {
  const { body } = await get('/sitemap-pages.xml');
  expect(body).toContain('<loc>http://localhost/allgame</loc>');
  expect(body).toContain('<loc>http://localhost/wares?gt=1&amp;gid=1</loc>');
});

test('listings on sale are included, others are not', async () => {
  const { body } = await get('/sitemap-goods-1.xml');
  expect(body).toContain(`<loc>http://localhost/detail/${visibleSn}</loc>`);
  expect(body).not.toContain(hidden);
});

test('a distributor’s sitemap omits listings and games that it hides', async () => {
  expect((await get('/sitemap-goods-1.xml', 'narrow.example')).body).not.toContain('/detail/');
  expect((await get('/sitemap-pages.xml', 'narrow.example')).body).not.toContain('gid=1');
});

test('a listing shown on several sites is in the sitemap of the one that published it', async () => {
  await sql`insert into distributor (code, name, conf, theme) select 'wide', '宽站', conf, theme from distributor where id = 1`.execute(
    t.ctx.db,
  );
  await sql`insert into dist_host (host, dist_id, is_primary) select 'wide.example', id, true from distributor where code = 'wide'`.execute(
    t.ctx.db,
  );
  await t.ctx.dir.reload();
  const wide = t.ctx.dir.byHost('wide.example');
  const seller = await t.newUser();
  const own = await addGoods(t.ctx, { sellerId: seller.id });
  await sql`update goods set dist_id = ${wide?.id} where id = ${own.id}`.execute(t.ctx.db);
  await reindexGoods(t.ctx, t.ctx.db, own.id);
  // Another port than above: a map is kept for minutes.
  const [theirs, ours] = [
    (await get('/sitemap-goods-1.xml', 'wide.example')).body,
    (await get('/sitemap-goods-1.xml', 'localhost:82')).body,
  ];
  expect([theirs.includes(own.sn), theirs.includes(visibleSn)]).toEqual([true, false]);
  expect([ours.includes(own.sn), ours.includes(visibleSn)]).toEqual([false, true]);
  const listing = await t.client().ok(goodsInfo, { goodsSn: own.sn });
  expect(new URL(listing.canonicalUrl).hostname).toBe('wide.example');
  expect(new URL((await t.client().ok(goodsInfo, { goodsSn: visibleSn })).canonicalUrl).hostname).not.toBe(
    'wide.example',
  );
});

test('published texts are included, those of another site are not', async () => {
  await sql`insert into news (code, dist_id, category, title, blocks, status, published_at)
    select 'narrow-only', id, 'notice', '窄站公告', '[{"t": "p", "text": "只在这里"}]', 1, now() from distributor where code = 'narrow'`.execute(
    t.ctx.db,
  );
  // Another host than those above: a map is kept for minutes.
  const map = (await get('/sitemap-pages.xml', 'narrow.example:81')).body;
  expect(map).toContain('<loc>http://narrow.example:81/news/narrow-only</loc>');
  expect(map).toContain('/news/guarantee</loc>');
  expect((await get('/sitemap-pages.xml', 'localhost:81')).body).not.toContain('narrow-only');
});
