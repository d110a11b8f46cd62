/** A seller's own files: checked as the form checks, mended in place, published once, whatever happens meanwhile. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeAccount } from '#subjects/accounts/contract/email-and-closing.ts';
import { codes as errors } from '#contract/codes.ts';
import { addBlockedWords } from '#subjects/back-office/contract/blocked-words.ts';
import type { Data, Envelope, Input } from '#contract/endpoint.ts';
import { smsBindPhone } from '#subjects/accounts/contract/sms.ts';
import { selfPublishGoodsList } from '#subjects/goods/contract/goods.ts';
import * as c from '#subjects/listing-import/contract/listing-import.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { makeDue } from '#tests/support/time/clock.ts';
import { type TestApp, testApp, type TestUser } from '#tests/support/servers/build.ts';
import { type OfferFixture, offerFixture } from '#tests/support/goods/offers.ts';
import { workbook } from '#tests/support/tools/workbook.ts';

type Detail = Data<typeof c.listingImportUpload>;

let t: TestApp;
let offers: OfferFixture;
let seller: TestUser;
let next = 0;

beforeAll(async () => {
  t = await testApp();
  offers = await offerFixture(t);
});
afterAll(async () => await t.close());
beforeEach(async () => {
  seller = await offers.sellerWith(5);
  next += 1;
});

const COIN = { kind: 'publish', gameId: '1', goodsTypeId: '2' } as const;
const ACCOUNT = { kind: 'publish', gameId: '2', goodsTypeId: '1' } as const;
const STOCK = { kind: 'stock' } as const;

async function send(who: TestUser, body: Buffer, query: Record<string, string>, name = '商品.csv') {
  const line = '----fileboundary';
  const response = await who.client.raw({
    method: 'POST',
    url: `${c.listingImportUpload.path}?${new URLSearchParams(query)}`,
    headers: { 'content-type': `multipart/form-data; boundary=${line}` },
    payload: Buffer.concat([
      Buffer.from(
        `--${line}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n`,
      ),
      body,
      Buffer.from(`\r\n--${line}--\r\n`),
    ]),
  });
  return response.json<Envelope<Detail>>();
}

/** Uploads lines of CSV and checks them by the guessed columns. */
async function checked(lines: readonly string[], query: Record<string, string>, defaults: Record<string, string> = {}) {
  const { data, msg } = await send(seller, Buffer.from(lines.join('\n')), query);
  if (!data) throw new Error(msg);
  return await seller.client.ok(c.listingImportMap, { importId: data.importId, mapping: data.mapping, defaults });
}

async function rowsOf(importId: number, who = seller) {
  return (await who.client.ok(c.listingImportRows, { importId, pageSize: 50 })).list;
}

/** Runs the file to its end. */
async function published(importId: number): Promise<Data<typeof c.listingImportDetail>> {
  await seller.client.ok(c.listingImportRun, { importId });
  for (let turn = 0; turn < 20; turn++) {
    await t.timers();
    const now = await seller.client.ok(c.listingImportDetail, { importId });
    if (now.status !== 'running') return now;
  }
  throw new Error('the import did not end');
}

async function coinHeads(): Promise<Detail> {
  const { data } = await send(seller, Buffer.from('商家编号,标题,价格\nx,y,1'), COIN);
  if (!data) throw new Error('no detail');
  return data;
}

/** Lines of coin that the form takes: one for each number. */
async function coins(codes: readonly string[], price = '35.50'): Promise<string[]> {
  const { targets } = await coinHeads();
  const labels = targets.filter(({ key, required }) => required && key.startsWith('details.'));
  const head = ['商家编号', '区服', '标题', '价格', '库存', ...labels.map(({ label }) => label)];
  const cells = labels.map(({ options }) => options?.[0] ?? '1000');
  return [
    head.join(','),
    ...codes.map((code) => [code, PLACE, `广东一区金币 秒发货 ${code}`, price, '10', ...cells].join(',')),
  ];
}
const PLACE = '跨一/广东1区';

const own = async (who = seller) => (await who.client.ok(selfPublishGoodsList, { pageSize: 50 })).list;

