/** A site as an application: manifest and icons of the distributor of the requested host. */
import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostsOf } from '#server/access/tenant.ts';
import { registerWebApp } from '#server/site-files/web-app.ts';
import { BACKSTAGE_HOST, type TestApp, testApp } from '#tests/support/servers/build.ts';

let t: TestApp;
let http: FastifyInstance;

beforeAll(async () => {
  t = await testApp();
  const conf = { websiteName: '窄站', websiteDesc: '只卖一种游戏' };
  await sql`with d as (insert into distributor (code, name, conf, theme)
      select 'narrow', '窄站', jsonb_set(conf, '{distBaseConf}', conf->'distBaseConf' || ${JSON.stringify(conf)}::jsonb), theme || '{"hue": 20}'
      from distributor where id = 1 returning id)
    insert into dist_host (dist_id, host) select id, 'narrow.example' from d`.execute(t.ctx.db);
  await t.ctx.dir.reload();
  http = Fastify();
  registerWebApp(http, t.ctx, hostsOf(t.ctx));
});
afterAll(async () => {
  await http.close();
  await t.close();
});

interface Manifest {
  name: string;
  description: string;
  display: string;
  theme_color: string;
  icons: { src: string; sizes: string; purpose: string }[];
}
const get = (url: string, host = 'localhost') => http.inject({ url, headers: { host } });
const manifestOf = async (host: string): Promise<Manifest> => (await get('/manifest.webmanifest', host)).json();

test('each brand has its own name, colour and icons, of the stated sizes', async () => {
  const narrow = await manifestOf('narrow.example');
  expect(narrow).toMatchObject({ name: '窄站', description: '只卖一种游戏', display: 'standalone' });
  expect(narrow.theme_color).toMatch(/^#[0-9a-f]{6}$/);
  const platform = await manifestOf('localhost');
  expect([platform.name === narrow.name, platform.theme_color === narrow.theme_color]).toEqual([false, false]);
  expect(platform.icons[0]?.src).not.toBe(narrow.icons[0]?.src);
  expect(narrow.icons.map(({ purpose }) => purpose)).toEqual(['any', 'any', 'maskable']);
  for (const { src, sizes } of narrow.icons) {
    const response = await get(src, 'narrow.example');
    expect(response.headers['content-type']).toBe('image/png');
    const { width, height, format } = await sharp(response.rawPayload).metadata();
    expect([format, `${width}x${height}`]).toEqual(['png', sizes]);
  }
});

test('the area that a platform may crop is background, and an icon without corners has none', async () => {
  const corner = async (name: string) => {
    const png = sharp((await get(`/art/app/${name}.png`, 'narrow.example')).rawPayload);
    const { data } = await png.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return [...data.subarray(0, 4)];
  };
  const { theme_color: colour } = await manifestOf('narrow.example');
  const ground = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  expect(await corner('maskable-512')).toEqual([...ground, 255]);
  expect((await corner('180'))[3]).toBe(255);
  expect((await corner('512'))[3]).toBe(0);
});

test('the back office is not installable, and there are no other icons', async () => {
  expect((await get('/manifest.webmanifest', BACKSTAGE_HOST)).statusCode).toBe(404);
  expect((await get('/art/app/9999.png')).statusCode).not.toBe(200);
});
