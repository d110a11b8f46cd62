/** Pictures of a seller's file: uploaded beside it by name, or fetched from addresses, and what becomes of a row whose picture failed. */
import type { lookup as systemLookup } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { codes } from '#contract/codes.ts';
import type { Data, Envelope } from '#contract/endpoint.ts';
import { selfPublishGoodsList } from '#subjects/goods/contract/goods.ts';
import * as c from '#subjects/listing-import/contract/listing-import.ts';
import { httpsPictures } from '#server/adapters/remote-pictures/https.ts';
import { fetchPictures } from '#subjects/listing-import/server/fetch.ts';
import { knownPictures } from '#subjects/listing-import/server/pictures.ts';
import { CELL_CHARS, sourcesOf } from '#subjects/listing-import/server/picture-cell.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';

const OUTSIDE = '127.0.0.9';
const COIN = { kind: 'publish', gameId: '1', goodsTypeId: '2' } as const;
const PLACE = '跨一/广东1区';

let t: TestApp;
let support: OfferFixture;
let seller: TestUser;
let web: Server;
let origin: string;
let picture: Buffer;
/** Requested paths, and the site's response for each path. */
let asked: string[] = [];
let answers: Map<string, Buffer | number>;

beforeAll(async () => {
  picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#3366aa' } })
    .png()
    .toBuffer();
  web = createServer((request, response) => {
    asked.push(request.url ?? '');
    const found = answers.get(request.url ?? '') ?? 404;
    if (typeof found === 'number') response.writeHead(found).end();
    else response.writeHead(200).end(found);
  });
  await new Promise<void>((done) => web.listen(0, OUTSIDE, done));
  const { port } = web.address() as AddressInfo;
  origin = `http://pics.example:${port}`;
  const resolve = ((_host: string, _options: unknown, done: (error: null, list: unknown) => void) =>
    done(null, [{ address: OUTSIDE, family: 4 }])) as unknown as typeof systemLookup;
  t = await testApp({
    overrides: {
      remotePictures: httpsPictures(
        { isPlainAllowed: true },
        { resolve, isPublic: (address) => address === OUTSIDE, ports: [String(port)], limitMs: 2000 },
      ),
    },
  });
  support = await offerFixture(t);
});
afterAll(async () => {
  await t.close();
  web.closeAllConnections();
  web.close();
});
beforeEach(async () => {
  seller = await support.sellerWith(5);
  asked = [];
  answers = new Map([['/ok.png', picture]]);
});

async function send<T>(url: string, body: Buffer, name: string, type: string, who = seller): Promise<Envelope<T>> {
  const line = '----fileboundary';
  const head = `--${line}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;
  const response = await who.client.raw({
    method: 'POST',
    url,
    headers: { 'content-type': `multipart/form-data; boundary=${line}` },
    payload: Buffer.concat([Buffer.from(head), body, Buffer.from(`\r\n--${line}--\r\n`)]),
  });
  return response.json<Envelope<T>>();
}

/** Uploads a table whose rows have these pictures, and checks it. */
async function table(cells: readonly string[]): Promise<Data<typeof c.listingImportMap>> {
  const url = `${c.listingImportUpload.path}?${new URLSearchParams(COIN)}`;
  const upload = async (text: string) =>
    (await send<Data<typeof c.listingImportUpload>>(url, Buffer.from(text), '商品.csv', 'text/csv')).data;
  const heads = await upload('商家编号,标题,价格\nx,y,1');
  const fields = (heads?.targets ?? []).filter(({ key, required }) => required && key.startsWith('details.'));
  const head = ['商家编号', '区服', '标题', '价格', '库存', '图片', ...fields.map(({ label }) => label)];
  const rest = fields.map(({ options }) => options?.[0] ?? '1000');
  const rows = cells.map((cell, n) =>
    [`P-${n + 1}`, PLACE, `广东一区金币 秒发货 第${n + 1}批`, '35.50', '10', `"${cell}"`, ...rest].join(','),
  );
  const file = await upload([head.join(','), ...rows].join('\n'));
  if (!file) throw new Error('the table was not read');
  return await seller.client.ok(c.listingImportMap, { importId: file.importId, mapping: file.mapping, defaults: {} });
}

const addFile = async (importId: number, name: string, body = picture, who = seller) =>
  await send<Data<typeof c.listingImportPicture>>(
    `${c.listingImportPicture.path}?${new URLSearchParams({ importId: String(importId), name })}`,
    body,
    name,
    'image/png',
    who,
  );
const again = async ({ importId, mapping, defaults }: Data<typeof c.listingImportDetail>) =>
  await seller.client.ok(c.listingImportMap, { importId, mapping, defaults });
const rowsOf = async (importId: number) =>
  (await seller.client.ok(c.listingImportRows, { importId, pageSize: 50 })).list;
const own = async () => (await seller.client.ok(selfPublishGoodsList, { pageSize: 50 })).list;

async function published(importId: number) {
  await seller.client.ok(c.listingImportRun, { importId });
  for (let turn = 0; turn < 40; turn++) {
    await t.timers();
    const now = await seller.client.ok(c.listingImportDetail, { importId });
    if (now.status !== 'running' || now.waitTime !== null) return now;
  }
  throw new Error('the import did not end');
}

async function picturesOf(title: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select jsonb_array_length(pictures) as n from goods where seller_id = ${seller.id} and title like ${`%${title}`}`.execute(
    t.ctx.db,
  );
  return rows[0]?.n ?? -1;
}