describe('a file', () => {
  test('is checked row by row; invalid cells name their field, are corrected in place, and published once', async () => {
    const lines = await coins(['A-1', 'A-2', 'A-3', 'A-4']);
    lines[2] = (lines[2] ?? '').replace('35.50', '面议');
    lines[3] = (lines[3] ?? '').replace(PLACE, '不存在的区');
    const file = await checked(lines, COIN);
    expect(file).toMatchObject({ status: 'checked', total: 4, counts: { ready: 2, refused: 2 } });
    // A correction is chosen from the game's own regions.
    expect(file.targets.find(({ key }) => key === 'place')?.options).toContain(PLACE);
    const rows = await rowsOf(file.importId);
    expect(rows.map(({ state, problems }) => [state, problems.map(({ field }) => field)])).toEqual([
      ['ready', []],
      ['refused', ['price']],
      ['refused', ['place']],
      ['ready', []],
    ]);
    const mend = async (line: number, values: Record<string, string>) =>
      await seller.client.ok(c.listingImportMend, { importId: file.importId, line, values });
    expect(await mend(2, { price: '0.10' })).toMatchObject({
      state: 'refused',
      values: { price: '0.10', code: 'A-2' },
    });
    expect(await mend(2, { price: '40' })).toMatchObject({ state: 'ready', problems: [] });
    const first = await published(file.importId);
    expect(first).toMatchObject({ status: 'checked', counts: { done: 3, refused: 1 } });
    // Nothing of the refused row is lost, and the published ones keep no text.
    const after = await rowsOf(file.importId);
    expect(after[2]).toMatchObject({ state: 'refused', values: { code: 'A-3', place: '不存在的区' } });
    expect(after[0]).toMatchObject({ state: 'done', values: {} });
    await mend(3, { place: PLACE });
    expect(await published(file.importId)).toMatchObject({ status: 'done', counts: { done: 4, refused: 0 } });
    const list = await own();
    expect(list.map(({ bigTitle, status, price }) => `${bigTitle.slice(-3)} ${status} ${price}`).toSorted()).toEqual([
      `A-1 ${GoodsStatus.Reviewing} 35.50`,
      `A-2 ${GoodsStatus.Reviewing} 40.00`,
      `A-3 ${GoodsStatus.Reviewing} 35.50`,
      `A-4 ${GoodsStatus.Reviewing} 35.50`,
    ]);
  });

  test('uploaded again, also concurrently, is the same import; another file with the same numbers publishes nothing twice', async () => {
    const body = Buffer.from((await coins(['B-1', 'B-2'])).join('\n'));
    const all = await Promise.all(Array.from({ length: 5 }, async () => await send(seller, body, COIN)));
    expect(new Set(all.map(({ data }) => data?.importId)).size).toBe(1);
    expect(all.filter(({ data }) => data?.repeated === false)).toHaveLength(1);
    const importId = all[0]?.data?.importId ?? 0;
    await seller.client.ok(c.listingImportMap, { importId, mapping: all[0]?.data?.mapping ?? {} });
    await published(importId);
    const again = await checked([...(await coins(['B-1', 'B-2', 'B-3'], '36.00'))], COIN);
    expect(again.counts).toMatchObject({ existing: 2, ready: 1 });
    await published(again.importId);
    expect(await own()).toHaveLength(3);
  });

  test('has the same result as XLSX', async () => {
    const rows = (await coins(['X-1'])).map((line) => line.split(','));
    const { data } = await send(seller, workbook(rows), COIN, '商品.xlsx');
    const file = await seller.client.ok(c.listingImportMap, {
      importId: data?.importId ?? 0,
      mapping: data?.mapping ?? {},
    });
    expect(file.counts).toMatchObject({ ready: 1, refused: 0 });
  });

  test('made from the template is accepted, for each type of the games', async () => {
    for (const query of [COIN, ACCOUNT]) {
      const { text } = await seller.client.ok(c.listingImportTemplate, query);
      const { data } = await send(seller, Buffer.from(text), query);
      const file = await seller.client.ok(c.listingImportMap, {
        importId: data?.importId ?? 0,
        mapping: data?.mapping ?? {},
      });
      expect([file.counts, (await rowsOf(file.importId))[0]?.problems]).toEqual([
        expect.objectContaining({ ready: 1 }),
        [],
      ]);
    }
  });

  test('is not found by any call of another seller', async () => {
    const file = await checked(await coins(['C-1']), COIN);
    const other = await offers.sellerWith(5);
    const { importId } = file;
    const codes = [
      (await other.client.call(c.listingImportDetail, { importId })).code,
      (await other.client.call(c.listingImportRows, { importId })).code,
      (await other.client.call(c.listingImportMap, { importId, mapping: file.mapping })).code,
      (await other.client.call(c.listingImportMend, { importId, line: 1, values: {} })).code,
      (await other.client.call(c.listingImportRun, { importId })).code,
      (await other.client.call(c.listingImportRemove, { importId })).code,
    ];
    expect(new Set(codes)).toEqual(new Set([errors.NOT_FOUND[0]]));
    expect((await other.client.ok(c.listingImportList, {})).list).toEqual([]);
  });

  test('can be removed and started anew; a missing column is requested', async () => {
    const lines = await coins(['R-1']);
    const { data } = await send(seller, Buffer.from(lines.join('\n')), COIN);
    const importId = data?.importId ?? 0;
    const { price: _price, ...without } = data?.mapping ?? {};
    const rejected = await seller.client.call(c.listingImportMap, { importId, mapping: without });
    expect(rejected).toMatchObject({ field: 'mapping.price' });
    const byDefault = { importId, mapping: without, defaults: { price: '12.00' } };
    expect((await seller.client.ok(c.listingImportMap, byDefault)).counts).toMatchObject({ ready: 1 });
    expect((await rowsOf(importId))[0]?.values.price).toBe('12.00');
    await seller.client.ok(c.listingImportRemove, { importId });
    expect((await seller.client.call(c.listingImportDetail, { importId })).code).toBe(errors.NOT_FOUND[0]);
    expect((await send(seller, Buffer.from(lines.join('\n')), COIN)).data).toMatchObject({ repeated: false });
  });
});

