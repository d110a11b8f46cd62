import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import * as g from '#subjects/goods/contract/goods.ts';
import { orderDetail, placeOrder } from '#subjects/orders/contract/order.ts';
import { openListingMarket } from '#tests/support/goods/listings.ts';

const { t, add, setStatus } = await openListingMarket();
afterAll(async () => await t.close());

const get = async (url: string, headers: Record<string, string> = {}) =>
  await t.client().raw({ method: 'GET', url, headers });

/** A listing without pictures, and the address of its cover in lists. */
async function bare(
  attrs: Record<string, unknown> = { skin_num: 120 },
): Promise<{ id: number; sn: string; url: string }> {
  const { id, sn } = await add({ attrs, inspected: true });
  await sql`update goods set pictures = '[]' where id = ${id}`.execute(t.ctx.db);
  await t.relay();
  return { id, sn, url: await thumbnailOf(sn) };
}

const thumbnailOf = async (goodsSn: string): Promise<string> =>
  (await t.client().ok(g.goodsInfo, { goodsSn })).thumbnail;

describe('the cover of a listing', () => {
  test('stands in lists for a listing without pictures, and is drawn from its data on four canvases', async () => {
    const { sn, url } = await bare();
    expect(url).toMatch(new RegExp(`^/cover/${sn}/136x90\\.svg\\?v=[0-9a-f]{8}$`));
    for (const size of ['136x90', '112x112', '320x240', '560x315']) {
      const response = await get(url.replace('136x90', size));
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toContain('image/svg+xml');
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
      expect(response.body).toContain('安卓QQ');
    }
  });

  test('comes after the pictures of the seller, which the list shows', async () => {
    const { sn } = await add({});
    const { thumbnail, pictureNum, pictures } = await t.client().ok(g.goodsInfo, { goodsSn: sn });
    expect(thumbnail).toBe('/art/screen/wzry/7/0.svg');
    expect(pictureNum).toBe(1);
    expect(pictures.map(({ url }) => url.replace(/\?.*/, ''))).toEqual([
      '/art/screen/wzry/7/0.svg',
      `/cover/${sn}/560x315.svg`,
    ]);
  });

  test('may be kept for a week by its address, which changes with the data and not with the price', async () => {
    const { id, sn, url } = await bare();
    expect((await get(url)).headers['cache-control']).toMatch(/^public, max-age=604800/);
    await sql`update goods set price_fen = price_fen + 100 where id = ${id}`.execute(t.ctx.db);
    expect(await thumbnailOf(sn)).toBe(url);
    await sql`update goods set attrs = attrs || '{"skin_num": 121}' where id = ${id}`.execute(t.ctx.db);
    const next = await thumbnailOf(sn);
    expect(next).not.toBe(url);
    expect((await get(next)).headers['cache-control']).toMatch(/^public, max-age=604800/);
    expect((await get(`/cover/${sn}/320x240.svg?v=00000000`)).headers['cache-control']).toBe('public, max-age=300');
    expect((await get(`/cover/${sn}/320x240.svg`)).statusCode).toBe(200);
  });

  test('is served at its current address only while in review or removed; any other address shows its game', async () => {
    for (const status of [1, 6, 8]) {
      const { id, url } = await bare({ skin_num: status });
      await setStatus([id], status);
      expect((await get(url.replace('136x90', '112x112'))).statusCode).toBe(200);
      for (const version of ['', '?v=', '?v=00000000']) {
        const other = await get(url.replace(/\?v=.*/, version));
        expect([other.statusCode, other.headers.location]).toEqual([302, '/art/goods/wzry/0/0.svg']);
        expect(other.headers['cache-control']).toBe('public, max-age=300');
        expect((await get(other.headers.location ?? '')).statusCode).toBe(200);
      }
    }
  });

  test.each([
    '/cover/NOSUCH/136x90.svg',
    '/cover/Y/9x9.svg',
    '/cover/%3Cscript%3E/136x90.svg',
    '/cover/Y/toString.svg',
  ])('%s is not found', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });

  test('holds no markup of a seller', async () => {
    const { sn } = await add({ type: 27, title: '</text><script>alert(1)</script> 皮肤赠送' });
    await sql`update goods set pictures = '[]', attrs = ${JSON.stringify({ item_spec: '"><script>alert(1)</script>' })} where sn = ${sn}`.execute(
      t.ctx.db,
    );
    expect((await get(`/cover/${sn}/560x315.svg`)).body).not.toContain('<script');
  });

  test('stays the picture of an order after the listing was removed', async () => {
    const { id, sn, url } = await bare({ skin_num: 77 });
    const buyer = await t.newUser({ nickName: '买家' });
    const { orderSn } = await buyer.client.ok(placeOrder, { goodsSn: sn });
    await setStatus([id], 8);
    expect((await buyer.client.ok(orderDetail, { orderSn })).thumbnail).toBe(url);
    expect((await get(url)).statusCode).toBe(200);
  });
});

describe('the preview image of a listing without pictures', () => {
  test('is a JPEG of 1200 × 630 with its cover, and another one after a change of its data', async () => {
    const { id, sn } = await bare({ skin_num: 300 });
    const first = await get(`/og/goods/${sn}.jpg`);
    const { format, width, height } = await sharp(first.rawPayload).metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 });
    expect((await get(`/og/goods/${sn}.jpg`, { 'if-none-match': String(first.headers.etag) })).statusCode).toBe(304);
    await sql`update goods set attrs = '{"skin_num": 301}' where id = ${id}`.execute(t.ctx.db);
    expect((await get(`/og/goods/${sn}.jpg`)).headers.etag).not.toBe(first.headers.etag);
  });
});

describe('drawn pictures', () => {
  test('addresses that orders have kept show the game', async () => {
    const response = await get('/art/goods/wzry/4242/3.svg');
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('王者荣耀');
  });

  test.each(['/art/mask/23/345/1.svg', '/art/mask/0/0/0.svg', '/art/screen/wzry/7/11.svg', '/art/banner/221.svg'])(
    '%s is a picture that may be kept for ever',
    async (url) => {
      const response = await get(url);
      expect(response.statusCode).toBe(200);
      expect(response.headers['cache-control']).toContain('immutable');
    },
  );

  test.each(['/art/mask/24/0/1.svg', '/art/mask/1/361/1.svg', '/art/mask/1/1/2.svg', '/art/screen/nosuch/1/0.svg'])(
    '%s is not found',
    async (url) => {
      expect((await get(url)).statusCode).toBe(404);
    },
  );
});