test('a cell is read as file names and addresses, whose own commas stay', () => {
  expect(sourcesOf('A.PNG，b.jpg、c\nfolder\\D.png;A.png')).toEqual(['a.png', 'b.jpg', 'c', 'd.png']);
  expect(sourcesOf('https://x.example/a.png?p=resize,w_800,https://x.example/b.png；c.png')).toEqual([
    'https://x.example/a.png?p=resize,w_800',
    'https://x.example/b.png',
    'c.png',
  ]);
  expect(sourcesOf('')).toEqual([]);
});

test('a cell of separators is read at once, and one that is too long is refused', async () => {
  const gaps = ' ,，、'.repeat(1000);
  expect(sourcesOf(`${gaps}a.png${gaps}https://x.example/b.png${gaps};${gaps}c.png${gaps}`)).toEqual([
    'a.png',
    'https://x.example/b.png',
    'c.png',
  ]);
  expect(sourcesOf(gaps)).toEqual([]);
  expect(sourcesOf(`https://x.example/b.png${gaps}`)).toEqual(['https://x.example/b.png']);
  const file = await table([`a.png${';'.repeat(CELL_CHARS)}`, 'a.png;'.repeat(100)]);
  expect((await rowsOf(file.importId)).map(({ problems }) => problems.map(({ text }) => text))).toEqual([
    [`图片这一格太长，最多 ${CELL_CHARS} 个字`],
    ['图片最多 20 张'],
  ]);
});

