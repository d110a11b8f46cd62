/** Feeds of a site: its own listings by their canonical addresses, well formed whatever sellers write, kept and bounded. */
import Fastify, { type FastifyInstance } from 'fastify';
import { Parser } from 'saxen';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostsOf } from '#server/access/tenant.ts';
import { createLimiter } from '#server/access/limits.ts';
import { registerFeeds } from '#server/site-files/feeds.ts';
import { reindexGoods } from '#subjects/goods/server/service.ts';
import { BACKSTAGE_HOST, type TestApp, testApp } from '#tests/support/servers/build.ts';
import { addGame, addGoods } from '#tests/support/goods/goods.ts';

const TITLE = '<b>王者</b> & "全英雄" ]]> \u0001';

let t: TestApp;
let http: FastifyInstance;
let first: string;
let second: string;
let hidden: string;
let elsewhere: string;

beforeAll(async () => {
  t = await testApp();
  await addGame(t.ctx);
  await sql`insert into distributor (code, name, games, conf, theme) select 'own', '自有站', null, conf, theme from distributor where id = 1`.execute(
    t.ctx.db,
  );
  await sql`insert into dist_host (host, dist_id) select 'own.example', id from distributor where code = 'own'`.execute(
    t.ctx.db,
  );
  await t.ctx.dir.reload();
  const seller = await t.newUser();
  const listings = [];
  for (const status of [2, 2, 3, 2]) {
    const goods = await addGoods(t.ctx, { sellerId: seller.id, status });
    listings.push(goods);
  }
  await sql`update goods set title = ${TITLE} where id = ${listings[0]?.id ?? 0}`.execute(t.ctx.db);
  await sql`update goods set dist_id = (select id from distributor where code = 'own') where id = ${listings[3]?.id ?? 0}`.execute(
    t.ctx.db,
  );
  for (const { id } of listings) await reindexGoods(t.ctx, t.ctx.db, id);
  [first = '', second = '', hidden = '', elsewhere = ''] = listings.map(({ sn }) => sn);
  http = Fastify();
  registerFeeds(http, t.ctx, hostsOf(t.ctx), createLimiter({ addressFactor: 100 }));
});
afterAll(async () => {
  await http.close();
  await t.close();
});

const get = (url: string, host = 'localhost', headers: Record<string, string> = {}) =>
  http.inject({ url, headers: { host, ...headers } });

/** The texts of an element, in order. Throws when the text is not well formed. */
function textsOf(xml: string, element: string): string[] {
  const texts: string[] = [];
  let inside = false;
  const parser = new Parser();
  parser.on('openTag', (name: string) => {
    inside = name === element;
    if (inside) texts.push('');
  });
  parser.on('text', (text: string, decode: (value: string) => string) => {
    if (inside) texts[texts.length - 1] += decode(text);
  });
  parser.on('closeTag', () => {
    inside = false;
  });
  parser.on('error', (error: Error) => {
    throw error;
  });
  parser.parse(xml);
  return texts;
}

describe('the newest listings', () => {
  test('are newest first, by the site’s URLs for search engines', async () => {
    const { body, headers, statusCode } = await get('/feed.xml');
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(textsOf(body, 'id')).toEqual([
      'http://localhost:3000/feed.xml',
      `http://localhost:3000/detail/${second}`,
      `http://localhost:3000/detail/${first}`,
    ]);
    expect(body).not.toContain(hidden);
    // A listing that several sites show is in the feed of one of them.
    expect(body).not.toContain(elsewhere);
    expect(textsOf((await get('/feed.xml', 'own.example')).body, 'id')).toEqual([
      'http://own.example:3000/feed.xml',
      `http://own.example:3000/detail/${elsewhere}`,
    ]);
  });

  test('are well-formed for any text by sellers', async () => {
    const titles = textsOf((await get('/feed.xml')).body, 'title');
    expect(titles.at(-1)?.trim()).toBe(TITLE.replace('\u0001', '').trim());
  });
});

describe('the products', () => {
  test('contain what a comparison site requires: number, page, price that the buyer pays', async () => {
    const { body, headers } = await get('/products.xml');
    expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    expect(textsOf(body, 'g:id')).toEqual([second, first]);
    expect(textsOf(body, 'link')).toEqual([
      'http://localhost:3000/',
      `http://localhost:3000/detail/${second}`,
      `http://localhost:3000/detail/${first}`,
    ]);
    const { rows } = await sql<{ fen: number }>`
      select s.price_fen as fen from goods_search s join goods g on g.id = s.goods_id where g.sn = ${second}`.execute(
      t.ctx.db,
    );
    expect(textsOf(body, 'g:price')[0]).toBe(`${((rows[0]?.fen ?? 0) / 100).toFixed(2)} CNY`);
    expect(new Set(textsOf(body, 'g:availability'))).toEqual(new Set(['in_stock']));
    // Merchant centres take neither SVG nor items without a picture.
    const pictures = textsOf(body, 'g:image_link');
    expect(pictures).toEqual([second, first].map((sn) => `http://localhost:3000/og/goods/${sn}.jpg`));
    const picture = await t.client().raw({ method: 'GET', url: new URL(pictures[0] ?? '').pathname });
    expect(picture.headers['content-type']).toBe('image/jpeg');
    expect(picture.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  test('are not sent again when unchanged, and the back office has none', async () => {
    const { headers } = await get('/products.xml');
    const again = await get('/products.xml', 'localhost', { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    for (const url of ['/feed.xml', '/products.xml']) expect((await get(url, BACKSTAGE_HOST)).statusCode).toBe(404);
  });
});