describe('the checks of the publishing form apply', () => {
  const accountHead = '商家编号,区服,标题,价格,账号标识';
  async function accountFile(
    rows: readonly (readonly [code: string, title: string, price: string, account: string])[],
  ) {
    const { data } = await send(
      seller,
      Buffer.from(
        `${accountHead}\n`.concat(
          rows.map(([code, title, price, account]) => `${code},,${title},${price},${account}`).join('\n'),
        ),
      ),
      ACCOUNT,
    );
    if (!data) throw new Error('no file');
    const defaults: Record<string, string> = {};
    for (const { key, required, options, help } of data.targets)
      if (required && data.mapping[key] === undefined) defaults[key] = options?.[0] ?? /\d+/.exec(help)?.[0] ?? '1';
    const { data: form } = await send(
      seller,
      Buffer.from((await seller.client.ok(c.listingImportTemplate, ACCOUNT)).text),
      ACCOUNT,
    );
    defaults.place = form?.sample[0]?.[form.mapping.place ?? 0] ?? '';
    return await seller.client.ok(c.listingImportMap, { importId: data.importId, mapping: data.mapping, defaults });
  }

  test('one account is accepted once: in the file, across files, and against other sellers, which only publishing reveals', async () => {
    const name = `import-${next}`;
    const file = await accountFile([
      ['D-1', '荣耀王者 全英雄', '100', name],
      ['D-2', '荣耀王者 全皮肤', '100', name],
    ]);
    const rows = await rowsOf(file.importId);
    expect(rows.map(({ state }) => state)).toEqual(['ready', 'refused']);
    expect(rows[1]?.problems).toEqual([{ field: 'accountNo', text: '与第 1 行是同一个游戏账号' }]);
    await published(file.importId);
    const cells = await sql<{ n: number }>`
      select count(*)::int as n from listing_import_row where import_id = ${file.importId} and state = 'done' and cells is null`.execute(
      t.ctx.db,
    );
    expect(cells.rows[0]?.n).toBe(1);
    const again = await accountFile([['E-1', '荣耀王者 全英雄', '100', name]]);
    expect((await rowsOf(again.importId))[0]?.problems[0]).toMatchObject({ field: 'accountNo' });
    seller = await offers.sellerWith(5);
    const second = await accountFile([['E-2', '荣耀王者 全英雄', '100', name]]);
    expect((await rowsOf(second.importId))[0]?.state).toBe('ready');
    await published(second.importId);
    expect((await rowsOf(second.importId))[0]).toMatchObject({ state: 'refused', problems: [{ field: 'accountNo' }] });
  });

  test('contacts are reported, forbidden words reject the row, and a new seller’s limits apply', async () => {
    const writer = await t.newStaff({ role: 'content' });
    await writer.client.ok(addBlockedWords, { lines: '违禁宝贝', level: 'refuse', reason: '整理词库' });
    await t.ctx.blockedWords.reload();
    seller = await offers.sellerWith(0);
    const file = await accountFile([
      ['F-1', '荣耀王者 加微信 wx123456789', '100', `f1-${next}`],
      ['F-2', '荣耀王者 全英雄', '3000.01', `f2-${next}`],
      ['F-3', '荣耀王者 违禁宝贝', '100', `f3-${next}`],
      ...Array.from(
        { length: 11 },
        (_, i) => [`F-${i + 10}`, `荣耀王者 全英雄 ${i}`, '100', `f${i + 10}-${next}`] as const,
      ),
    ]);
    const rows = await rowsOf(file.importId);
    expect(rows[0]?.notes.length ?? 0).toBeGreaterThan(0);
    expect(rows[1]?.problems[0]).toMatchObject({ field: 'price' });
    expect(rows[2]?.problems[0]).toMatchObject({ field: 'bigTitle' });
    const end = await published(file.importId);
    // Ten at a time before the first sales: the others wait with the reason.
    expect((await own()).length).toBe(10);
    expect(end.counts.refused).toBe(rows.length - 10);
    expect((await rowsOf(file.importId)).at(-1)?.problems[0]?.text).toContain('最多同时发布');
  });

  test('a user who may not sell publishes nothing', async () => {
    seller = await t.newUser({ verified: false });
    const file = await checked(await coins(['G-1']), COIN);
    expect((await seller.client.call(c.listingImportRun, { importId: file.importId })).code).not.toBe(0);
    expect(await own()).toEqual([]);
  });
});