describe('files', () => {
  test('beside a table are found by name, and a row that lacks one says which', async () => {
    const file = await table(['一号.png，二号', '缺.png', '']);
    expect(file).toMatchObject({ counts: { ready: 1, refused: 2 }, missingPictures: ['一号.png', '二号', '缺.png'] });
    expect((await rowsOf(file.importId))[1]?.problems).toEqual([{ field: 'pictures', text: '没有上传图片 缺.png' }]);
    for (const name of ['一号.PNG', '图/二号.png']) expect((await addFile(file.importId, name)).code).toBe(0);
    const checked = await again(file);
    expect(checked).toMatchObject({ counts: { ready: 2, refused: 1 }, pictures: 2, missingPictures: ['缺.png'] });
    await seller.client.ok(c.listingImportMend, { importId: file.importId, line: 2, values: { pictures: '一号' } });
    expect(await published(file.importId)).toMatchObject({ status: 'done', counts: { done: 3 } });
    expect([await picturesOf('第1批'), await picturesOf('第2批'), await picturesOf('第3批')]).toEqual([2, 1, 0]);
    expect(asked).toEqual([]);
  });

  test('are the owner’s, and pictures by their bytes', async () => {
    const file = await table(['a.png']);
    const other = await support.sellerWith(5);
    expect((await addFile(file.importId, 'a.png', picture, other)).code).toBe(codes.NOT_FOUND[0]);
    expect((await addFile(file.importId, 'a.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).code).toBe(
      codes.PICTURE_TYPE[0],
    );
    expect((await seller.client.ok(c.listingImportDetail, { importId: file.importId })).pictures).toBe(0);
  });
});

describe('the day’s quota', () => {
  const count = async (key: string, hits: number) =>
    await sql`insert into limit_counter (key, hits, reset_at) values (${`${key}:${seller.id}`}, ${hits}, now() + interval '1 day')`.execute(
      t.ctx.db,
    );

  test('is counted separately for tables and for other pictures, such as evidence', async () => {
    await count('upload', 300);
    const file = await table([`${origin}/ok.png;a.png`]);
    expect((await addFile(file.importId, 'a.png')).code).toBe(0);
    await again(file);
    expect(await published(file.importId)).toMatchObject({ status: 'done', counts: { done: 1 } });
    const { rows } = await sql<{ key: string; hits: number }>`
      select split_part(key, ':', 1) as key, hits from limit_counter where key like ${`upload%:${seller.id}`} order by key`.execute(
      t.ctx.db,
    );
    expect(rows).toEqual([
      { key: 'upload', hits: 300 },
      { key: 'upload-import', hits: 2 },
    ]);
  });

  test('is asked before a site is: what could not be stored is not fetched', async () => {
    await count('upload-import', 1200);
    const file = await table([`${origin}/ok.png`]);
    expect((await published(file.importId)).waitTime).not.toBeNull();
    expect(asked).toEqual([]);
  });
});

describe('a job that fails for good', () => {
  test('ends the run with a reason, so that it can be run again or removed', async () => {
    const broken = vi.spyOn(t.ctx.remotePictures, 'fetch').mockRejectedValue(new Error('no memory'));
    const file = await table([`${origin}/ok.png`]);
    await seller.client.ok(c.listingImportRun, { importId: file.importId });
    await t.timers();
    await sql`update timer set attempts = 7, faults = 7, last_error = 'no memory' where kind = 'listingImport.fetch'`.execute(
      t.ctx.db,
    );
    await t.timers();
    broken.mockRestore();
    const stopped = await seller.client.ok(c.listingImportDetail, { importId: file.importId });
    expect(stopped).toMatchObject({ status: 'checked', counts: { ready: 1 } });
    expect(stopped.failure).toContain('系统出错');
    expect(await published(file.importId)).toMatchObject({ status: 'done', failure: null, counts: { done: 1 } });
  });
});

test('only what a row names is read of the pictures of its table', async () => {
  const file = await table(['a']);
  for (const name of ['a.png', 'b.png', 'c.png']) await addFile(file.importId, name);
  const { keys } = await knownPictures(t.ctx.db, file.importId, ['a', 'c.png']);
  expect([...keys.keys()].toSorted()).toEqual(['a', 'a.png', 'c', 'c.png']);
});

describe('addresses', () => {
  test('are fetched when the rows are published, each once, and give pictures like uploads', async () => {
    answers.set('/two.png', picture);
    const file = await table([`${origin}/ok.png,${origin}/two.png`, `${origin}/ok.png`]);
    expect(file.counts).toMatchObject({ ready: 2 });
    expect(asked, 'a check asks nobody').toEqual([]);
    expect(await published(file.importId)).toMatchObject({ status: 'done', counts: { done: 2 } });
    expect(asked.toSorted()).toEqual(['/ok.png', '/two.png']);
    expect([await picturesOf('第1批'), await picturesOf('第2批')]).toEqual([2, 1]);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from picture where owner_id = ${seller.id} and purpose = 'goods'`.execute(t.ctx.db);
    expect(rows[0]?.n).toBe(2);
  });

  test('reject their row with the reason when they fail; once corrected in place it is published, and nothing else waits', async () => {
    answers.set('/text.png', Buffer.from('<html>no picture</html>'));
    answers.set('/broken.png', Buffer.concat([picture.subarray(0, 60), Buffer.alloc(100)]));
    const file = await table(['/missing.png', '/text.png', '/broken.png', '/ok.png'].map((path) => origin + path));
    expect(await published(file.importId)).toMatchObject({ status: 'checked', counts: { done: 1, refused: 3 } });
    const texts = (await rowsOf(file.importId))
      .slice(0, 3)
      .map(({ problems }) => problems.map(({ field, text }) => `${field} ${text}`).join());
    expect(texts[0]).toBe('pictures 第 1 张：图片的网站返回了 HTTP 404');
    expect(texts[1]).toBe('pictures 第 1 张：网址的内容不是 JPEG、PNG 或 WebP 图片');
    expect(texts[2]).toMatch(/^pictures 第 1 张：/);
    expect(await own()).toHaveLength(1);
    const mend = async (line: number, pictures: string) =>
      await seller.client.ok(c.listingImportMend, { importId: file.importId, line, values: { pictures } });
    expect((await mend(1, `${origin}/ok.png`)).state).toBe('ready');
    expect((await mend(2, '')).state).toBe('ready');
    // The site works again: the same address is asked again.
    answers.set('/broken.png', picture);
    expect((await mend(3, `${origin}/broken.png`)).state).toBe('ready');
    expect(await published(file.importId)).toMatchObject({ status: 'done', counts: { done: 4 } });
    expect([await picturesOf('第1批'), await picturesOf('第2批'), await picturesOf('第3批')]).toEqual([1, 0, 1]);
  });

  test('in several tables of one seller are fetched table by table', async () => {
    const [first, second] = [await table([`${origin}/first.png`]), await table([`${origin}/second.png`])];
    for (const { importId } of [first, second]) await seller.client.ok(c.listingImportRun, { importId });
    // The runs find that pictures are missing and ask for them.
    await t.timers();
    expect(await fetchPictures(t.ctx, Number(second.importId))).toEqual({ seconds: 5 });
    expect(asked).toEqual([]);
    await fetchPictures(t.ctx, Number(first.importId));
    await fetchPictures(t.ctx, Number(second.importId));
    expect(asked).toEqual(['/first.png', '/second.png']);
  });

  test('inside the network are refused at the check, and never asked', async () => {
    const bad = [
      'http://127.0.0.1/a.png',
      'http://localhost/a.png',
      'http://[::1]/a.png',
      'ftp://pics.example/a.png',
      `${origin.replace('pics.example', '169.254.169.254')}/a`,
      // Few characters, but more bytes than an index takes.
      `${origin}/${'图片'.repeat(450)}`,
    ];
    const file = await table(bad);
    expect(file.counts).toMatchObject({ refused: bad.length, ready: 0 });
    expect((await rowsOf(file.importId)).every(({ problems }) => problems[0]?.field === 'pictures')).toBe(true);
    expect(asked).toEqual([]);
  });

  test('cannot be used to load another site: what is asked for one seller in a day is limited', async () => {
    await sql`insert into limit_counter (key, hits, reset_at) values (${`importPicture:${seller.id}`}, 599, now() + interval '1 day')`.execute(
      t.ctx.db,
    );
    const file = await table([`${origin}/a1`, `${origin}/a2`, `${origin}/a3`]);
    const now = await published(file.importId);
    expect(asked.length).toBe(1);
    expect(now.waitTime).not.toBeNull();
    await sql`delete from limit_counter where key = ${`importPicture:${seller.id}`}`.execute(t.ctx.db);
    await makeDue(t.ctx.db, 'listingImport.fetch');
    for (let turn = 0; turn < 10; turn++) await t.timers();
    expect(await seller.client.ok(c.listingImportDetail, { importId: file.importId })).toMatchObject({
      status: 'checked',
      waitTime: null,
      counts: { refused: 3 },
    });
    expect(asked.length).toBe(3);
  });
});

test('a picture goes with its table', async () => {
  const file = await table(['a.png']);
  await addFile(file.importId, 'a.png');
  const stored = async () =>
    (await sql`select from listing_import_picture where import_id = ${file.importId}`.execute(t.ctx.db)).rows.length;
  expect(await stored()).toBe(1);
  await seller.client.ok(c.listingImportRemove, { importId: file.importId });
  expect(await stored()).toBe(0);
});