describe('a run', () => {
  test('continues after it was killed; two concurrent ones publish each row once', async () => {
    const file = await checked(await coins(Array.from({ length: 8 }, (_, i) => `K-${i}`)), COIN);
    const input: Input<typeof c.listingImportRun> = { importId: file.importId };
    await Promise.all(Array.from({ length: 4 }, async () => await seller.client.ok(c.listingImportRun, input)));
    // A process died with one row half done: its listing is stored, the row does not know.
    await t.timers();
    await sql`update listing_import set status = 'running' where id = ${file.importId}`.execute(t.ctx.db);
    await sql`update listing_import_row set state = 'running', goods_id = null, cells = ${JSON.stringify((await coins(['K-3']))[1]?.split(','))}::jsonb
      where import_id = ${file.importId} and line = 4`.execute(t.ctx.db);
    await sql`insert into timer (kind, ref, due_at) values ('listingImport.run', ${String(file.importId)}, now()) on conflict do nothing`.execute(
      t.ctx.db,
    );
    await t.timers();
    expect(await seller.client.ok(c.listingImportDetail, input)).toMatchObject({ status: 'done', counts: { done: 8 } });
    expect(await own()).toHaveLength(8);
  });

  test('waits when the daily quota is used up, shows it, and continues automatically', async () => {
    const file = await checked(await coins(['Q-1', 'Q-2']), COIN);
    await sql`insert into limit_counter (key, hits, reset_at) values (${`publish:${seller.id}`}, 300, now() + interval '1 day')
      on conflict (key) do update set hits = 300`.execute(t.ctx.db);
    await seller.client.ok(c.listingImportRun, { importId: file.importId });
    await t.timers();
    const waiting = await seller.client.ok(c.listingImportDetail, { importId: file.importId });
    expect(waiting).toMatchObject({ status: 'running', statusName: '等待次日额度', counts: { ready: 2 } });
    expect(waiting.waitTime).not.toBeNull();
    await sql`delete from limit_counter where key = ${`publish:${seller.id}`}`.execute(t.ctx.db);
    await makeDue(t.ctx.db, 'listingImport.run');
    await t.timers();
    expect(await seller.client.ok(c.listingImportDetail, { importId: file.importId })).toMatchObject({
      status: 'done',
    });
  });

  test('stops for a seller restricted meanwhile', async () => {
    const file = await checked(await coins(['S-1']), COIN);
    await seller.client.ok(c.listingImportRun, { importId: file.importId });
    await sql`update app_user set status = 2 where id = ${seller.id}`.execute(t.ctx.db);
    await t.timers();
    await sql`update app_user set status = 1 where id = ${seller.id}`.execute(t.ctx.db);
    const ended = await seller.client.ok(c.listingImportDetail, { importId: file.importId });
    expect(ended).toMatchObject({ status: 'checked', failure: '账号当前不能发布商品', counts: { ready: 1 } });
    expect(await own()).toEqual([]);
  });

  test('a row that is edited while it is published is rejected, never published in between', async () => {
    const file = await checked(await coins(['M-1']), COIN);
    await sql`update listing_import_row set state = 'running' where import_id = ${file.importId}`.execute(t.ctx.db);
    const mended = await seller.client.call(c.listingImportMend, {
      importId: file.importId,
      line: 1,
      values: { price: '1' },
    });
    expect(mended.code).not.toBe(0);
  });
});

describe('price and stock by file', () => {
  test('by either number, each row independently; others’ listings are not found', async () => {
    const file = await checked(await coins(['P-1', 'P-2']), COIN);
    await published(file.importId);
    const list = await own();
    const sn = list.find(({ bigTitle }) => bigTitle.endsWith('P-2'))?.goodsSn ?? '';
    const other = await offers.sellerWith(5);
    const foreign = await offers.published(other);
    const change = await checked(
      ['商家编号,新价格,新库存', 'P-1,￥40,7', `${sn},35.50,10`, `${foreign},1,`, 'P-1,41,', 'P-9,1,1', 'P-2,abc,'],
      STOCK,
    );
    const rows = await rowsOf(change.importId);
    expect(rows.map(({ state, problems }) => [state, problems[0]?.field])).toEqual([
      ['ready', undefined],
      ['existing', undefined],
      ['refused', 'code'],
      ['refused', 'code'],
      ['refused', 'code'],
      ['refused', 'code'],
    ]);
    expect(await published(change.importId)).toMatchObject({ counts: { done: 1, existing: 1, refused: 4 } });
    expect((await own()).find(({ bigTitle }) => bigTitle.endsWith('P-1'))).toMatchObject({ price: '40.00', stock: 7 });
    expect(await offers.own(other, foreign)).toMatchObject({ price: '1288.00' });
  });
});

test('closing the account deletes its files, and the cells of staff’s imports for it', async () => {
  const other = await offers.sellerWith(5);
  const file = Buffer.from('标题,价格,库存\n没有写区服的金币,10,5');
  for (const who of [seller, other]) expect((await send(who, file, COIN)).code).toBe(0);
  for (const { id } of [seller, other])
    await sql`with job as (insert into import_job (staff_id, seller_id, file_name, bytes, total_rows) values (${(await t.newStaff()).id}, ${id}, 'stock.csv', 10, 1) returning id)
      insert into import_row (job_id, line, verdict, note, cells) select id, 1, 'refused', '缺少价格', '["hero-login"]'::jsonb from job`.execute(
      t.ctx.db,
    );
  const left = async ({ id }: TestUser) => {
    const found = sql`select (select count(*)::int from listing_import where user_id = ${id}) as files,
      (select count(*)::int from listing_import_row r join listing_import i on i.id = r.import_id where i.user_id = ${id}) as rows,
      (select count(*)::int from import_row r join import_job j on j.id = r.job_id where j.seller_id = ${id} and r.cells is not null) as cells`;
    return (await found.execute(t.ctx.db)).rows[0];
  };
  expect(await left(seller)).toEqual({ files: 1, rows: 1, cells: 1 });
  await seller.client.ok(smsBindPhone, { type: 'close' });
  await seller.client.ok(closeAccount, { smsCode: t.lastCode(seller.phone) });
  await t.relay();
  expect(await left(seller)).toEqual({ files: 0, rows: 0, cells: 0 });
  expect(await left(other)).toEqual({ files: 1, rows: 1, cells: 1 });
});
